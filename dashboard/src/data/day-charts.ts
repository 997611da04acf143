import { sumOf } from './amounts.ts'
import { groupBy } from './groups.ts'
import { openingOf, type DayStats } from './reports.ts'

/** A part of a stacked chart. */
export interface Series {
  key: string
  name: string
}

/** A column of a stacked chart: a number for each series. */
export interface Column {
  label: string
  values: Readonly<Record<string, number>>
}

/** The series that several tokens share. */
const OTHERS = 'others'
const SERIES_MAX = 6

/**
 * Deposits by day, stacked by token. Amounts of different tokens cannot be added, so the columns
 * count deposits. Tokens with the most deposits get a series; the rest share the last one.
 */
export function depositColumns(
  stats: readonly DayStats[],
  {
    days,
    nameOf,
    others,
  }: { days: readonly string[]; nameOf: (tokenId: string) => string; others: string },
): { series: Series[]; columns: Column[] } {
  const paid = stats.filter(({ depositCount }) => depositCount > 0)
  const byToken = [...groupBy(paid, ({ tokenId }) => tokenId)].map(([tokenId, ofToken]) => ({
    tokenId,
    count: total(ofToken.map(({ depositCount }) => depositCount)),
  }))
  const ranked = byToken.toSorted((a, b) => b.count - a.count).map(({ tokenId }) => tokenId)
  const own = ranked.length <= SERIES_MAX ? ranked : ranked.slice(0, SERIES_MAX - 1)
  const keyOf = (tokenId: string) => (own.includes(tokenId) ? tokenId : OTHERS)
  const series = own.map((key) => ({ key, name: nameOf(key) }))
  if (own.length < ranked.length) series.push({ key: OTHERS, name: others })
  const byDay = groupBy(paid, ({ day }) => day)
  const columns = days.map((day) => {
    const values: Record<string, number> = {}
    for (const { tokenId, depositCount } of byDay.get(day) ?? []) {
      const key = keyOf(tokenId)
      values[key] = (values[key] ?? 0) + depositCount
    }
    return { label: day, values }
  })
  return { series, columns }
}

/** The sum of a column. */
export function heightOf({ values }: Column): number {
  return total(Object.values(values))
}

/** A balance at the end of a day, in base units. */
export interface DayBalance {
  day: string
  balance: string
}

/** The balances of one token, for each day of the chart. */
export interface BalanceLine {
  tokenId: string
  chainId: string
  token: DayStats['Token']
  points: DayBalance[]
}

/**
 * The balance of each token at the end of each day, tokens in the order of their ids. A day without
 * postings has the balance of the day before; days before the first posting have the balance
 * before it.
 */
export function balanceLines(stats: readonly DayStats[], days: readonly string[]): BalanceLine[] {
  const byToken = [...groupBy(stats, ({ tokenId }) => tokenId)]
  const sorted = byToken.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.flatMap(([tokenId, ofToken]) => {
    const [first] = ofToken
    if (first === undefined) return []
    const closings = new Map(ofToken.map(({ day, closing }) => [day, closing]))
    let balance = openingOf(first)
    const points = days.map((day) => {
      balance = closings.get(day) ?? balance
      return { day, balance }
    })
    return [{ tokenId, chainId: first.chainId, token: first.Token, points }]
  })
}

/** The largest distance of a balance from 0. */
export function extentOf(points: readonly DayBalance[]): string {
  const sizes = points.map(({ balance }) => sizeOf(BigInt(balance)))
  return sizes.reduce((most, size) => (size > most ? size : most), 0n).toString()
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}

/** Number and sum of the deposits of each token, in base units. */
export function depositedOf(stats: readonly DayStats[]) {
  return [...groupBy(stats, ({ tokenId }) => tokenId).values()].flatMap((ofToken) => {
    const count = total(ofToken.map(({ depositCount }) => depositCount))
    const [first] = ofToken
    if (first === undefined || count === 0) return []
    const { chainId, tokenId, Token: token } = first
    const amount = sumOf(ofToken.map(({ deposits }) => deposits))
    return [{ chainId, tokenId, token, count, amount }]
  })
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
