import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'

const PROGRAM = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url))
const POLL_MS = 50
const READY_MS = 120_000

/** The variables around us without any of the program's own. */
function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_'))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', ...more }
}

/** Runs one command to its end. */
export async function runSluice(
  config: string,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = environment({ SLUICE_CONFIG: config })
  const child = spawn(process.execPath, [PROGRAM, '--json', ...args], { env })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const [code]: unknown[] = await once(child, 'close')
  return { code: typeof code === 'number' ? code : null, ...said }
}

/** Runs a command that must succeed; returns its JSON output. */
export async function askSluice<T>(config: string, args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await runSluice(config, args)
  if (code !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** One `sluice serve`, restarted after each exit. */
export class ServiceProcess {
  readonly name: string
  readonly url: string
  /** Milliseconds from each start until requests were answered. */
  readonly starts: number[] = []
  /** Exits without a kill by the test. */
  ends = 0
  readonly #options: { config: string; port: number; roles: string; folder: string }
  #child: ChildProcess | null = null
  #isOver = false

  constructor(options: {
    name: string
    config: string
    port: number
    roles: string
    folder: string
  }) {
    this.name = options.name
    this.url = `http://127.0.0.1:${options.port}`
    this.#options = options
  }

  get isUp(): boolean {
    return this.#child !== null
  }

  /** Starts it if it is not running, and waits until it answers or exits. */
  async start(): Promise<void> {
    if (this.#child !== null || this.#isOver) return
    const { config, port, roles, folder } = this.#options
    const began = performance.now()
    const output = openSync(join(folder, `${this.name}.log`), 'a')
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--roles', roles], {
      env: environment({ SLUICE_CONFIG: config, SLUICE_PORT: String(port) }),
      stdio: ['ignore', output, output],
    })
    this.#child = child
    child.once('exit', (_code, signal) => {
      if (signal !== 'SIGKILL' && this.#child === child) this.ends += 1
      if (this.#child === child) this.#child = null
    })
    const limit = Date.now() + READY_MS
    while (this.#child === child && Date.now() < limit) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null)
      await answer?.arrayBuffer().catch(() => null)
      if (answer?.ok === true) {
        this.starts.push(performance.now() - began)
        return
      }
      await wait(POLL_MS)
    }
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops it cleanly and finally; returns its exit code. */
  async stop(): Promise<number | null> {
    this.#isOver = true
    return this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (child === null) return null
    const gone = once(child, 'exit')
    this.#child = null
    child.kill(signal)
    const [code]: unknown[] = await gone
    return typeof code === 'number' ? code : null
  }
}
