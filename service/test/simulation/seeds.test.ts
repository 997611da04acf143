import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { playSeeds } from './crew.ts'
import { NOTABLE_SEEDS } from './notable-seeds.ts'
import { type SimServer, startSimServer } from './server.ts'
import type { Report } from './worker.ts'

const WORKERS = 2
const FIXED = Array.from({ length: 14 }, (_, at) => String(1_001 + at))
/** How many seeds besides that nobody has played before. */
const FRESH_COUNT = Number(process.env['SLUICE_SIM_FRESH'] ?? 0)
const FRESH = Array.from({ length: FRESH_COUNT }, () => String(randomInt(10_000, 2 ** 31)))
const TYPESCRIPT = fileURLToPath(new URL('../../../bench/typescript.mjs', import.meta.url))
const LONG_MS = 900_000

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
      const failed: Report[] = []
      const crew = { server, workers: WORKERS, minimises: false, loaders: ['--import', TYPESCRIPT] }
      await playSeeds(crew, seeds, (report) => {
        if (report.wrongs.length > 0) failed.push(report)
        return 'go on'
      })
      expect(failed.map(({ seed, at, wrongs }) => ({ seed, at, wrongs }))).toEqual([])
    },
    LONG_MS,
  )
})
