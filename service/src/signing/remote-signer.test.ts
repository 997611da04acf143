import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Channel,
  type KeyPath,
  type LastSigned,
  Refused,
  serveSigner,
  type Signer,
  type SigningRequest,
} from '@sluice/signer'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { RemoteSigner, SignerAway } from './remote-signer.ts'

const FROM: KeyPath = { namespace: 'bip122', isTestnet: true, wallet: 1, branch: 0, index: 2 }
const REQUEST: SigningRequest = {
  orgId: 'org',
  chainId: 'bip122:000000000933ea01ad0ee984209779ba',
  payment: { kind: 'inward', id: 'sweep', to: null },
  from: FROM,
  body: Uint8Array.of(0, 255),
  inputs: [{ path: { ...FROM, addressType: 'p2tr' }, amount: 2n ** 70n }],
}

const LAST: LastSigned = { subjects: ['ab'], slot: { kind: 'inputs', outpoints: ['cd:1'] } }

/** Answers like a signer, and remembers what it was asked. */
class Echo implements Signer {
  readonly asked: unknown[] = []
  refusal: Error | null = null

  async fingerprint(): Promise<string> {
    return '5d770e82'
  }

  async accountXpub(...asked: unknown[]): Promise<string> {
    this.asked.push(asked)
    return 'xpub'
  }

  async publicKey(...asked: unknown[]): Promise<Uint8Array> {
    this.asked.push(asked)
    return Uint8Array.of(2, 3)
  }

  async lastSigned(...asked: unknown[]): Promise<LastSigned | null> {
    this.asked.push(asked)
    return LAST
  }

  async sign(request: SigningRequest) {
    this.asked.push(request)
    if (this.refusal !== null) throw this.refusal
    return [{ r: 2n ** 255n, s: 1n, recovery: 1 }]
  }

  async order(order: unknown): Promise<string> {
    this.asked.push(order)
    return '2026-01-31T09:30:00.000Z'
  }
}

interface Link {
  signer: RemoteSigner
  echo: Echo
  errors: unknown[]
  /** The connections so far, as the client sees them. */
  channels: Channel[]
}

function link(options: { isDeaf?: boolean } = {}): Link {
  const echo = new Echo()
  const errors: unknown[] = []
  const channels: Channel[] = []
  const connect = async () => {
    const [there, back] = [new PassThrough(), new PassThrough()]
    const channel = { input: back, output: there }
    channels.push(channel)
    if (options.isDeaf !== true) {
      void serveSigner(echo, { input: there, output: back }, (error) => errors.push(error))
        .catch((error: unknown) => errors.push(error))
        .finally(() => back.end())
    }
    return channel
  }
  return { signer: new RemoteSigner(connect, 200, systemClock), echo, errors, channels }
}

describe('a signer in another process', () => {
  test('is asked and answers as one here', async () => {
    const { signer, echo, errors } = link()
    expect(await signer.fingerprint()).toBe('5d770e82')
    expect(await signer.accountXpub('org', FROM)).toBe('xpub')
    expect([...(await signer.publicKey('org', FROM))]).toEqual([2, 3])
    expect(await signer.sign(REQUEST)).toEqual([{ r: 2n ** 255n, s: 1n, recovery: 1 }])
    expect(echo.asked.at(-1)).toEqual({ ...REQUEST, body: Buffer.of(0, 255) })
    expect(await signer.lastSigned('org', REQUEST.chainId, FROM)).toEqual(LAST)
    expect(echo.asked.at(-1)).toEqual(['org', REQUEST.chainId, FROM])
    expect(errors).toEqual([])
  })

  test('is asked for a public key once', async () => {
    const { signer, echo } = link()
    await signer.publicKey('org', FROM)
    await signer.publicKey('org', { ...FROM })
    expect(echo.asked).toHaveLength(1)
    await signer.publicKey('other', FROM)
    expect(echo.asked).toHaveLength(2)
  })

  test('refuses with the code of its refusal', async () => {
    const { signer, echo, errors } = link()
    echo.refusal = new Refused('fee-too-high', 'The fee exceeds 5.')
    await expect(signer.sign(REQUEST)).rejects.toMatchObject({
      name: 'Refused',
      code: 'fee-too-high',
      message: 'The fee exceeds 5.',
    })
    expect(errors).toEqual([])
  })

  test('hides its errors from the client, and reports them', async () => {
    const { signer, echo, errors } = link()
    echo.refusal = new Error('the seed is hunter2')
    const error = await signer.sign(REQUEST).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(SignerAway)
    expect(String(error)).not.toContain('hunter2')
    expect(errors).toEqual([echo.refusal])
  })

  test('is asked again after it did not answer in time', async () => {
    const options = { isDeaf: true }
    const { signer, channels } = link(options)
    await expect(signer.sign(REQUEST)).rejects.toThrow(SignerAway)
    options.isDeaf = false
    channels.at(-1)?.input.push(null)
    await wait(10)
    expect(await signer.sign(REQUEST)).toHaveLength(1)
    expect(channels).toHaveLength(2)
  })

  test('rejects all that wait when its connection ends', async () => {
    const { signer, channels } = link({ isDeaf: true })
    const asked = [signer.sign(REQUEST), signer.accountXpub('org', FROM)]
    await wait(10)
    channels[0]?.input.push(null)
    for (const one of await Promise.allSettled(asked)) expect(one.status).toBe('rejected')
  })

  test('answers an unknown message with `malformed`', async () => {
    const { echo, errors } = link()
    const [there, back] = [new PassThrough(), new PassThrough()]
    void serveSigner(echo, { input: there, output: back }, (error) => errors.push(error))
    for (const message of [
      { id: 1 },
      { version: 1, id: 2, call: { call: 'seed' } },
      { version: 2, id: 3, call: { call: 'fingerprint' } },
    ])
      there.write(framed(message))
    await wait(10)
    const answers = String(back.read())
    expect(answers.match(/"refused":"malformed"/g)).toHaveLength(3)
    expect(errors).toEqual([])
  })

  test('cuts off who sends no frames', async () => {
    const { echo } = link()
    const input = new PassThrough()
    const serving = serveSigner(echo, { input, output: new PassThrough() }, () => undefined)
    input.write('GET / HTTP/1.1\r\n\r\n')
    await expect(serving).rejects.toThrow('a message of')
  })
})

function framed(message: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(message))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json])
}
