import {
  type Call,
  type Channel,
  formatCall,
  type KeyPath,
  type LastSigned,
  messagesOf,
  Refused,
  type Signature,
  type SignedOrder,
  type Signer,
  type SigningRequest,
  type WalletPath,
} from '@sluice/signer'
import { type Clock, inTime, type Millis } from '../base/clock.ts'
import { type Answer, parseAnswer, type Result, signCall } from './messages.ts'

/** The signer does not answer, or not in time. The request may have been signed; ask again. */
export class SignerAway extends Error {
  override readonly name = 'SignerAway'
}

/** Opening a seed takes seconds on a slow machine. */
const START_MS = 60_000

/** Time to derive a key and sign an input of a Bitcoin transaction, on a slow machine. */
const INPUT_MS = 5
/** The database ends a transaction that is idle for five seconds. */
const SIGN_MAX_MS = 4_500

/** Keys that are kept, so that known addresses cost no question. */
const KEYS_MAX = 10_000

interface Pending {
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** A signer in another process. It connects when it is first asked, and again after a failure. */
export class RemoteSigner implements Signer {
  readonly #connect: () => Promise<Channel>
  readonly #timeoutMs: Millis
  readonly #clock: Clock
  readonly #pending = new Map<number, Pending>()
  readonly #keys = new Map<string, Uint8Array>()
  #channel: Promise<Channel> | null = null
  #asked = 0
  /** Whether the connection has answered a request. */
  #isOpen = false

  /** `timeoutMs`: how long an answer is waited for. */
  constructor(connect: () => Promise<Channel>, timeoutMs: Millis, clock: Clock) {
    this.#connect = connect
    this.#timeoutMs = timeoutMs
    this.#clock = clock
  }

  async fingerprint(): Promise<string> {
    // The first answer of a process takes as long as it takes to open the seed.
    return textOf(await this.#ask({ call: 'fingerprint' }, this.#isOpen ? undefined : START_MS))
  }

  async accountXpub(orgId: string, at: WalletPath): Promise<string> {
    const { namespace, isTestnet, wallet, addressType } = at
    const path = { namespace, isTestnet, wallet, ...(addressType && { addressType }) }
    return textOf(await this.#ask({ call: 'accountXpub', orgId, at: path }))
  }

  async publicKey(orgId: string, at: KeyPath): Promise<Uint8Array> {
    const name = JSON.stringify([orgId, at])
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const key = Buffer.from(textOf(await this.#ask({ call: 'publicKey', orgId, at })), 'hex')
    const [oldest] = this.#keys.keys()
    if (this.#keys.size >= KEYS_MAX && oldest !== undefined) this.#keys.delete(oldest)
    this.#keys.set(name, key)
    return key
  }

  async sign(request: SigningRequest): Promise<readonly Signature[]> {
    const inputs = request.inputs?.length ?? 0
    const timeoutMs = Math.min(this.#timeoutMs + inputs * INPUT_MS, SIGN_MAX_MS)
    const result = await this.#ask(signCall(request), timeoutMs)
    if (!Array.isArray(result)) throw new SignerAway('the signer answered something else')
    return result.map(({ r, s, recovery }) => ({ r: BigInt(r), s: BigInt(s), recovery }))
  }

  async lastSigned(orgId: string, chainId: string, from: KeyPath): Promise<LastSigned | null> {
    const result = await this.#ask({ call: 'lastSigned', orgId, chainId, from })
    if (result === null || (typeof result === 'object' && 'subjects' in result)) return result
    throw new SignerAway('the signer answered something else')
  }

  async order(order: SignedOrder): Promise<string> {
    return textOf(await this.#ask({ call: 'order', order }))
  }

  async #ask(call: Call, timeoutMs = this.#timeoutMs): Promise<Result> {
    const id = this.#asked++ % 2 ** 31
    const late = () => {
      throw new SignerAway(`no answer within ${timeoutMs} ms`)
    }
    try {
      return await inTime(this.#clock, { ms: timeoutMs, work: this.#send(id, call), late })
    } finally {
      this.#pending.delete(id)
    }
  }

  async #send(id: number, call: Call): Promise<Result> {
    const { output } = await this.#open()
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      output.write(formatCall(id, call))
    })
  }

  /** Ends the connection. */
  close(): void {
    void this.#channel?.then(({ output }) => output.end()).catch(() => undefined)
  }

  #open(): Promise<Channel> {
    this.#channel ??= this.#connect().then(
      (channel) => {
        void this.#listen(channel)
        return channel
      },
      (error: unknown) => {
        this.#channel = null
        throw new SignerAway(reasonOf(error))
      },
    )
    return this.#channel
  }

  /** Resolves requests until the connection ends, and then rejects the others. */
  async #listen({ input }: Channel): Promise<void> {
    let reason = 'its connection has ended'
    try {
      for await (const message of messagesOf(input)) this.#hear(parseAnswer(message))
    } catch (error) {
      reason = reasonOf(error)
    }
    this.#channel = null
    this.#isOpen = false
    for (const { reject } of this.#pending.values()) reject(new SignerAway(reason))
    this.#pending.clear()
  }

  #hear(answer: Answer | null): void {
    const asked = answer === null ? undefined : this.#pending.get(answer.id)
    this.#isOpen ||= answer !== null
    if (answer === null || asked === undefined) return
    if ('result' in answer) asked.resolve(answer.result)
    else if ('refused' in answer) asked.reject(new Refused(answer.refused, answer.message))
    else asked.reject(new SignerAway(answer.failed))
  }
}

function textOf(result: Result): string {
  if (typeof result === 'string') return result
  throw new SignerAway('the signer answered something else')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
