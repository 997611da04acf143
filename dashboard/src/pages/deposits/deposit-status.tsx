import type { Deposit } from '@sluice/client'
import { formatProgress, type Progress } from '../../data/progress.ts'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { t } from '../../text/text.ts'
import styles from './deposits.module.css'

const TONES: Readonly<Record<Deposit['status'], Tone>> = {
  Detected: 'info',
  Confirmed: 'success',
  BelowMinimum: 'warning',
  Held: 'warning',
  Orphaned: 'danger',
}

/** The status of a deposit; while it waits for blocks, with its progress. */
export function DepositStatus({
  status,
  progress,
}: {
  status: Deposit['status']
  progress?: Progress | undefined
}) {
  return (
    <span className={styles['status']}>
      <Chip tone={TONES[status]}>{t(`deposits.status.${status}`)}</Chip>
      {progress !== undefined && (
        <span className={styles['progress']}>{formatProgress(progress)}</span>
      )}
    </span>
  )
}
