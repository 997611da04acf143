import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../service/src/base/clock.ts'
import { connectTo } from '../../service/src/signing/connect.ts'
import { RemoteSigner, SignerAway } from '../../service/src/signing/remote-signer.ts'
import { listenOn } from './listen.ts'
import { runSigner, type SignerSettings } from './process.ts'
import type { KeyPath, SigningKeys } from './request.ts'
import { StoreDamaged } from './store.ts'

const AT: KeyPath = { namespace: 'eip155', isTestnet: true, wallet: 1, branch: 0, index: 0 }
const KEY = Uint8Array.from({ length: 33 }, (_, at) => at)

/** Keys that are not used; remembers that they were wiped. */
class NoKeys implements SigningKeys {
  readonly fingerprint = '5d770e82'
  isWiped = false

  accountXpub(): string {
    return 'xpub'
  }

  publicKey(): Uint8Array {
    return KEY
  }

  sign(): never {
    throw new Error('not asked for')
  }

  destroy(): void {
    this.isWiped = true
  }
}

let folder: string
let socket: string
let stopping: AbortController
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-signer-'))
  socket = join(folder, 'signer.sock')
  stopping = new AbortController()
})
afterEach(async () => {
  stopping.abort()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

function settings(at: SignerSettings['at'], keys = new NoKeys()): SignerSettings {
  const store = join(folder, 'signer.log')
  const authority = { keys: [], quorum: 1, withoutPolicy: 'closed' } as const
  return { keys, store, at, maxFee: () => 1n, authority, now: () => 0, report: () => undefined }
}

/** Resolves once a signer listens at the socket. */
async function listening(): Promise<RemoteSigner> {
  for (;;) {
    const signer = new RemoteSigner(() => connectTo(socket), 500, systemClock)
    try {
      await signer.fingerprint()
      return signer
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

describe('the process of a signer', () => {
  test('answers at its socket, and ends at once with open connections', async () => {
    const keys = new NoKeys()
    const running = runSigner(settings(socket, keys), stopping.signal)
    const signer = await listening()
    expect(await signer.publicKey('org', AT)).toEqual(Buffer.from(KEY))
    const idle = connect(socket)
    await once(idle, 'connect')
    const ended = once(idle, 'close')
    idle.on('error', () => undefined)
    stopping.abort()
    await running
    await ended
    expect(keys.isWiped).toBe(true)
    await expect(signer.accountXpub('org', AT)).rejects.toThrow(SignerAway)
    await expect(stat(socket)).rejects.toThrow('ENOENT')
  })

  test('opens its socket to its user and group alone', async () => {
    void runSigner(settings(socket), stopping.signal)
    await listening()
    expect((await stat(socket)).mode & 0o777).toBe(0o660)
  })

  test('takes the place of a killed signer, not of a running one', async () => {
    const first = await listenOn(socket, ECHO, () => undefined)
    await expect(runSigner(settings(socket), stopping.signal)).rejects.toThrow('Another signer')
    await first.close()
    await leaveSocket(socket)
    void runSigner(settings(socket), stopping.signal)
    expect(await (await listening()).fingerprint()).toBe('5d770e82')
  })

  test('ends when its parent closes the pipes', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const keys = new NoKeys()
    const running = runSigner(settings({ input, output }, keys), stopping.signal)
    input.end()
    await running
    expect(keys.isWiped).toBe(true)
  })

  test('refuses a damaged store, and wipes its keys', async () => {
    await writeFile(join(folder, 'signer.log'), 'not a line of a signer\n')
    const keys = new NoKeys()
    const running = runSigner(settings(socket, keys), stopping.signal)
    await expect(running).rejects.toThrow(StoreDamaged)
    expect(keys.isWiped).toBe(true)
  })
})

const ECHO = {
  fingerprint: async () => 'other',
  accountXpub: async () => 'xpub',
  publicKey: async () => KEY,
  lastSigned: async () => null,
  sign: async () => [],
  order: async () => '',
}

/** Leaves a socket behind that no process listens to. */
async function leaveSocket(path: string): Promise<void> {
  const program = join(folder, 'leave.mjs')
  const code = `import { createServer } from 'node:net'
createServer().listen(${JSON.stringify(path)}, () => process.send('listens'))`
  await writeFile(program, code)
  await chmod(program, 0o600)
  const child = fork(program, [], { execArgv: [] })
  children.push(child)
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
}
