import type { SingleWithdrawal } from '@sluice/client'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { ApprovedMany } from '../../data/withdrawals.ts'
import { Chip } from '../../parts/chip.tsx'
import { Card } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { WithdrawalStatus } from '../withdrawals/status.tsx'
import { TokenAmount } from '../withdrawals/token-amount.tsx'
import styles from './batch.module.css'

/** The result of one line: approved, or refused with the reason. */
interface Line {
  withdrawal: SingleWithdrawal
  refusal: string | null
}

const COLUMNS: readonly Column<Line>[] = [
  {
    header: t('approvals.payment'),
    cell: ({ withdrawal: { id, tokenId, amount, reference } }) => (
      <span className={styles['payment']}>
        <Link href={`/withdrawals/${id}`}>
          <TokenAmount tokenId={tokenId} amount={amount} />
        </Link>
        <bdi className={styles['muted']}>{reference}</bdi>
      </span>
    ),
  },
  {
    header: t('batch.result'),
    cell: ({ refusal }) =>
      refusal === null ? (
        <Chip tone="success">{t('batch.approved')}</Chip>
      ) : (
        <span className={styles['payment']}>
          <span>
            <Chip tone="danger">{t('batch.refused')}</Chip>
          </span>
          {refusal}
        </span>
      ),
  },
  {
    header: t('batch.statusNow'),
    cell: ({ withdrawal }) => <WithdrawalStatus withdrawal={withdrawal} />,
  },
]

/** The result of a batch, line by line. */
export function BatchResult({
  result,
  withdrawals,
}: {
  result: ApprovedMany
  withdrawals: readonly SingleWithdrawal[]
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  const approved = new Set(result.withdrawals.map(({ id }) => id))
  const refusals = new Map(result.refused.map((one) => [one.id, wordsOf(one)]))
  const lines = withdrawals.flatMap((withdrawal): Line[] => {
    const refusal = refusals.get(withdrawal.id) ?? null
    return refusal === null && !approved.has(withdrawal.id) ? [] : [{ withdrawal, refusal }]
  })
  return (
    <div ref={place} tabIndex={-1} className={styles['result']}>
      <Card
        title={t('batch.done', { approved: approved.size, refused: refusals.size })}
        actions={<Link href="/approvals">{t('approvals.toInbox')}</Link>}
        isFlush
      >
        <Table
          caption={t('batch.results')}
          columns={COLUMNS}
          rows={lines}
          keyOf={({ withdrawal }) => withdrawal.id}
        />
      </Card>
    </div>
  )
}

const KNOWN = [
  'WITHDRAWAL_NOT_PENDING',
  'WITHDRAWAL_ALREADY_PROCESSED',
  'WITHDRAWAL_NOT_FOUND',
] as const

/** The reason of a refusal; the message of the service is for programs in part. */
function wordsOf({ error, message }: ApprovedMany['refused'][number]): string {
  const known = KNOWN.find((code) => code === error)
  return known === undefined ? message : t(`batch.refusal.${known}`)
}
