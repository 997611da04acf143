import type { ReactNode } from 'react'
import styles from './setting.module.css'

/** A setting in a sentence, with the button that changes it. */
export function Setting({
  title,
  text,
  children,
}: {
  /** Absent if the button says it. */
  title?: string
  text: string
  children: ReactNode
}) {
  return (
    <div className={styles['setting']}>
      <div>
        {title !== undefined && <h3>{title}</h3>}
        <p>{text}</p>
      </div>
      {children}
    </div>
  )
}
