import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { SimServer } from './server.ts'
import type { Question, Report } from './worker.ts'

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

/**
 * A worker that is silent for this long hangs: a seed takes seconds, minimising it some minutes.
 */
const SILENT_MS = 1_200_000

/** Most objects die young: a larger young generation is collected less often. */
const ROOMY = '--max-semi-space-size=32'

/** Processes that play seeds beside each other. */
export interface CrewOptions {
  server: SimServer
  workers: number
  /** The planted bug of the workers. */
  planted?: string
  minimises: boolean
  /** Loaders with which node runs TypeScript; by default those of this process. */
  loaders?: readonly string[]
}

/**
 * Plays seeds, each in the first free process; reports each when it ends, and stops early if
 * `onReport` returns so.
 */
export async function playSeeds(
  { server, workers, planted, minimises, loaders = process.execArgv }: CrewOptions,
  seeds: readonly string[],
  onReport: (report: Report) => 'go on' | 'enough',
): Promise<void> {
  const queue = [...seeds]
  const members = Array.from({ length: Math.min(workers, seeds.length) }, () =>
    hire(server, loaders, planted),
  )
  await Promise.all(
    members.map(async (member) => {
      try {
        await next(member, 'before its first seed')
        for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) {
          const question: Question = { seed, minimises }
          member.send(question)
          const report = parseReport(await next(member, `at seed ${seed}`))
          if (onReport(report) === 'enough') queue.length = 0
        }
      } finally {
        if (member.connected) member.disconnect()
      }
    }),
  )
}

function hire(
  { adminUrl, schema }: SimServer,
  loaders: readonly string[],
  planted: string | undefined,
): ChildProcess {
  const loader = fileURLToPath(new URL('./planted/loader.mjs', import.meta.url))
  const execArgv = [...loaders, ROOMY, ...(planted === undefined ? [] : ['--import', loader])]
  const env = { ...process.env, ...(planted === undefined ? {} : { SIM_PLANTED: planted }) }
  return fork(WORKER, [adminUrl, schema], { execArgv, env })
}

/** `place`: what the worker does, for the error if it ends. */
function next(member: ChildProcess, place: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => member.kill('SIGKILL'), SILENT_MS)
    const gone = (code: number | null, signal: string | null) => {
      clearTimeout(timer)
      reject(new Error(`a worker ended with ${code ?? signal} ${place}`))
    }
    member.once('exit', gone)
    member.once('message', (message) => {
      clearTimeout(timer)
      member.off('exit', gone)
      resolve(message)
    })
  })
}

function parseReport(message: unknown): Report {
  return message as Report
}
