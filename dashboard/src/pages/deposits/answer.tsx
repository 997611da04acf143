import type { ReactNode } from 'react'
import type { TraceCode } from '../../data/trace-codes.ts'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'
import styles from './deposits.module.css'
import { toneOf } from './outcome.ts'

/** The reason why a payment is credited or not, in words, and the next action. */
export function Answer({
  code,
  text,
  children,
}: {
  code: TraceCode
  /** Null or empty if the title says everything. */
  text: string | null
  children?: ReactNode
}) {
  return (
    <Notice tone={toneOf(code)} title={t(`trace.code.${code}`)}>
      <div className={styles['next']}>
        {text !== null && text !== '' && <p>{text}</p>}
        <p>
          <b>{t('trace.nextLabel')}</b> {t(`trace.next.${code}`)}
        </p>
        {children}
      </div>
    </Notice>
  )
}
