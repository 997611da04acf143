import { formatTime, formatUtc } from '../data/times.ts'
import styles from './time.module.css'

/** A time in the person's zone; its UTC time is in the tooltip. */
export function Time({ iso }: { iso: string }) {
  return (
    <time className={styles['time']} dateTime={iso} title={formatUtc(iso)}>
      {formatTime(iso)}
    </time>
  )
}
