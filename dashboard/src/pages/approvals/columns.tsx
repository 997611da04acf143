import type { Withdrawal } from '@sluice/client'
import { Link } from 'wouter'
import { formatAge } from '../../data/times.ts'
import { useNames } from '../../data/names.ts'
import { Short } from '../../parts/address.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { Chip } from '../../parts/chip.tsx'
import type { Column } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { Approvals } from '../withdrawals/status.tsx'
import { TokenAmount } from '../withdrawals/token-amount.tsx'
import styles from './approvals.module.css'

interface Choice {
  chosen: ReadonlySet<string>
  toggle: (id: string) => void
}

/** The columns of the inbox; with boxes if several can be chosen. */
export function columnsOf(choice: Choice | undefined): readonly Column<Withdrawal>[] {
  return [
    {
      header: t('approvals.payment'),
      cell: (withdrawal) => <PaymentCell withdrawal={withdrawal} choice={choice} />,
    },
    { header: t('withdrawals.chain'), cell: ({ chainId }) => <ChainName chainId={chainId} /> },
    {
      header: t('withdrawals.recipient'),
      cell: ({ recipient, memo }) => (
        <span className={styles['lines']}>
          <Short value={recipient} what={t('withdrawals.recipient')} />
          {memo !== null && (
            <span className={styles['muted']}>{t('approvals.memo', { memo })}</span>
          )}
        </span>
      ),
    },
    {
      header: t('withdrawal.initiator'),
      cell: ({ initiator, createdAt }) => (
        <span className={styles['lines']}>
          <Person userId={initiator} />
          <span className={styles['muted']}>{formatAge(createdAt, Date.now())}</span>
        </span>
      ),
    },
    {
      header: t('approvals.soFar'),
      cell: (withdrawal) => (
        <Chip tone="warning" icon="approve">
          <Approvals withdrawal={withdrawal} />
        </Chip>
      ),
    },
  ]
}

function PaymentCell({
  withdrawal: { id, tokenId, amount, reference },
  choice,
}: {
  withdrawal: Withdrawal
  choice: Choice | undefined
}) {
  return (
    <span className={styles['payment']}>
      {choice !== undefined && (
        <input
          type="checkbox"
          aria-label={t('approvals.choose', { reference })}
          checked={choice.chosen.has(id)}
          onChange={() => choice.toggle(id)}
        />
      )}
      <span className={styles['lines']}>
        <Link href={`/approvals/${id}`} className={styles['amount'] ?? ''}>
          <TokenAmount tokenId={tokenId} amount={amount} />
        </Link>
        <bdi className={styles['reference']} title={reference}>
          {reference}
        </bdi>
      </span>
    </span>
  )
}

function Person({ userId }: { userId: string }) {
  const names = useNames()
  if (names === undefined) return null
  return names.get(userId) ?? t('approvals.apiKey')
}
