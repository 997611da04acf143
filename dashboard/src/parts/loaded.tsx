import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Stale } from './list.tsx'
import { Failure, Skeleton } from './states.tsx'

/**
 * The answer of a query with its states: loading, failed, and older than it should be. A part of a
 * page that fails leaves the other parts alone.
 */
export function Loaded<Answer>({
  query,
  lines,
  children,
}: {
  query: Pick<UseQueryResult<Answer>, 'data' | 'error' | 'refetch'>
  /** Lines of the skeleton. */
  lines?: number
  children: (answer: Answer) => ReactNode
}) {
  const { data, error } = query
  const retry = () => void query.refetch()
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={retry} />
    ) : (
      <Skeleton {...(lines !== undefined && { lines })} />
    )
  return (
    <>
      {error !== null && <Stale error={error} onRetry={retry} />}
      {children(data)}
    </>
  )
}
