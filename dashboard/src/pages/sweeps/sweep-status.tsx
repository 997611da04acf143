import type { Sweep } from '@sluice/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatAmount } from '../../data/amounts.ts'
import { Amount } from '../../parts/amount.tsx'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { Time } from '../../parts/time.tsx'
import { sentence, t } from '../../text/text.ts'
import { useNative } from '../withdrawals/transactions.tsx'
import styles from './sweeps.module.css'

const TONES: Readonly<Record<Sweep['status'], Tone>> = {
  Waiting: 'warning',
  Sent: 'info',
  Done: 'success',
  Failed: 'danger',
}

/** The state of a sweep, with the reason why it waits or failed. */
export function SweepStatus({ sweep }: { sweep: Sweep }) {
  const { status } = sweep
  const reason = reasonOf(sweep)
  return (
    <span className={styles['status']}>
      <Chip tone={TONES[status]}>{t(`sweeps.status.${status}`)}</Chip>
      {reason !== null && <span className={styles['reason']}>{reason}</span>}
    </span>
  )
}

function reasonOf({ status, error, failureCode, chainId, ...wait }: Sweep): ReactNode {
  const { waitingFor, waitingSince } = wait
  if (status === 'Failed')
    return (
      <>
        {sentence(error)} {failureCode !== null && <code>{failureCode}</code>}
      </>
    )
  if (status !== 'Waiting') return null
  if (waitingFor === null || waitingSince === null) return t('sweeps.wait.turn')
  const href = pageOf(waitingFor, chainId)
  const text = t(`sweeps.wait.${waitingFor}`)
  return (
    <>
      {href === null ? text : <Link href={href}>{text}</Link>} {t('sweeps.wait.since')}{' '}
      <Time iso={waitingSince} />
    </>
  )
}

/** The page that shows what a sweep waits for; null without one. */
function pageOf(waitingFor: Sweep['waitingFor'], chainId: string): string | null {
  if (waitingFor === 'gas') return '/gas-station'
  return waitingFor === 'chain' ? `/chains/${chainId}` : null
}

/** The fee that was paid, or the most that may be. */
export function SweepFee({ sweep: { chainId, fee, maxFee } }: { sweep: Sweep }) {
  const native = useNative(chainId)
  if (native === null || maxFee === null) return t('record.none')
  if (fee !== null) return <Amount baseUnits={fee} unit={native} />
  return t('sweeps.feeMost', { amount: formatAmount(maxFee, native) })
}
