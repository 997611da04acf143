import { randomInt } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { playSeeds } from './crew.ts'
import { NOTABLE_SEEDS } from './notable-seeds.ts'
import { type SimServer, startSimServer } from './server.ts'
import type { Report } from './worker.ts'

const WORKERS = 2
const IS_SHORT = process.env['SLUICE_TEST_TIER'] === 'short'
const FIXED = Array.from({ length: IS_SHORT ? 8 : 38 }, (_, at) => String(1_001 + at))
/** How many new random seeds to play in addition. */
const FRESH_COUNT = Number(process.env['SLUICE_SIM_FRESH'] ?? 2)
const FRESH = Array.from({ length: FRESH_COUNT }, () => String(randomInt(10_000, 2 ** 31)))
const TYPESCRIPT = fileURLToPath(new URL('../../../bench/typescript.mjs', import.meta.url))
const NOTABLE = IS_SHORT ? [] : NOTABLE_SEEDS.map(({ seed }) => seed)
const SEEDS = [...NOTABLE, ...FIXED, ...FRESH]
/** Each on another family of chains. */
const TWICE = IS_SHORT ? ['1001'] : ['1001', '1004']
/** A seed takes some ten seconds: a longer one hangs. */
const HANGS_MS = 600_000
/**
 * By chain namespace: the least number of completions over all seeds, a small part of the usual
 * number. Without payments no invariant could break.
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

const reports: Report[] = []
/** Emits a seed's name when its report is ready. */
const played = new EventEmitter()
let server: SimServer
let playing: Promise<void>

beforeAll(async () => {
  server = await startSimServer()
  playing = play([...SEEDS, ...TWICE])
  // The waiting tests report a failure.
  playing.catch(() => undefined)
}, HANGS_MS)

afterAll(() => server.stop())

describe('the whole service, simulated', () => {
  test.each(SEEDS)(
    'I1–I19 hold for seed %s, of those that once found something, others, and fresh ones',
    async (seed) => {
      const { wrongs, at } = await reportOf(seed)
      expect({ wrongs, at }).toEqual({ wrongs: [], at: expect.any(Number) })
    },
    HANGS_MS,
  )

  test(
    'a seed gives the same log in two runs with other workers active [I20]',
    async () => {
      await playing
      for (const seed of TWICE) {
        const hashes = reports.filter((report) => report.seed === seed).map(({ hash }) => hash)
        expect(hashes).toHaveLength(2)
        expect(new Set(hashes).size).toBe(1)
      }
    },
    HANGS_MS,
  )

  test(
    'money went in and out on every family of chains while the invariants held',
    async () => {
      await playing
      expect(reports).toHaveLength(SEEDS.length + TWICE.length)
      expect(shortfalls()).toEqual([])
    },
    HANGS_MS,
  )
})

async function reportOf(seed: string): Promise<Report> {
  const known = () => reports.find((report) => report.seed === seed)
  if (known() === undefined) await Promise.race([once(played, seed), playing])
  const report = known()
  if (report === undefined) throw new Error(`seed ${seed} was not played`)
  return report
}

function shortfalls(): string[] {
  return Object.entries(REACHED).flatMap(([what, least]) => {
    const count = reports.reduce((sum, { reached }) => sum + (reached[what] ?? 0), 0)
    const wanted = IS_SHORT ? 1 : least
    return count >= wanted ? [] : [`${what}: ${count}, not ${wanted}`]
  })
}

async function play(seeds: readonly string[]): Promise<void> {
  const crew = { server, workers: WORKERS, minimises: false, loaders: ['--import', TYPESCRIPT] }
  await playSeeds(crew, seeds, (report) => {
    reports.push(report)
    played.emit(report.seed)
    return 'go on'
  })
}
