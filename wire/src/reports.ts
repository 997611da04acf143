import { type Static, Type } from 'typebox'
import { TokenSummary } from './catalogue.ts'
import type { Operation } from './define.ts'
import { CHAIN_NAME, SYMBOL, amount, columns } from './exports.ts'
import { ETHER, SEPOLIA } from './examples.ts'
import { baseUnits, count, text, timestamp } from './fields.ts'
import { ChainFilter, MONTH, TimeFilter, TokenFilter } from './parameters.ts'

const CHAIN = text('The chain: a CAIP-2 id.')
const TOKEN = text('The token: a CAIP-19 id.')
const MONTH_TEXT = text('The month in UTC: YYYY-MM.')

/** Why the credited balance of a token changes. Reorged blocks count as negative. */
const Flows = {
  deposits: baseUnits('Credited to end users, less deposits that a reorg took back.'),
  fundings: baseUnits('Sent by the organization to its settlement addresses and gas wallets.'),
  withdrawals: baseUnits('Paid by withdrawals that a block contains.'),
  fees: baseUnits('Network fees of withdrawals, sweeps and top-ups.'),
  corrections: baseUnits('Differences between the ledger and a chain that an audit booked.'),
}

/** The month of one token on one chain. `closing` is the sum of the other amounts. */
export const StatementLine = Type.Object({
  month: MONTH_TEXT,
  chainId: CHAIN,
  tokenId: TOKEN,
  opening: baseUnits('Credited balance at the beginning of the month.'),
  ...Flows,
  closing: baseUnits(
    'opening + deposits + fundings - withdrawals - fees + corrections: the credited balance at ' +
      'the end of the month.',
  ),
  Token: TokenSummary,
})
export type StatementLine = Static<typeof StatementLine>

/** One UTC day of one token on one chain. */
export const DayStats = Type.Object({
  day: text('The day in UTC: YYYY-MM-DD.'),
  chainId: CHAIN,
  tokenId: TOKEN,
  depositCount: count('Number of deposits that were credited.'),
  withdrawalCount: count('Number of withdrawals that a block contains.'),
  ...Flows,
  closing: baseUnits('Credited balance at the end of the day.'),
  Token: TokenSummary,
})
export type DayStats = Static<typeof DayStats>

const FLOW_COLUMNS = ['deposits', 'fundings', 'withdrawals', 'fees', 'corrections', 'closing']
const LINE: StatementLine = {
  month: '2026-01',
  chainId: SEPOLIA,
  tokenId: ETHER.id,
  opening: '1000000000000000000',
  deposits: '250000000000000000',
  fundings: '0',
  withdrawals: '100000000000000000',
  fees: '420000000000000',
  corrections: '0',
  closing: '1149580000000000000',
  Token: ETHER,
}
const { month: _month, opening: _opening, ...FLOWS } = LINE
const DAY: DayStats = { day: '2026-01-31', ...FLOWS, depositCount: 2, withdrawalCount: 1 }

export const REPORT_OPERATIONS = {
  getStatement: {
    method: 'GET',
    path: '/reports/statement',
    tag: 'Reports',
    summary: 'Returns the statement of a month, by chain and token',
    description:
      'Each line adds up to the base unit. The credited balance is what the organization may ' +
      'use: `available`, `reserved`, `heldForFees` and `gas` of `GET /portfolio`, without ' +
      'deposits that are unconfirmed, held, below the minimum or unattributed. A posting belongs ' +
      'to the UTC month in which it was booked, so a complete month never changes.',
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      month: MONTH,
      chainId: ChainFilter,
      tokenId: TokenFilter,
    }),
    responses: {
      200: Type.Object({
        month: MONTH_TEXT,
        from: timestamp('The beginning of the month.'),
        to: timestamp('The end of the month, exclusive.'),
        isComplete: Type.Boolean({
          description: 'Whether the month has ended; otherwise `closing` is the current balance.',
        }),
        statement: Type.Array(StatementLine),
      }),
    },
    errors: [],
    export: {
      name: 'statement',
      columns: [
        ...columns('month', 'chainId'),
        CHAIN_NAME,
        ...columns('tokenId'),
        SYMBOL,
        ...['opening', ...FLOW_COLUMNS].flatMap((name) => amount(name)),
      ],
    },
    example: {
      query: { month: '2026-01' },
      answers: {
        200: {
          month: '2026-01',
          from: '2026-01-01T00:00:00.000Z',
          to: '2026-02-01T00:00:00.000Z',
          isComplete: true,
          statement: [LINE],
        },
      },
    },
  },
  getStats: {
    method: 'GET',
    path: '/stats',
    tag: 'Reports',
    summary: 'Returns sums by UTC day, chain and token',
    description:
      'Oldest day first; days of a token without postings are left out. Without `from` the 30 ' +
      'days before `to`, without `to` until now; at most 366 days. The amounts are those of ' +
      '`GET /reports/statement`.',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ ...TimeFilter, chainId: ChainFilter, tokenId: TokenFilter }),
    responses: { 200: Type.Object({ stats: Type.Array(DayStats) }) },
    errors: [],
    export: {
      name: 'stats',
      columns: [
        ...columns('day', 'chainId'),
        CHAIN_NAME,
        ...columns('tokenId'),
        SYMBOL,
        ...columns('depositCount', 'withdrawalCount'),
        ...FLOW_COLUMNS.flatMap((name) => amount(name)),
      ],
    },
    example: {
      query: { from: '2026-01-01', to: '2026-01-31' },
      answers: { 200: { stats: [DAY] } },
    },
  },
} as const satisfies Record<string, Operation>
