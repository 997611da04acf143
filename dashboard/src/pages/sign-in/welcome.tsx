import { type ReactNode, useEffect } from 'react'
import { t } from '../../text/text.ts'
import styles from './welcome.module.css'

/** A page without the menu, for people who do not work with the dashboard yet. */
export function Welcome({
  title,
  isWide = false,
  children,
}: {
  title: string
  /** For more than a few fields. */
  isWide?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    document.title = t('pageTitle', { title })
  }, [title])
  return (
    <main className={styles['page']}>
      <div className={`${styles['card']} ${isWide ? styles['wide'] : ''}`}>
        <p className={styles['brand']}>{t('brand')}</p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
