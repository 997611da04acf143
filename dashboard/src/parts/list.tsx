import type { Page } from '@sluice/client'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Filters } from '../data/filters.ts'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import styles from './list.module.css'
import { Empty, Failure, messageOf, Skeleton } from './states.tsx'
import { type Column, Pager, Table } from './table.tsx'

interface ListProps<Row> {
  caption: string
  query: UseQueryResult<Page<Row>>
  filters: Pick<Filters<string>, 'cursor' | 'turnTo' | 'isFiltered' | 'clear'>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** Shown if there is no record at all. */
  empty: ReactNode
  /** Shown if the filters match no record; a button that clears them by default. */
  noMatch?: ReactNode
}

/** A list with its states: loading, failed, empty, no match, stale, and pages. */
export function List<Row>({
  caption,
  query,
  filters,
  columns,
  keyOf,
  empty,
  noMatch,
}: ListProps<Row>) {
  const { data, error, isPlaceholderData } = query
  const retry = () => void query.refetch()
  if (data === undefined) return error ? <Failure error={error} onRetry={retry} /> : <Skeleton />
  if (data.items.length === 0) {
    const isAll = !filters.isFiltered && filters.cursor === undefined
    return isAll ? empty : noMatch || <NoMatch onClear={filters.clear} />
  }
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? styles['old'] : undefined}>
      {error !== null && <Stale error={error} onRetry={retry} />}
      <Table caption={caption} columns={columns} rows={data.items} keyOf={keyOf} />
      <Pager cursor={filters.cursor} nextCursor={data.nextCursor} onTurn={filters.turnTo} />
    </div>
  )
}

/** The data on the page is older than it should be. */
export function Stale({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={styles['stale']} role="status">
      <span>{t('states.stale', { reason: messageOf(error) })}</span>
      <Button onClick={onRetry}>{t('states.retry')}</Button>
    </div>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      title={t('states.noMatch')}
      action={<Button onClick={onClear}>{t('filters.clear')}</Button>}
    >
      {t('states.noMatchWhy')}
    </Empty>
  )
}
