import type { FormEvent, ReactNode } from 'react'
import styles from './form.module.css'

/** Fields one below the other. */
export function Form({
  onSubmit,
  children,
}: {
  onSubmit: (event: FormEvent) => void
  children: ReactNode
}) {
  return (
    <form className={styles['form']} onSubmit={onSubmit}>
      {children}
    </form>
  )
}

/** The buttons of a form; the main one comes last. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}
