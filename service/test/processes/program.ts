import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAM = join(ROOT, 'service', 'bin', 'sluice.js')
const WAIT_MS = 150_000
const POLL_MS = 50

export const PASSPHRASE = 'a passphrase for tests alone'

/** Builds what is stale: these tests run what a user runs. */
export function build(): void {
  const tool = join(ROOT, 'tools', 'build.mjs')
  const built = spawnSync(process.execPath, [tool, '--if-stale'], { encoding: 'utf8' })
  expect(built).toMatchObject({ status: 0 })
}

/** The folder of an installation, removed when the test has finished. */
export function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'sluice-processes-'))
  // The embedded database runs as another user where the tests run as root.
  chmodSync(home, 0o755)
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Writes a configuration file of development into a home, and gives its path. */
export function writeConfig(home: string, config: Record<string, unknown>): string {
  const path = join(home, 'sluice.config.json')
  const all = {
    environment: 'development',
    dataFolder: join(home, 'data'),
    seedPassphrase: PASSPHRASE,
    metricsPort: 0,
    pollMs: 100,
    // A test asks again and again until something has happened.
    limitReads: 0,
    ...config,
  }
  writeFileSync(path, JSON.stringify(all))
  return path
}

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** The variables around us without any of the program's own: none leaks in from outside. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(SLUICE|SANDBOX)_/.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1' }
}

function environment(config: string): NodeJS.ProcessEnv {
  return { ...cleanEnvironment(), SLUICE_CONFIG: config }
}

/** Runs one command to its end. */
export async function sluice(
  config: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...environment(config), ...env },
  })
  const said = listen(child)
  child.stdin.end(input)
  const code = await exitOf(child)
  return { code, stdout: said.stdout(), stderr: said.stderr() }
}

/** Runs a command that must succeed and gives what it printed as JSON. */
export async function sluiceJson<T>(config: string, args: readonly string[]): Promise<T> {
  const ran = await sluice(config, ['--json', ...args])
  if (ran.code !== 0) throw new Error(`${args.join(' ')}: ${JSON.stringify(ran)}`)
  return JSON.parse(ran.stdout) as T
}

/**
 * A program that runs until it is ended; if it still runs after the test, it is killed.
 */
export interface Started {
  child: ChildProcess
  exited: Promise<number | null>
  /** All that it has printed so far, on both streams. */
  output(): string
  /** Ends it with a signal and gives its exit code; null where the signal itself ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `sluice serve`. */
export function serve(
  config: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Started {
  return start([PROGRAM, 'serve', ...args], { ...environment(config), ...env })
}

/** Starts `sluice signer`. */
export function startSigner(config: string): Started {
  return start([PROGRAM, 'signer'], environment(config))
}

/** Starts a program of Node's and listens to it. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = listen(child)
  const exited = exitOf(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  return { child, exited, output: () => said.stdout() + said.stderr(), end }
}

function listen(child: ChildProcess): { stdout(): string; stderr(): string } {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  return { stdout: () => said.stdout, stderr: () => said.stderr }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  const [code]: unknown[] = await once(child, 'close')
  return typeof code === 'number' ? code : null
}

/** Asks again and again until the answer is not null; throws after a while, with what was said. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null> | T | null,
  context: () => string = () => '',
): Promise<T> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (Date.now() > deadline) throw new Error(`not in time: ${what}\n${context()}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Waits until a service answers that it is ready, all its chains followed. */
export async function untilReady(port: number, service: Started): Promise<void> {
  const ask = async () => {
    if (service.child.exitCode !== null) throw new Error(`it ended: ${service.output()}`)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (answer === null || !answer.ok) return null
    const { status } = (await answer.json()) as { status: string }
    return status === 'ready' ? true : null
  }
  await until('ready', ask, () => service.output())
}
