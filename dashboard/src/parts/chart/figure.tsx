import { type ReactNode, useState } from 'react'
import { t } from '../../text/text.ts'
import { Button } from '../button.tsx'
import styles from './chart.module.css'

/**
 * A chart with what it shows in words, and a table of the same numbers instead of it on demand.
 * `note` says what a reader must know, such as the time zone.
 */
export function Figure({
  title,
  summary,
  note,
  chart,
  table,
}: {
  title: string
  summary: ReactNode
  note?: ReactNode
  chart: ReactNode
  table: ReactNode
}) {
  const [isTable, setTable] = useState(false)
  return (
    <figure className={styles['figure']} aria-label={title}>
      <div className={styles['head']}>
        <figcaption className={styles['summary']}>{summary}</figcaption>
        <Button look="quiet" onClick={() => setTable(!isTable)}>
          {t(isTable ? 'chart.asChart' : 'chart.asTable')}
        </Button>
      </div>
      {isTable ? (
        <div className={styles['table']} role="region" aria-label={title} tabIndex={0}>
          {table}
        </div>
      ) : (
        chart
      )}
      {note !== undefined && <p className={styles['note']}>{note}</p>}
    </figure>
  )
}
