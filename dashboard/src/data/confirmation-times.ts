import type { Deposit } from '@sluice/client'
import type { Column, Series } from './day-charts.ts'
import { groupBy } from './groups.ts'

const SERIES_MAX = 6
/** The upper ends of the columns in seconds; the last column has none. */
const BUCKETS = [5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, Number.POSITIVE_INFINITY]

/** How long a deposit took from its detection to its credit, in whole seconds. */
export interface ConfirmationTime {
  chainId: string
  seconds: number
}

/** The times of deposits that are credited. */
export function timesOf(
  deposits: readonly Pick<Deposit, 'chainId' | 'createdAt' | 'confirmedAt'>[],
): ConfirmationTime[] {
  return deposits.flatMap(({ chainId, createdAt, confirmedAt }) => {
    if (confirmedAt === null) return []
    const seconds = Math.round((Date.parse(confirmedAt) - Date.parse(createdAt)) / 1000)
    return [{ chainId, seconds: Math.max(0, seconds) }]
  })
}

/** A column of the histogram: times above `from` up to `to`, in seconds. */
export interface Bucket {
  from: number
  /** Infinity in the last column. */
  to: number
}

/**
 * A histogram stacked by chain, without empty columns at its ends. Chains with the fewest deposits
 * share the last series.
 */
export function histogramOf(
  times: readonly ConfirmationTime[],
  words: { labelOf(bucket: Bucket): string; nameOf(chainId: string): string; others: string },
): { series: Series[]; columns: Column[] } {
  const ranked = [...groupBy(times, ({ chainId }) => chainId)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([chainId]) => chainId)
  const own = ranked.length <= SERIES_MAX ? ranked : ranked.slice(0, SERIES_MAX - 1)
  const series = own.map((key) => ({ key, name: words.nameOf(key) }))
  if (own.length < ranked.length) series.push({ key: 'others', name: words.others })
  const columns = BUCKETS.map((to, index) => {
    const from = BUCKETS[index - 1] ?? 0
    const values: Record<string, number> = {}
    for (const { chainId } of times.filter(({ seconds }) => isWithin(seconds, { from, to }))) {
      const key = own.includes(chainId) ? chainId : 'others'
      values[key] = (values[key] ?? 0) + 1
    }
    return { label: words.labelOf({ from, to }), values }
  })
  return { series, columns: withoutEmptyEnds(columns) }
}

function isWithin(seconds: number, { from, to }: Bucket): boolean {
  return seconds <= to && (seconds > from || from === 0)
}

function withoutEmptyEnds(columns: readonly Column[]): Column[] {
  const isFilled = ({ values }: Column) => Object.keys(values).length > 0
  const first = columns.findIndex(isFilled)
  return first === -1 ? [] : columns.slice(first, columns.findLastIndex(isFilled) + 1)
}

/** The time that a share of the deposits did not exceed, in seconds; null without deposits. */
export function quantile(times: readonly ConfirmationTime[], share: number): number | null {
  const sorted = times.map(({ seconds }) => seconds).toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
