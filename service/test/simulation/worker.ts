import { Killed } from './gate.ts'
import { minimise } from './minimise.ts'
import { plantInSchema } from './planted/schema.ts'
import { type Outcome, runSeed } from './run-seed.ts'
import { openGround } from './server.ts'

/** A request to a worker and its answer; one at a time. */
export interface Question {
  seed: string
  /** Whether to minimise the steps of a failing run. */
  minimises: boolean
}

export interface Report {
  seed: string
  wrongs: readonly string[]
  at: number
  hash: string
  coverage: Readonly<Record<string, number>>
  reached: Readonly<Record<string, number>>
  /** Processor time of this process, in milliseconds. */
  cpuMs: number
  /** The steps that are left of a failing run, a line each. */
  minimal: readonly string[] | null
}

const [adminUrl = '', schema = ''] = process.argv.slice(2)
const ground = await openGround({ adminUrl, schema }, `w${process.pid}`)

const isPlanted = await plantInSchema(ground.stage)

// A process killed in the middle of work leaves promises without a handler.
process.on('unhandledRejection', (reason) => {
  if (!(reason instanceof Killed)) throw reason
})
process.on('message', (question: Question) => {
  void answer(question).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => {
  void ground.close().finally(() => process.exit(0))
})
process.send?.('ready')

async function answer({ seed, minimises }: Question): Promise<Report> {
  const before = process.cpuUsage()
  ground.coverage.hits.clear()
  const outcome = await playOut(seed)
  const used = process.cpuUsage(before)
  const { wrongs, at, hash, reached } = outcome
  const coverage = ground.coverage.counted()
  const minimal = minimises && wrongs.length > 0 ? await minimise(ground, outcome) : null
  return {
    seed,
    wrongs,
    at,
    hash,
    coverage,
    reached,
    cpuMs: Math.round((used.user + used.system) / 1_000),
    minimal: minimal === null ? null : minimal.map(({ key, kind }) => `${key} ${kind}`),
  }
}

/** With a planted bug any exception may occur: it counts as the violation. */
async function playOut(seed: string): Promise<Outcome> {
  if (!isPlanted) return runSeed(ground, seed)
  try {
    return await runSeed(ground, seed, { goesOn: true })
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const named = /\bI19: .*/.exec(text)?.[0]
    const wrongs = [named ?? `the seed ended with ${text}`]
    return { seed, wrongs, at: 0, steps: [], hash: '', log: [], reached: {} }
  }
}
