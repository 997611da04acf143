import { encode } from 'uqr'
import styles from './qr.module.css'

const MARGIN = 4

/** A QR code of a text, always dark on light, so that every scanner reads it. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: MARGIN })
  const path = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  )
  return (
    <svg className={styles['qr']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join('')} />
    </svg>
  )
}
