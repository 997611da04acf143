import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playSeeds } from '../crew.ts'
import { type SimServer, startSimServer } from '../server.ts'
import { namedIn, plantedText } from './bug.ts'
import { BUGS } from './bugs.ts'

const TYPESCRIPT = fileURLToPath(new URL('../../../../bench/typescript.mjs', import.meta.url))
const LONG_MS = 900_000

/**
 * Some planted bugs, each at a seed that finds it soon, and the invariant that must name it. To
 * find another seed: `npm run sim -- --planted "<name>" --seeds 40`.
 */
const FOUND = [
  { name: 'held fee kept after a payment', seed: '1', invariant: 'I1' },
  { name: 'sweep booked nowhere', seed: '3', invariant: 'I2' },
  { name: 'given up while it may still pay', seed: '16', invariant: 'I7' },
  { name: 'replaced under the next nonce, and kept', seed: '16', invariant: 'I8' },
  { name: 'a key counts as a person', seed: '1', invariant: 'I10' },
  { name: 'told twice', seed: '1', invariant: 'I13' },
] as const

let server: SimServer

beforeAll(async () => {
  server = await startSimServer()
}, LONG_MS)

afterAll(() => server.stop())

test.each(FOUND)(
  '$invariant is not blind: it names $name where that is planted',
  async ({ name, seed, invariant }) => {
    const bug = BUGS.find((one) => one.name === name)
    expect(bug).toBeDefined()
    if (bug === undefined) return
    const wrongs: string[] = []
    const loaders = ['--import', TYPESCRIPT]
    const crew = { server, workers: 1, planted: plantedText(bug), minimises: false, loaders }
    await playSeeds(crew, [seed], (report) => {
      wrongs.push(...report.wrongs)
      return 'enough'
    })
    expect(namedIn(wrongs).seen).toContain(invariant)
  },
  LONG_MS,
)
