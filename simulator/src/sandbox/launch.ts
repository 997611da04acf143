import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { leash } from './leash.ts'

/** The repository, relative to this file after the build. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAM = join(ROOT, 'service', 'bin', 'sluice.js')
const READY_LIMIT_MS = 120_000
const OWNER_ONLY = 0o600
const READY_POLL_MS = 100

/** The service, run as in production: it has no interface for the sandbox. */
export interface Launched {
  /** Resolves with the exit code when the service ends; null after a signal. */
  ended: Promise<number | null>
  stop(): Promise<void>
}

/**
 * Runs `sluice` with `--json` and returns its output, by its names. Throws with the words of the
 * command if it failed.
 */
export async function sluice(
  configFile: string,
  args: readonly string[],
): Promise<Record<string, string>> {
  return asTexts(await run(configFile, args))
}

/** The same of a command that prints a list. */
export async function sluiceRows(
  configFile: string,
  args: readonly string[],
): Promise<Record<string, string>[]> {
  const printed = await run(configFile, args)
  return Array.isArray(printed) ? printed.map(asTexts) : []
}

async function run(configFile: string, args: readonly string[]): Promise<unknown> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--json', ...args], {
      env: serviceEnvironment(configFile),
    })
    return JSON.parse(stdout)
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new Error(`sluice ${args.join(' ')}: ${said.trim()}`, { cause: error })
  }
}

/**
 * Starts `sluice serve`, which logs to a file. Resolves once it is ready: chains are followed, or
 * halted by an operator. Throws with the service's output if it ends before.
 */
export async function launch(
  configFile: string,
  { baseUrl, logFile }: { baseUrl: string; logFile: string },
): Promise<Launched> {
  const log = openSync(logFile, 'a', OWNER_ONLY)
  // A separate session: Ctrl-C reaches only the sandbox, which stops everything in order.
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: serviceEnvironment(configFile),
    stdio: ['ignore', log, 'pipe'],
    detached: true,
  })
  const lastWords = keepWords(child, logFile)
  closeSync(log)
  leash(child)
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  try {
    await untilReady(child, { baseUrl, logFile, lastWords })
  } catch (error) {
    await stop()
    throw error
  }
  return { ended, stop }
}

/** The service writes to standard error only why it ends: for the log, and for people. */
function keepWords(child: ChildProcess, logFile: string): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words += text
    appendFile(logFile, text, () => undefined)
  })
  return () => words.trim()
}

function asTexts(printed: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(printed ?? {}).map(([name, value]) => [name, String(value)]),
  )
}

/** Variables of the service must not leak in from outside: the sandbox's file says everything. */
function serviceEnvironment(configFile: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_'))
  return { ...Object.fromEntries(kept), SLUICE_CONFIG: configFile }
}

async function untilReady(
  child: ChildProcess,
  { baseUrl, logFile, lastWords }: { baseUrl: string; logFile: string; lastWords: () => string },
): Promise<void> {
  const until = Date.now() + READY_LIMIT_MS
  while (Date.now() < until) {
    if (child.exitCode !== null) {
      throw new Error(`The service could not start: ${lastWords()}\nIts log is ${logFile}.`)
    }
    if (await isReady(baseUrl)) return
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
  }
  const waited = READY_LIMIT_MS / 1000
  throw new Error(`The service was not ready after ${waited} seconds. Its log is ${logFile}.`)
}

async function isReady(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/readyz`).catch(() => null)
  if (answer === null || !answer.ok) return false
  const body: unknown = await answer.json()
  const checks = typeof body === 'object' && body !== null && 'checks' in body ? body.checks : {}
  return Object.values(checks ?? {}).every((check) => check === 'ok' || check === 'stopped')
}
