import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('../../../service/bin/sluice.js', import.meta.url))
const READY_LIMIT_MS = 60_000
const READY_POLL_MS = 100

/** The service as anybody runs it: the program, a configuration file, no door of its own for the sandbox. */
export interface ServiceProcess {
  /** Resolves with the exit code when the service ends. */
  ended: Promise<number | null>
  stop(): Promise<void>
}

/** Runs `sluice` with `--json` and gives what it printed. Throws with its own words where it failed. */
export async function sluice<T>(configFile: string, args: readonly string[]): Promise<T> {
  const run = promisify(execFile)
  try {
    const { stdout } = await run(process.execPath, [PROGRAM, '--json', ...args], {
      env: serviceEnvironment(configFile),
    })
    return JSON.parse(stdout) as T
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new Error(`sluice ${args.join(' ')}: ${said.trim()}`, { cause: error })
  }
}

/** Starts `sluice serve`; its log goes to this process's output. Resolves once it is ready. */
export async function startService(configFile: string, baseUrl: string): Promise<ServiceProcess> {
  // A session of its own: Ctrl-C reaches the sandbox alone, which stops everything in its order.
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: serviceEnvironment(configFile),
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
  process.once('exit', () => child.kill('SIGTERM'))
  await ready(child, baseUrl)
  return {
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Variables of the service must not leak in from outside: the sandbox's file says everything. */
function serviceEnvironment(configFile: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !name.startsWith('SLUICE_'),
  )
  return { ...(Object.fromEntries(kept) as Record<string, string>), SLUICE_CONFIG: configFile }
}

async function ready(child: ChildProcess, baseUrl: string): Promise<void> {
  const until = Date.now() + READY_LIMIT_MS
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
  }
  child.kill('SIGTERM')
  throw new Error(`the service was not ready after ${READY_LIMIT_MS / 1000} seconds`)
}
