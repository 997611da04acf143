import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cpuSeconds, peakMegabytes, stopChild } from './children.ts'

const SOURCE = fileURLToPath(new URL('../../service/src/cli/main.ts', import.meta.url))
/** The built program. */
export const BUILT = fileURLToPath(new URL('../../service/bin/sluice.js', import.meta.url))
const LOADER = fileURLToPath(new URL('../typescript.mjs', import.meta.url))

/** The program as in production, in a separate process. */
export interface Sluice {
  readonly pid: number
  cpu(): number
  peakMegabytes(): number
  /** Ends it as an operator would. */
  stop(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
}

/**
 * `sluice serve` in this environment. With BENCH_SOURCE=1 from the sources, else from the build.
 */
export function startSluice(
  env: Record<string, string>,
  given: { profile?: string | undefined } = {},
): Sluice {
  const isSource = process.env['BENCH_SOURCE'] === '1'
  const how = isSource ? ['--import', LOADER, SOURCE] : [BUILT]
  const profile =
    given.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${given.profile}`]
  const child = spawn(process.execPath, [...profile, ...how, 'serve'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const pid = child.pid ?? 0
  return {
    pid,
    cpu: () => cpuSeconds(pid),
    peakMegabytes: () => peakMegabytes(pid),
    stop: () => stopChild(child).finally(() => process.off('exit', end)),
    kill: () => kill(child).finally(() => process.off('exit', end)),
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
