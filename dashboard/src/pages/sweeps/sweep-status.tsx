import type { Sweep } from '@sluice/client'
import { formatAmount } from '../../data/amounts.ts'
import { type WaitFacts, type WaitReason, waitReason } from '../../data/sweep-wait.ts'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { t } from '../../text/text.ts'
import styles from './sweeps.module.css'

const TONES: Readonly<Record<Sweep['status'], Tone>> = {
  Waiting: 'warning',
  Sent: 'info',
  Done: 'success',
  Failed: 'danger',
}

/** The state of a sweep, with the reason why it waits or failed. */
export function SweepStatus({ sweep, facts }: { sweep: Sweep; facts: WaitFacts }) {
  const { status, error } = sweep
  const reason =
    status === 'Waiting' ? wordsOf(waitReason(sweep, facts)) : status === 'Failed' ? error : ''
  return (
    <span className={styles['status']}>
      <Chip tone={TONES[status]}>{t(`sweeps.status.${status}`)}</Chip>
      {reason !== '' && <span className={styles['reason']}>{reason}</span>}
    </span>
  )
}

function wordsOf(reason: WaitReason): string {
  if (reason.kind === 'chain') return t(`sweeps.wait.${reason.condition}`)
  if (reason.wallet === null) return t('sweeps.wait.turn')
  const { spendable, Chain } = reason.wallet
  const { nativeCurrency: symbol, decimals } = Chain.properties
  const amount = formatAmount(spendable, { symbol, decimals })
  return t(reason.kind === 'noGas' ? 'sweeps.wait.noGas' : 'sweeps.wait.gas', { amount })
}
