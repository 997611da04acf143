import type { UnattributedPayment } from '@sluice/client'
import { Link } from 'wouter'
import { formatAmount } from '../../data/amounts.ts'
import { AmountOn } from '../../parts/amount-on.tsx'
import { Button } from '../../parts/button.tsx'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { PaidBy } from '../../parts/on-chain.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { UserLink } from '../../parts/user-link.tsx'
import { t } from '../../text/text.ts'
import styles from './unattributed.module.css'

type Payment = UnattributedPayment
type Names = ReadonlyMap<string, string>

const TONES: Readonly<Record<Payment['status'], Tone>> = {
  Waiting: 'warning',
  Proposed: 'info',
  Assigned: 'success',
}

/** The columns of the list; with `onAssign` also the action of people who may assign. */
export function columnsOf(
  names: Names,
  onAssign: ((payment: Payment) => void) | null,
): readonly Column<Payment>[] {
  const action: Column<Payment> = {
    header: t('unattributed.action'),
    cell: (payment) => <Action payment={payment} onAssign={onAssign ?? ignore} />,
  }
  return [
    { header: t('deposits.detected'), cell: (payment) => <Traced payment={payment} /> },
    {
      header: t('record.status'),
      cell: (payment) => <Status payment={payment} names={names} />,
    },
    {
      header: t('deposits.amount'),
      isNumber: true,
      cell: ({ amount, Token, chainId }) => (
        <AmountOn baseUnits={amount} unit={Token} chainId={chainId} />
      ),
    },
    {
      header: t('accounts.tag'),
      cell: ({ destinationTag }) => destinationTag ?? t('unattributed.noTag'),
    },
    { header: t('deposits.transaction'), cell: (payment) => <PaidBy payment={payment} /> },
    ...(onAssign === null ? [] : [action]),
  ]
}

function ignore(): void {}

function Traced({ payment: { chainId, txnHash, createdAt } }: { payment: Payment }) {
  return (
    <Link href={`/trace?${new URLSearchParams({ chainId, txnHash })}`}>
      <Time iso={createdAt} />
    </Link>
  )
}

/** The state, with the proposed or confirmed end user and the people who decided. */
function Status({ payment, names }: { payment: Payment; names: Names }) {
  const { externalUserId, proposedBy, assignedBy, status } = payment
  const nameOf = (id: string) => names.get(id) ?? id
  return (
    <span className={styles['cell']}>
      <Chip tone={TONES[status]}>{t(`unattributed.status.${status}`)}</Chip>
      {status !== 'Waiting' && (
        <span className={styles['muted']}>
          <UserLink userId={externalUserId} />
          <br />
          {t('unattributed.proposedBy', { name: nameOf(proposedBy) })}
          {assignedBy !== '' && `, ${t('unattributed.assignedBy', { name: nameOf(assignedBy) })}`}
        </span>
      )}
    </span>
  )
}

function Action({ payment, onAssign }: { payment: Payment; onAssign: (payment: Payment) => void }) {
  const { status, depositId, amount, Token } = payment
  if (status === 'Assigned') {
    return depositId === null ? (
      t('record.none')
    ) : (
      <Link href={`/deposits/${depositId}`}>{t('trace.openDeposit')}</Link>
    )
  }
  const key = status === 'Proposed' ? 'unattributed.review' : 'unattributed.assign'
  return (
    <Button
      onClick={() => onAssign(payment)}
      aria-label={`${t(key)}: ${formatAmount(amount, Token)}`}
    >
      {t(key)}
    </Button>
  )
}
