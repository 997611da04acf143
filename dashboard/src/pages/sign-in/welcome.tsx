import { type ReactNode, useEffect } from 'react'
import { t } from '../../text/text.ts'
import styles from './welcome.module.css'

/** A page for people without a session. */
export function Welcome({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = t('pageTitle', { title })
  }, [title])
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <p className={styles['brand']}>{t('brand')}</p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
