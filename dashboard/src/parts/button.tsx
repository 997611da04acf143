import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  look?: Look
  /** While true the button does nothing; it stays focusable. */
  isBusy?: boolean
}

/** A button; `primary` is the one main action of a page or dialog. */
export function Button({ look = 'plain', isBusy = false, type, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={classOf(look)}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  )
}

/** A link to another page that looks like a button. */
export function LinkButton({
  href,
  look = 'plain',
  children,
}: {
  href: string
  look?: Look
  children: ReactNode
}) {
  return (
    <Link href={href} className={classOf(look)}>
      {children}
    </Link>
  )
}

function classOf(look: Look): string {
  return `${styles['button']} ${styles[look]}`
}
