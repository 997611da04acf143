import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const PROGRAM = join(ROOT, 'service', 'bin', 'sluice.js')
const READY_LIMIT_MS = 300_000
const READY_POLL_MS = 50
const SAID_MAX = 20_000

/** A running `sluice serve`. */
export interface Serving {
  baseUrl: string
  /** The last of what it has printed. */
  said(): string
  stop(): Promise<void>
}

/** Builds what is stale: the suite runs what a user runs. */
export async function build(): Promise<void> {
  const tool = join(ROOT, 'tools', 'build.mjs')
  await promisify(execFile)(process.execPath, [tool, '--if-stale'])
}

/** Runs a command of an operator to its end and gives what it printed. */
export async function command<T>(configFile: string, args: readonly string[]): Promise<T> {
  const options = { env: environment(configFile) }
  const ran = await promisify(execFile)(process.execPath, [PROGRAM, '--json', ...args], options)
  return JSON.parse(ran.stdout) as T
}

/** Starts the service and waits until it has reached its database and every chain. */
export async function serve(
  configFile: string,
  { port, env = {}, args = [] }: { port: number; env?: Env; args?: readonly string[] },
): Promise<Serving> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...args], {
    env: { ...environment(configFile), ...env, SLUICE_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  const said = listenTo(child)
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  const baseUrl = `http://127.0.0.1:${port}`
  try {
    await untilReady(child, baseUrl)
    return { baseUrl, said, stop }
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(said(), { cause: error })
  }
}

type Env = Readonly<Record<string, string>>

/** The variables around us without any of the program's own: none leaks in from outside. */
function environment(configFile: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(SLUICE|SANDBOX)_/.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', SLUICE_CONFIG: configFile }
}

function listenTo(child: ChildProcess): () => string {
  let said = ''
  const add = (text: string) => {
    said = (said + text).slice(-SAID_MAX)
  }
  child.stdout?.setEncoding('utf8').on('data', add)
  child.stderr?.setEncoding('utf8').on('data', add)
  return () => said
}

async function untilReady(child: ChildProcess, baseUrl: string): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null)
    const body: unknown = answer?.ok === true ? await answer.json() : null
    // A chain without new blocks always counts as behind.
    const checks: unknown[] = Object.values(Object(body).checks ?? { nothing: 'away' })
    if (checks.every((check) => check === 'ok' || check === 'behind')) return
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
  }
  throw new Error('the service did not become ready')
}
