import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { playSeeds } from './crew.ts'
import { NOTABLE_SEEDS } from './notable-seeds.ts'
import { type SimServer, startSimServer } from './server.ts'
import type { Report } from './worker.ts'

const WORKERS = 2
const FIXED = Array.from({ length: 38 }, (_, at) => String(1_001 + at))
/** How many seeds besides that nobody has played before. */
const FRESH_COUNT = Number(process.env['SLUICE_SIM_FRESH'] ?? 2)
const FRESH = Array.from({ length: FRESH_COUNT }, () => String(randomInt(10_000, 2 ** 31)))
const TYPESCRIPT = fileURLToPath(new URL('../../../bench/typescript.mjs', import.meta.url))
const LONG_MS = 900_000
/**
 * By namespace of chains: what all the seeds together bring to its good end at least, a small part
 * of what they do. Where nothing is ever paid no invariant is ever broken.
 */
const REACHED: Readonly<Record<string, number>> = {
  'eip155 Completed': 15,
  'tron Completed': 4,
  'xrpl Completed': 12,
  'bip122 Completed': 8,
  'eip155 Confirmed': 60,
  'tron Confirmed': 30,
  'xrpl Confirmed': 60,
  'bip122 Confirmed': 50,
}
/** Each on another family of chains. */
const TWICE = ['1001', '1004']

let server: SimServer

beforeAll(async () => {
  server = await startSimServer()
}, LONG_MS)

afterAll(() => server.stop())

describe('the whole service, simulated', () => {
  test(
    'I1–I19 hold for the seeds that once found something, for others, and for fresh ones',
    async () => {
      process.stdout.write(`fresh seeds: ${FRESH.join(' ')}\n`)
      const seeds = [...NOTABLE_SEEDS.map(({ seed }) => seed), ...FIXED, ...FRESH]
      const reports = await play(seeds)
      expect(reports).toHaveLength(seeds.length)
      const failed = reports.filter(({ wrongs }) => wrongs.length > 0)
      expect(failed.map(({ seed, at, wrongs }) => ({ seed, at, wrongs }))).toEqual([])
      expect(shortfalls(reports)).toEqual([])
    },
    LONG_MS,
  )

  test(
    'I20 a seed that is played twice tells one story, whoever else is at work',
    async () => {
      const twice = TWICE.flatMap((seed) => [seed, seed])
      const reports = await play(twice)
      for (const seed of TWICE) {
        const hashes = reports.filter((report) => report.seed === seed).map(({ hash }) => hash)
        expect(hashes).toHaveLength(2)
        expect(new Set(hashes).size).toBe(1)
      }
    },
    LONG_MS,
  )
})

function shortfalls(reports: readonly Report[]): string[] {
  return Object.entries(REACHED).flatMap(([what, least]) => {
    const count = reports.reduce((sum, { reached }) => sum + (reached[what] ?? 0), 0)
    return count >= least ? [] : [`${what}: ${count}, not ${least}`]
  })
}

async function play(seeds: readonly string[]): Promise<Report[]> {
  const reports: Report[] = []
  const crew = { server, workers: WORKERS, minimises: false, loaders: ['--import', TYPESCRIPT] }
  await playSeeds(crew, seeds, (report) => {
    reports.push(report)
    return 'go on'
  })
  return reports
}
