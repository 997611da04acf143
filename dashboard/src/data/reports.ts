import { sumOf } from './amounts.ts'
import type { client } from './client.ts'
import { daysOfMonth } from './months.ts'

type Statement = Awaited<ReturnType<typeof client.reports.statement>>
/** The month of one token on one chain. */
export type StatementLine = Statement['statement'][number]
/** One UTC day of one token on one chain. */
export type DayStats = Awaited<ReturnType<typeof client.reports.stats>>[number]

/** The month of a report, and the chain and token that it is limited to. */
export interface ReportFilter {
  month: string
  chainId?: string
  tokenId?: string
}

/** The query of the days; `to` names the last moment of its day. */
export function statsQuery<Filter extends { to: string }>({ to, ...filter }: Filter) {
  return { ...filter, to: `${to}T23:59:59.999Z` }
}

/** The days of a report. */
export function daysOf({ month, ...filter }: ReportFilter) {
  return { ...daysOfMonth(month), ...filter }
}

/** The amounts of a line that its closing balance is the sum of. */
type Amounts = 'opening' | 'deposits' | 'fundings' | 'withdrawals' | 'fees' | 'corrections'

/** The closing balance that the other amounts of a line add up to. */
export function closingOf(line: Pick<StatementLine, Amounts>): string {
  const { opening, deposits, fundings, withdrawals, fees, corrections } = line
  return sumOf([opening, deposits, fundings, negated(withdrawals), negated(fees), corrections])
}

/** The balance before the postings of a day. */
export function openingOf({ closing, ...day }: DayStats): string {
  const change = closingOf({ ...day, opening: '0' })
  return sumOf([closing, negated(change)])
}

function negated(amount: string): string {
  return (-BigInt(amount)).toString()
}

/** Whether all amounts of a line are 0. */
export function isBlank(line: Pick<StatementLine, Amounts | 'closing'>): boolean {
  const { opening, closing, deposits, fundings, withdrawals, fees, corrections } = line
  const amounts = [opening, closing, deposits, fundings, withdrawals, fees, corrections]
  return amounts.every((amount) => amount === '0')
}
