import type { ReactNode } from 'react'
import styles from './stack.module.css'

/** A value with what explains it in small letters beneath, for cells of tables. */
export function Stack({ minor, children }: { minor?: ReactNode | undefined; children: ReactNode }) {
  return (
    <span className={styles['stack']}>
      <span>{children}</span>
      {minor !== undefined && minor !== '' && <span className={styles['minor']}>{minor}</span>}
    </span>
  )
}
