import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { leash } from './leash.ts'

/** The repository, from where this file lies after the build. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAM = join(ROOT, 'service', 'bin', 'sluice.js')
const READY_LIMIT_MS = 60_000
const READY_POLL_MS = 100

/** The service, running as anybody runs it: no door of its own for the sandbox. */
export interface Launched {
  /** Resolves with the exit code when the service ends; null where a signal ended it. */
  ended: Promise<number | null>
  stop(): Promise<void>
}

/**
 * Runs `sluice` with `--json` and gives what it printed, by its names. Throws with its own words
 * where it failed.
 */
export async function sluice(
  configFile: string,
  args: readonly string[],
): Promise<Record<string, string>> {
  const run = promisify(execFile)
  try {
    const { stdout } = await run(process.execPath, [PROGRAM, '--json', ...args], {
      env: serviceEnvironment(configFile),
    })
    return parsePrinted(stdout)
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new Error(`sluice ${args.join(' ')}: ${said.trim()}`, { cause: error })
  }
}

/**
 * Starts `sluice serve`; its log goes to this process's output. Resolves once it is ready: chains
 * are followed, or stopped by somebody's decision.
 */
export async function launch(configFile: string, baseUrl: string): Promise<Launched> {
  // A session of its own: Ctrl-C reaches the sandbox alone, which stops everything in its order.
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: serviceEnvironment(configFile),
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  leash(child)
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  try {
    await untilReady(child, baseUrl)
  } catch (error) {
    await stop()
    throw error
  }
  return { ended, stop }
}

function parsePrinted(text: string): Record<string, string> {
  const printed: unknown = JSON.parse(text)
  return Object.fromEntries(
    Object.entries(printed ?? {}).map(([name, value]) => [name, String(value)]),
  )
}

/** Variables of the service must not leak in from outside: the sandbox's file says everything. */
function serviceEnvironment(configFile: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_'))
  return { ...Object.fromEntries(kept), SLUICE_CONFIG: configFile }
}

async function untilReady(child: ChildProcess, baseUrl: string): Promise<void> {
  const until = Date.now() + READY_LIMIT_MS
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error('The service could not start; it says why above.')
    if (await isReady(baseUrl)) return
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
  }
  throw new Error(`The service was not ready after ${READY_LIMIT_MS / 1000} seconds.`)
}

async function isReady(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/readyz`).catch(() => null)
  if (answer === null || !answer.ok) return false
  const body: unknown = await answer.json()
  const checks = typeof body === 'object' && body !== null && 'checks' in body ? body.checks : {}
  return Object.values(checks ?? {}).every((check) => check === 'ok' || check === 'stopped')
}
