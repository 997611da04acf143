import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bitcoind as defaultBitcoind } from '../support/bitcoind.ts'

export const FAMILIES = ['evm', 'bitcoin', 'tron', 'xrpl'] as const
export type Family = (typeof FAMILIES)[number]

export interface SoakOptions {
  /** Minutes of load and faults; afterwards all work must settle. */
  minutes: number
  /** Determines all random choices, but not the timing of the machine. */
  seed: string
  /** Deposits a second on each chain; withdrawals are a fifth of it. */
  rate: number
  /** Processes of the service, at least two. */
  processes: number
  families: readonly Family[]
  /** Families without withdrawals. */
  depositsOnly: readonly Family[]
  /** Seconds within which everything must settle after the faults. */
  settle: number
  /** A single kill at half-time, of the database, whose standby takes over. */
  failover: boolean
  /** The file of the report; null for standard output alone. */
  report: string | null
  /** Whether to keep the folder of the run. */
  keep: boolean
  /** A real node, or null for the simulated one. */
  bitcoind: string | null
}

const USAGE =
  'npm run soak -- --minutes N [--seed TEXT] [--rate DEPOSITS_A_SECOND] [--processes N] ' +
  '[--families evm,bitcoin,tron,xrpl] [--deposits-only FAMILIES] [--settle SECONDS] ' +
  '[--failover] [--report FILE] [--keep]'

/** Parses the command line. Throws an error with the usage. */
export function parseOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: String(Date.now()) },
      rate: { type: 'string', default: '5' },
      processes: { type: 'string', default: '2' },
      families: { type: 'string', default: FAMILIES.join(',') },
      'deposits-only': { type: 'string', default: '' },
      settle: { type: 'string', default: '300' },
      failover: { type: 'boolean', default: false },
      report: { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
    },
  })
  return {
    minutes: numberOf(values.minutes),
    seed: values.seed,
    rate: numberOf(values.rate),
    processes: Math.max(2, Math.floor(numberOf(values.processes))),
    families: familiesOf(values.families),
    depositsOnly: familiesOf(values['deposits-only']),
    settle: numberOf(values.settle),
    failover: values.failover,
    report: values.report === '' ? null : values.report,
    keep: values.keep,
    bitcoind: existsSync(defaultBitcoind) ? defaultBitcoind : null,
  }
}

function numberOf(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new Error(`${text} is no number above 0. ${USAGE}`)
}

function familiesOf(text: string): Family[] {
  const names = text.split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !FAMILIES.some((one) => one === name))
  if (unknown !== undefined) throw new Error(`${unknown} is no family of chains. ${USAGE}`)
  return FAMILIES.filter((one) => names.includes(one))
}
