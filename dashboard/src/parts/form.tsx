import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import styles from './form.module.css'

/** Fields one below the other. After a refusal the first wrong field gets the focus. */
export function Form({
  onSubmit,
  error,
  children,
}: {
  onSubmit: (event: FormEvent) => void
  /** The last refusal. */
  error?: unknown
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  return (
    <form ref={form} className={styles['form']} onSubmit={onSubmit}>
      {children}
    </form>
  )
}

/** The buttons of a form; the main one comes last. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}
