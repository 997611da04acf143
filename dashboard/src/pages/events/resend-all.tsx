import type { EventCount, RedeliveryCount } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { type EventFilters, resendOf } from '../../data/event-facts.ts'
import { refreshEvents, useEventCount } from '../../data/events.ts'
import { hostOf } from '../../data/endpoints.ts'
import { useEndpoints } from '../../data/webhooks.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import type { FilterField } from '../../parts/filter-bar.tsx'
import { FormActions } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Failure } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'

interface ResendAllProps {
  filters: EventFilters
  fields: readonly FilterField<keyof EventFilters>[]
  onClose: () => void
}

/** The service answers when all events are queued, and keeps the connection alive until then. */
const ANSWER_MS = 30 * 60_000

/** Sends every event of a filter again, after their number was confirmed. */
export function ResendAll({ filters, fields, onClose }: ResendAllProps) {
  const target = useTarget(filters)
  const counted = useEventCount(filters)
  const resend = useMutation({
    mutationFn: () => client.events.redeliverAll(resendOf(filters), { timeoutMs: ANSWER_MS }),
    onSettled: refreshEvents,
  })
  if (resend.data !== undefined)
    return (
      <Dialog title={t('events.resendAllTitle')} isOpen onClose={onClose}>
        <Result result={resend.data} target={target} />
        <FormActions>
          <Button look="primary" onClick={onClose}>
            {t('done')}
          </Button>
        </FormActions>
      </Dialog>
    )
  return (
    <Dialog
      title={t('events.resendAllTitle')}
      description={t('events.resendAllWhy')}
      isOpen
      onClose={onClose}
    >
      <Selection filters={filters} fields={fields} counted={counted.data} />
      {counted.error !== null && (
        <Failure error={counted.error} onRetry={() => void counted.refetch()} />
      )}
      {resend.isPending && <p role="status">{t('events.resending')}</p>}
      {resend.error !== null && <Failure error={resend.error} />}
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        {counted.data !== undefined && counted.data.redeliverable > 0 && (
          <Button look="primary" isBusy={resend.isPending} onClick={() => resend.mutate()}>
            {actionText(counted.data)}
          </Button>
        )}
      </FormActions>
    </Dialog>
  )
}

/** What is sent, and how many events that are. */
function Selection({
  filters,
  fields,
  counted,
}: Pick<ResendAllProps, 'filters' | 'fields'> & { counted: EventCount | undefined }) {
  const { url } = useTarget(filters)
  return (
    <Facts
      facts={[
        [t('events.resendFilter'), <Conditions key="f" filters={filters} fields={fields} />],
        [t('events.resendTo'), url === '' ? t('webhooks.noUrl') : url],
        [
          t('events.matching'),
          <span key="count" role="status">
            {counted === undefined ? t('events.counting') : countText(counted)}
          </span>,
        ],
      ]}
    />
  )
}

/** The endpoint that a resend goes to. */
interface Target {
  url: string
  isPaused: boolean
  pendingDeliveries: number
}

function useTarget({ endpointId }: EventFilters): Target {
  const { data: endpoints } = useEndpoints()
  const found = endpoints?.find(({ id, isDefault }) =>
    endpointId === undefined ? isDefault : id === endpointId,
  )
  const { url = '', state, pendingDeliveries = 0 } = found ?? {}
  return {
    url,
    isPaused: state === 'paused',
    pendingDeliveries,
  }
}

function Conditions({ filters, fields }: Pick<ResendAllProps, 'filters' | 'fields'>) {
  const conditions = fields.flatMap(({ name, label, options }) => {
    const value = filters[name]
    if (value === undefined || name === 'endpointId') return []
    return [`${label}: ${options?.find(([one]) => one === value)?.[1] ?? value}`]
  })
  if (conditions.length === 0) return t('events.resendEverything')
  return conditions.map((condition) => <div key={condition}>{condition}</div>)
}

function countText({ redeliverable: count, isAtLeast }: EventCount): string {
  if (count === 0) return t('events.nothing')
  return isAtLeast ? t('events.atLeast', { count }) : String(count)
}

function actionText({ redeliverable: count, isAtLeast }: EventCount): string {
  return isAtLeast ? t('events.resendAtLeast', { count }) : t('events.resendCount', { count })
}

function Result({
  result: { count, underWay },
  target: { url, isPaused, pendingDeliveries },
}: {
  result: RedeliveryCount
  target: Target
}) {
  const host = hostOf(url)
  const isDone = pendingDeliveries === 0
  return (
    <Notice tone={isPaused ? 'warning' : 'success'} title={t('events.resentTitle', { count })}>
      {underWay > 0 && <p>{t('events.underWay', { count: underWay })}</p>}
      {isPaused && <p>{t('events.pausedTarget', { host })}</p>}
      <p role="status">
        {isDone
          ? t('events.progressDone', { host })
          : t('events.progress', { count: pendingDeliveries, host })}
      </p>
    </Notice>
  )
}
