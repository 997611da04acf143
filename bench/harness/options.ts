import { parseArgs } from 'node:util'
import type { Sizes } from './report.ts'

const FULL: Sizes = {
  rounds: 3,
  blocks: 5_000,
  peerBlocks: 500,
  watched: 1_000_000,
  watchedMany: 10_000_000,
  watchedFew: 1_000,
  watchedAdded: 100_000,
  liveBlocks: 160,
  deliveries: 40_000,
  addresses: 20_000,
  withdrawals: 20_000,
  payouts: 200,
  sweeps: 30,
  listed: 1_000_000,
  coinBlocks: 100,
  coins: 100_000,
  ledgers: 3_000,
  tronBlocks: 1_000,
  starts: 7,
  idleSeconds: 120,
  profile: undefined,
}

const SMOKE: Sizes = {
  rounds: 1,
  blocks: 300,
  peerBlocks: 60,
  watched: 20_000,
  watchedMany: 100_000,
  watchedFew: 1_000,
  watchedAdded: 2_000,
  liveBlocks: 20,
  deliveries: 2_000,
  addresses: 1_000,
  withdrawals: 1_000,
  payouts: 20,
  sweeps: 4,
  listed: 20_000,
  coinBlocks: 12,
  coins: 5_000,
  ledgers: 200,
  tronBlocks: 100,
  starts: 1,
  idleSeconds: 10,
  profile: undefined,
}

const NAMES = Object.keys(FULL).filter((name) => name !== 'profile')

/** Options: the benchmarks to run, and how. */
export interface Options {
  isSmoke: boolean
  /** The numbers of benchmarks; all if it is empty. */
  asked: readonly string[]
  /** The file of the results, if not the default. */
  out: string | undefined
  sizes: Sizes
}

/** Reads the command line; prints the usage and ends the program if it is invalid. */
export function readOptions(args: readonly string[], numbers: readonly string[]): Options {
  if (args.includes('--help')) return end(0, [usageOf(numbers)])
  try {
    return parse(args, numbers)
  } catch (error) {
    return end(2, [error instanceof Error ? error.message : String(error), usageOf(numbers)])
  }
}

function parse(args: readonly string[], numbers: readonly string[]): Options {
  const sized = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]))
  const { values, positionals: asked } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      smoke: { type: 'boolean' },
      out: { type: 'string' },
      profile: { type: 'string' },
      ...sized,
    },
  })
  const { smoke: isSmoke = false, out, profile, ...given } = values
  const wrong = asked.find((number) => !numbers.includes(number))
  if (wrong !== undefined) throw new Error(`There is no benchmark ${wrong}.`)
  const own = Object.entries(given).map(([name, value]) => [name, wholeOf(name, value)])
  const sizes: Sizes = { ...(isSmoke ? SMOKE : FULL), ...Object.fromEntries(own), profile }
  return { isSmoke, asked, out, sizes }
}

function wholeOf(name: string, value: unknown): number {
  if (typeof value === 'string' && /^[0-9]+$/.test(value)) return Number(value)
  throw new Error(`--${name} is a whole number.`)
}

function usageOf(numbers: readonly string[]): string {
  return [
    'npm run bench [-- <number>...] [--smoke] [--out=<file>] [--profile=<folder>]',
    `All benchmarks, or those with these numbers: ${numbers.join(' ')}`,
    '--smoke is small and measures nothing. One size alone is set so: --blocks=1000',
    `Sizes: ${NAMES.join(' ')}`,
  ].join('\n')
}

function end(code: number, lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(code)
}
