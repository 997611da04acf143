import type { ReactNode } from 'react'
import styles from './hidden.module.css'

/** A text for screen readers alone. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles['hidden']}>{children}</span>
}
