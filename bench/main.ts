import { writeFileSync } from 'node:fs'
import { benchCatchUp } from './catch-up/bench.ts'
import { benchAddresses } from './addresses/bench.ts'
import { benchBitcoin } from './bitcoin/bench.ts'
import { benchCommands } from './commands/bench.ts'
import { benchChoice } from './choice/bench.ts'
import { benchIdle } from './idle/bench.ts'
import { benchKill } from './kill/bench.ts'
import { benchLedgers } from './ledgers/bench.ts'
import { benchLatency } from './latency/bench.ts'
import { benchLists } from './lists/bench.ts'
import { benchRates } from './rates/bench.ts'
import { benchTron } from './tron/bench.ts'
import { benchWatched } from './watched/bench.ts'
import { benchWebhooks } from './webhooks/bench.ts'
import { benchWithdrawals } from './withdrawals/bench.ts'
import { say } from './harness/measure.ts'
import { readOptions } from './harness/options.ts'
import { resultsPage } from './harness/results.ts'
import type { Report, Sizes } from './harness/report.ts'

const BENCHES: Record<string, (sizes: Sizes) => Promise<Report>> = {
  '0': benchIdle,
  '1': benchCatchUp,
  '2': benchWatched,
  '3': benchBitcoin,
  '4': benchLatency,
  '5': benchWebhooks,
  '6': benchAddresses,
  '7': benchWithdrawals,
  '8': benchKill,
  '9': benchRates,
  '10': benchLists,
  '11': benchChoice,
  '12': benchLedgers,
  '13': benchTron,
  '14': benchCommands,
}

const options = process.argv.slice(2)
const { isSmoke, asked, out, sizes } = readOptions(options, Object.keys(BENCHES))
const reports: Report[] = []
for (const [number, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(number)) continue
  say(`benchmark ${number}`)
  const report = await bench(sizes)
  process.stdout.write(`${JSON.stringify(report)}\n`)
  reports.push(report)
}

const page = resultsPage(reports, {
  at: new Date().toISOString().slice(0, 16).replace('T', ' '),
  command: ['npm run bench', ...(options.length > 0 ? ['--', ...options] : [])].join(' '),
})
// A smoke run measures nothing that should be kept.
if (out !== undefined) writeFileSync(out, page)
else if (isSmoke) say(page)
else writeFileSync(new URL('results.md', import.meta.url), page)
const missed = reports.flatMap(({ verdicts }) => verdicts).filter(({ reached }) => reached === 'no')
if (missed.length > 0 && !isSmoke) process.exitCode = 1
