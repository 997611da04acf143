import type { RecordedEvent } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { resendEvent, useDepositEvents } from '../../data/deposit.ts'
import { typeName } from '../../data/event-types.ts'
import { useMay } from '../../data/profile.ts'
import { useEndpoints } from '../../data/webhooks.ts'
import { Button } from '../../parts/button.tsx'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { Empty, Failure, messageOf, Skeleton } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { sentence, t } from '../../text/text.ts'
import styles from './deposits.module.css'

const TONES: Readonly<Record<RecordedEvent['delivery']['state'], Tone>> = {
  none: 'neutral',
  pending: 'info',
  delivered: 'success',
  failed: 'danger',
}

/** The events of a deposit with their deliveries. */
export function DepositEvents({ id }: { id: string }) {
  const { data, error, refetch } = useDepositEvents(id)
  const canSend = useMay('sendEvents')
  const { data: endpoints = [] } = useEndpoints()
  if (data === undefined)
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton lines={2} />
  if (data.length === 0) return <Empty title={t('deposit.noEvents')} />
  return (
    <>
      <Table
        caption={t('deposit.events')}
        rows={data}
        keyOf={(event) => event.id}
        columns={canSend ? [...COLUMNS, SEND] : COLUMNS}
      />
      {endpoints.length > 1 && <p className={styles['note']}>{t('deposit.otherEndpoints')}</p>}
    </>
  )
}

const COLUMNS: readonly Column<RecordedEvent>[] = [
  {
    header: t('deposit.event'),
    cell: ({ id, type }) => <Link href={`/events/${id}`}>{typeName(type)}</Link>,
  },
  { header: t('deposit.happened'), cell: ({ timestamp }) => <Time iso={timestamp} /> },
  { header: t('deposit.deliveryState'), cell: ({ delivery }) => <Delivery delivery={delivery} /> },
  {
    header: t('deposit.attempts'),
    isNumber: true,
    cell: ({ delivery }) => delivery.attemptCount,
  },
]

const SEND: Column<RecordedEvent> = {
  header: t('deposit.action'),
  cell: (event) => <Resend event={event} />,
}

function Delivery({ delivery }: { delivery: RecordedEvent['delivery'] }) {
  const { state, lastError, nextAttemptAt, finishedAt } = delivery
  const at = state === 'pending' ? nextAttemptAt : finishedAt
  return (
    <span className={styles['status']}>
      <Chip tone={TONES[state]}>{t(`deposit.delivery.${state}`)}</Chip>
      <span className={styles['progress']}>
        {sentence(lastError)} {state === 'pending' && at !== null && t('deposit.next')}{' '}
        {at !== null && <Time iso={at} />}
      </span>
    </span>
  )
}

function Resend({ event: { id, type } }: { event: RecordedEvent }) {
  const sending = useMutation({
    mutationFn: () => resendEvent(id),
    onSuccess: () => say(t('deposit.sent', { type: typeName(type) })),
    onError: (error) => say(messageOf(error), 'danger'),
  })
  return (
    <Button
      onClick={() => sending.mutate()}
      isBusy={sending.isPending}
      aria-label={t('deposit.sendAgainOf', { type: typeName(type) })}
    >
      {t('deposit.sendAgain')}
    </Button>
  )
}
