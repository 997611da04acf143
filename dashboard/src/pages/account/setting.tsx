import type { ReactNode } from 'react'
import styles from './account.module.css'

/** A setting in a sentence, with the button that changes it. */
export function Setting({
  title,
  text,
  children,
}: {
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <div className={styles['setting']}>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {children}
    </div>
  )
}
