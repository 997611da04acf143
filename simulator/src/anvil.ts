import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endChild, guardChild } from './child.ts'
import { freePort } from './free-port.ts'
import { quantity } from './hex.ts'
import { rpcClient } from './rpc-client.ts'

const START_LIMIT_MS = 20_000
const PORT_TRIES_MAX = 10
const CATCH_POLL_MS = 2
const CATCH_POLLS_MAX = 1_000
const SIGTERM_BIT = 1n << 14n
const STDERR_KEPT = 4_000
const STATE_INTERVAL_SECONDS = 5

export interface AnvilOptions {
  chainId: number
  /** Taken as it is, or refused; without it a random free one below 32768. */
  port?: number
  /** Without it a block is mined for each transaction, at once. */
  blockTimeSeconds?: number
  /** File that keeps the chain over restarts; read at start if it exists. */
  stateFile?: string
  /** Further arguments of anvil's command line. */
  args?: readonly string[]
  /** anvil's HOME; without it a scratch folder that stop() removes. */
  home?: string
}

/**
 * A transaction that `anvil_reorg` puts into the n-th of the new blocks: signed bytes, or a
 * request.
 */
export type ReorgTransaction = readonly [string | Record<string, string>, number]

export interface Anvil {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Calls a method; throws RpcError with the node's code and message. */
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** Mines n blocks. */
  mine(n?: number): Promise<void>
  /** Replaces the top blocks; the head's height stays, the orphaned transactions vanish. */
  reorg(depth: number, transactions?: readonly ReorgTransaction[]): Promise<void>
  /** Ends the process, which writes its state file, and waits for the end. May be called again. */
  stop(): Promise<void>
}

/**
 * Starts a real anvil on 127.0.0.1 and waits until it listens. Should this process be killed,
 * anvil ends too. Throws if the platform has no binary, if the given port is taken, or
 * if anvil does not start.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const binary = anvilBinary()
  const scratch = options.home ?? (await mkdtemp(join(tmpdir(), 'anvil-')))
  const clean = async () => {
    if (options.home === undefined) await rm(scratch, { recursive: true, force: true })
  }
  try {
    for (let tries = 1; ; tries += 1) {
      const port = options.port ?? (await freePort())
      const child = launch(binary, [...flags(options), '--port', String(port)], scratch)
      guardChild(child, options.home === undefined ? scratch : '')
      const failure = await listening(child)
      if (failure === null) {
        await catching(child)
        return handle(child, port, clean)
      }
      const again = options.port === undefined && failure.includes('in use')
      if (!again || tries === PORT_TRIES_MAX) {
        throw new Error(`anvil did not start on port ${port}: ${failure}`)
      }
    }
  } catch (error) {
    await clean()
    throw error
  }
}

/**
 * The binary itself, not the launcher of the npm package: killing the launcher leaves the node
 * running. Throws if the package has none for this platform.
 */
export function anvilBinary(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  const machine = arch === 'x64' ? 'amd64' : arch
  const name = `@foundry-rs/anvil-${platform}-${machine}`
  const from = createRequire(
    createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'),
  )
  try {
    const folder = dirname(from.resolve(`${name}/package.json`))
    return join(folder, 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch (cause) {
    const message = `no anvil for ${platform} ${arch}: ${mendBy(from('./package.json'), name)}`
    throw new Error(message, { cause })
  }
}

/** The lock file does not name the package of every platform. */
function mendBy(launcher: unknown, name: string): string {
  const version: unknown = Object(Object(launcher).optionalDependencies)[name]
  if (typeof version !== 'string') return 'there is no package of it'
  return `run \`npm install --no-save ${name}@${version}\``
}

function flags(options: AnvilOptions): string[] {
  const { blockTimeSeconds, stateFile, chainId, args = [] } = options
  const time = blockTimeSeconds === undefined ? [] : ['--block-time', String(blockTimeSeconds)]
  const interval = ['--state-interval', String(STATE_INTERVAL_SECONDS)]
  const state =
    stateFile === undefined
      ? []
      : ['--state', stateFile, ...interval, '--preserve-historical-states']
  return ['--host', '127.0.0.1', '--chain-id', String(chainId), ...time, ...state, ...args]
}

/**
 * A separate session: Ctrl-C at the terminal reaches only the parent, which stops anvil in order.
 */
function launch(binary: string, args: string[], home: string): ChildProcess {
  const env = { HOME: home }
  return spawn(binary, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Null once the child listens; its output if it ended or stayed silent. */
async function listening(child: ChildProcess): Promise<string | null> {
  let said = ''
  const limit = AbortSignal.timeout(START_LIMIT_MS)
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-STDERR_KEPT)
  })
  const up = new Promise<null>((resolve) => {
    let text = ''
    child.stdout?.on('data', function find(chunk: Buffer) {
      text += chunk.toString()
      if (!text.includes('Listening on')) return
      // Anvil keeps writing: the rest is read and dropped, so that its pipe never fills.
      child.stdout?.off('data', find).resume()
      resolve(null)
    })
  })
  const down = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code) =>
      setImmediate(() => resolve(said.trim() || `it ended with ${code}`)),
    )
  })
  const late = new Promise<string>((resolve) => {
    limit.addEventListener('abort', () => resolve(`silent for ${START_LIMIT_MS} ms`))
  })
  const outcome = await Promise.race([up, down, late])
  if (outcome !== null) child.kill('SIGKILL')
  return outcome
}

/**
 * Waits until anvil catches SIGTERM: it listens slightly earlier, and a signal in between would end
 * it without saving its state. Checked only on Linux, from the kernel's signal mask.
 */
async function catching({ pid }: ChildProcess): Promise<void> {
  for (let polls = 0; polls < CATCH_POLLS_MAX; polls += 1) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1]
    if (caught === undefined || (BigInt(`0x${caught}`) & SIGTERM_BIT) !== 0n) return
    await new Promise((resolve) => setTimeout(resolve, CATCH_POLL_MS))
  }
}

function handle(child: ChildProcess, port: number, clean: () => Promise<void>): Anvil {
  const url = `http://127.0.0.1:${port}`
  const client = rpcClient(url)
  return {
    url,
    port,
    pid: child.pid ?? 0,
    rpc: (method, params) => client.call(method, params),
    async mine(n = 1) {
      await client.call('anvil_mine', [quantity(n)])
    },
    async reorg(depth, transactions = []) {
      await client.call('anvil_reorg', [depth, transactions])
    },
    async stop() {
      client.close()
      await endChild(child)
      await clean()
    },
  }
}
