import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endChild, guardChild } from './child.ts'
import { freePort } from './free-port.ts'
import { rpcClient } from './rpc-client.ts'

export interface BitcoindOptions {
  /** The program, as `tools/get-bitcoind.sh` brings it. */
  binary: string
  /** Taken as it is, or refused; without it a random free one below 32768. */
  port?: number
  /** Folder that keeps the chain over restarts; by default a scratch folder that stop() removes. */
  folder?: string
  args?: readonly string[]
}

export interface Bitcoind {
  /** With its user and password. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Calls a method; throws RpcError with the node's code and message. */
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>
  stop(): Promise<void>
}

const USER = 'sluice'
const PASSWORD = 'regtest'
const PORT_TRIES_MAX = 10
const START_POLL_MS = 50
const START_POLLS_MAX = 600
const STDERR_KEPT = 4_000
/** No peers, and nothing that slows tests down. */
const ARGS = [
  '-regtest',
  '-server=1',
  '-rpcbind=127.0.0.1',
  '-rpcallowip=127.0.0.1',
  `-rpcuser=${USER}`,
  `-rpcpassword=${PASSWORD}`,
  '-listen=0',
  '-listenonion=0',
  '-dnsseed=0',
  '-fixedseeds=0',
  '-connect=0',
  '-natpmp=0',
  '-disablewallet=1',
  '-checkmempool=0',
  '-checkblockindex=0',
  '-blockmaxweight=4000000',
  // Else an old chain would count as one that is being downloaded.
  '-maxtipage=3000000000',
]

/**
 * Starts a real bitcoind of regtest on 127.0.0.1 and waits until it answers. It ends with this
 * process, even on a kill. Throws if it does not start.
 */
export async function startBitcoind(options: BitcoindOptions): Promise<Bitcoind> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'bitcoind-')))
  const scratch = options.folder === undefined ? folder : ''
  for (let tries = 1; ; tries += 1) {
    const port = options.port ?? (await freePort())
    const args = [...ARGS, `-datadir=${folder}`, `-rpcport=${port}`, ...(options.args ?? [])]
    const child = spawn(options.binary, args, {
      env: { HOME: folder },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    guardChild(child, scratch)
    const url = `http://${USER}:${PASSWORD}@127.0.0.1:${port}`
    const failure = await answering(child, url)
    if (failure === null) return handle(child, { url, port, scratch })
    if (options.port !== undefined || tries === PORT_TRIES_MAX) {
      if (scratch !== '') await rm(scratch, { recursive: true, force: true })
      throw new Error(`bitcoind did not start on port ${port}: ${failure}`)
    }
  }
}

/** Null once the node answers; its output if it ended or stayed silent. */
async function answering(child: ChildProcess, url: string): Promise<string | null> {
  const end: { said: string; code: string | null } = { said: '', code: null }
  child.stderr?.on('data', (chunk: Buffer) => {
    end.said = (end.said + chunk.toString()).slice(-STDERR_KEPT)
  })
  child.once('error', (error) => (end.code = error.message))
  child.once('exit', (code) => (end.code = `it ended with ${code}`))
  const client = rpcClient(url)
  try {
    for (let polls = 0; polls < START_POLLS_MAX && end.code === null; polls += 1) {
      if (await isUp(() => client.call('getblockcount'))) return null
      await new Promise((resolve) => setTimeout(resolve, START_POLL_MS))
    }
    child.kill('SIGKILL')
    return end.said.trim() || (end.code ?? 'it kept silent')
  } finally {
    client.close()
  }
}

/** A node that warms up answers with an error, or not at all. */
function isUp(ask: () => Promise<unknown>): Promise<boolean> {
  return ask().then(
    () => true,
    () => false,
  )
}

function handle(
  child: ChildProcess,
  { url, port, scratch }: { url: string; port: number; scratch: string },
): Bitcoind {
  const client = rpcClient(url)
  return {
    url,
    port,
    pid: child.pid ?? 0,
    rpc: (method, params) => client.call(method, params),
    async stop() {
      client.close()
      await endChild(child)
      if (scratch !== '') await rm(scratch, { recursive: true, force: true })
    },
  }
}
