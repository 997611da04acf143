import type { ReactNode } from 'react'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import hidden from './hidden.module.css'
import styles from './table.module.css'

/** A column of a table. */
export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Amounts and numbers are aligned at their last digit. */
  isNumber?: boolean
}

interface TableProps<Row> {
  /** The kind of its records, for a screen reader. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

/** A table that becomes a list of cards on a narrow page. The first column names the row. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className={styles['scroll']}>
      <table className={styles['table']}>
        <caption className={hidden['hidden']}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header, isNumber }) => (
              <th key={header} scope="col" className={isNumber ? styles['number'] : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) => (
                <Cell key={column.header} column={column} row={row} isName={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<Row>({
  column: { header, cell, isNumber },
  row,
  isName,
}: {
  column: Column<Row>
  row: Row
  isName: boolean
}) {
  const className = isNumber ? styles['number'] : undefined
  const content = (
    <>
      <span className={styles['label']} aria-hidden="true">
        {header}
      </span>
      <span className={styles['value']}>{cell(row)}</span>
    </>
  )
  return isName ? (
    <th scope="row" className={className}>
      {content}
    </th>
  ) : (
    <td className={className}>{content}</td>
  )
}

/** The pages of a list. The browser's Back also returns to the page before. */
export function Pager({
  cursor,
  nextCursor,
  onTurn,
}: {
  cursor: string | undefined
  nextCursor: string | null
  onTurn: (cursor: string | null) => void
}) {
  if (cursor === undefined && nextCursor === null) return null
  return (
    <nav className={styles['pager']} aria-label={t('table.pages')}>
      <Button onClick={() => onTurn(null)} disabled={cursor === undefined}>
        <Icon name="back" />
        {t('table.first')}
      </Button>
      <Button onClick={() => onTurn(nextCursor)} disabled={nextCursor === null}>
        {t('table.next')}
        <Icon name="forward" />
      </Button>
    </nav>
  )
}
