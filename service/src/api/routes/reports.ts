import { Readable } from 'node:stream'
import type { REPORT_OPERATIONS } from '@sluice/wire'
import { type Millis, iso } from '../../base/clock.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { readDays, readStatement } from '../../ledger/read-report.ts'
import { type Flows, type TokenMonth, monthOf } from '../../ledger/report.ts'
import type { Exporting } from '../http/exporting.ts'
import { badRequest } from '../http/faults.ts'
import type { Handlers } from '../http/route.ts'

const DAY_MS: Millis = 86_400_000
const DAYS_DEFAULT = 30
const DAYS_MAX = 366

export const reportRoutes: Handlers<keyof typeof REPORT_OPERATIONS> = {
  getStatement: async ({ database, catalogue, clock, exporting, caller: { orgId }, query }) => {
    const { month, ...filter } = query
    const { from, to, isComplete } = monthOf(month, clock.now())
    const lines = await database.forOrg(orgId, (tx) =>
      readStatement(tx, { ...filter, orgId, from, to }),
    )
    const statement = lines.map((line) => ({
      month,
      ...viewFlows(line, catalogue),
      opening: line.opening.toString(),
    }))
    if (exporting !== null) return streamRecords(exporting, statement)
    return { month, from: iso(from), to: iso(to), isComplete, statement }
  },

  getStats: async ({ database, catalogue, clock, exporting, caller: { orgId }, query }) => {
    const { to = clock.now(), from = Math.max(to - DAYS_DEFAULT * DAY_MS, 0), ...filter } = query
    if (from > to) throw badRequest('from', '`from` must not be later than `to`.')
    if (to - from > DAYS_MAX * DAY_MS)
      throw badRequest('from', `\`from\` must be at most ${DAYS_MAX} days before \`to\`.`)
    const days = await database.forOrg(orgId, (tx) => readDays(tx, { ...filter, orgId, from, to }))
    const stats = days.map((line) => ({
      day: line.day,
      depositCount: line.depositCount,
      withdrawalCount: line.withdrawalCount,
      ...viewFlows(line, catalogue),
    }))
    return exporting === null ? { stats } : streamRecords(exporting, stats)
  },
}

function streamRecords({ head, line }: Exporting, records: readonly unknown[]): Readable {
  return Readable.from([head, ...records.map(line)].filter((text) => text !== ''))
}

function viewFlows(
  line: Flows & Pick<TokenMonth, 'chainId' | 'tokenId' | 'closing'>,
  catalogue: Catalogue,
) {
  return {
    chainId: line.chainId,
    tokenId: line.tokenId,
    deposits: line.deposits.toString(),
    fundings: line.fundings.toString(),
    withdrawals: line.withdrawals.toString(),
    fees: line.fees.toString(),
    corrections: line.corrections.toString(),
    closing: line.closing.toString(),
    Token: catalogue.summary(line.tokenId),
  }
}
