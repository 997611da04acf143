import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { t } from '../text/text.ts'
import { Icon } from './icon.tsx'
import styles from './page.module.css'

interface PageProps {
  title: string
  /** One sentence on what the page is for. */
  lead?: ReactNode
  /** The list that this record belongs to. */
  back?: { href: string; text: string }
  /** Buttons at the end of the heading. */
  actions?: ReactNode
  children: ReactNode
}

/** A page: its heading gets the focus when it opens, so that a screen reader announces the page. */
export function Page({ title, lead, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = t('pageTitle', { title })
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div>
          {back !== undefined && (
            <Link href={back.href} className={styles['back']}>
              <Icon name="back" />
              {back.text}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A framed part of a page with its heading. */
export function Card({
  title,
  actions,
  isFlush = false,
  children,
}: {
  title?: ReactNode
  actions?: ReactNode
  /** Without space at the sides, for tables. */
  isFlush?: boolean
  children: ReactNode
}) {
  return (
    <section className={styles['card']}>
      {title !== undefined && (
        <div className={styles['cardHead']}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      <div className={isFlush ? styles['flush'] : styles['body']}>{children}</div>
    </section>
  )
}

/** Cards side by side where the page is wide enough. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles['columns']}>{children}</div>
}
