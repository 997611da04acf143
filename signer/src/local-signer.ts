import { Refused, assert } from './base.ts'
import { check, claimWallets, pathText } from './check.ts'
import { addressOf } from './decode/address.ts'
import { decodeUnsigned, digestsOf } from './decode/decode.ts'
import { Undecodable } from './decode/decoded.ts'
import { type Entry, History, type LastSigned } from './history.ts'
import { type Authority, decideOrder } from './policy/order.ts'
import type { SignedOrder } from './policy/policy.ts'
import type {
  KeyPath,
  Signature,
  Signer,
  SigningKeys,
  SigningRequest,
  WalletPath,
} from './request.ts'
import type { Store } from './store.ts'

/** The parts of a signer. */
export interface SignerParts {
  keys: SigningKeys
  history: History
  store: Store
  /** Milliseconds. */
  now: () => number
  /** Highest fee of a transaction on a chain, in native base units. */
  maxFee: (chainId: string) => bigint
  authority: Authority
}

/** A request that waits for the store. */
interface Waiting {
  /** Returns the addition to the history. Throws Refused. */
  decide: (history: History) => Entry
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * The signer in this process: it alone has the keys. Requests that arrive while the store writes
 * are decided together and stored at once. No key is used before its entry is on disk.
 */
export class LocalSigner implements Signer {
  readonly #parts: SignerParts
  readonly #waiting: Waiting[] = []
  #isStoring = false

  constructor(parts: SignerParts) {
    this.#parts = parts
  }

  async fingerprint(): Promise<string> {
    return this.#parts.keys.fingerprint
  }

  async accountXpub(orgId: string, at: WalletPath): Promise<string> {
    await this.#store((history) => this.#claim(history, orgId, at))
    return this.#parts.keys.accountXpub(at)
  }

  async publicKey(orgId: string, at: KeyPath): Promise<Uint8Array> {
    await this.#store((history) => this.#claim(history, orgId, at))
    return this.#parts.keys.publicKey(at)
  }

  async sign(request: SigningRequest): Promise<readonly Signature[]> {
    const { keys, now, maxFee, authority } = this.#parts
    const { chainId, from, body } = request
    const addressAt = addressesOn(chainId, keys)
    const inputs = request.inputs?.map(({ path, amount }) => ({ address: addressAt(path), amount }))
    const decoded = decode(() => decodeUnsigned(chainId, body, inputs))
    const { withoutPolicy } = authority
    const checking = { decoded, addressAt, maxFee: maxFee(chainId), withoutPolicy }
    await this.#store((history) => check(request, { ...checking, history, now: now() }))
    const digests = digestsOf(chainId, body, inputs)
    return digests.map((digest, at) => {
      const path = request.inputs === undefined ? from : request.inputs[at]?.path
      assert(path !== undefined, 'a digest without its key')
      return keys.sign(path, digest)
    })
  }

  async lastSigned(orgId: string, chainId: string, from: KeyPath): Promise<LastSigned | null> {
    let last: LastSigned | null = null
    await this.#store((history) => {
      const found = history.lastOf({ chainId, from: pathText(from) })
      last = found && { subjects: found.subjects, slot: found.slot }
      return this.#claim(history, orgId, from)
    })
    return last
  }

  async order(signed: SignedOrder): Promise<string> {
    const { keys, authority, now } = this.#parts
    const facts = { authority, fingerprint: keys.fingerprint, now: now() }
    let activeAt = 0
    await this.#store(({ policy }) => {
      const order = decideOrder(signed, policy, facts)
      activeAt = order.activeAt
      return { at: facts.now, wallets: [], slots: [], order }
    })
    return new Date(activeAt).toISOString()
  }

  #claim(history: History, orgId: string, { wallet }: WalletPath): Entry {
    return { at: this.#parts.now(), wallets: claimWallets(orgId, [wallet], history), slots: [] }
  }

  #store(decide: Waiting['decide']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ decide, resolve, reject })
      if (!this.#isStoring) void this.#storeAll()
    })
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true
    while (this.#waiting.length > 0) {
      const all = this.#waiting.splice(0)
      try {
        for (const { resolve } of await this.#storeOnce(all)) resolve()
      } catch (error) {
        for (const { reject } of all) reject(error)
      }
    }
    this.#isStoring = false
  }

  /** Decides and stores; again if another process was first. Returns the work that is stored. */
  async #storeOnce(all: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { history, store } = this.#parts
    for (let rest = all; ; ) {
      await store.catchUp()
      const next = new History(history)
      const entries: Entry[] = []
      rest = rest.filter(({ decide, reject }) => {
        try {
          const entry = decide(next)
          next.apply(entry)
          const { wallets, slots, order } = entry
          if (wallets.length + slots.length > 0 || order !== undefined) entries.push(entry)
          return true
        } catch (error) {
          reject(error)
          return false
        }
      })
      if (entries.length === 0 || (await store.append(entries))) return rest
    }
  }
}

/** Addresses of keys on a chain; each is derived once. */
function addressesOn(chainId: string, keys: SigningKeys): (at: KeyPath) => string {
  const known = new Map<string, string>()
  return (at) => {
    const name = pathText(at)
    const address = known.get(name) ?? addressOf(chainId, keys.publicKey(at), at.addressType)
    known.set(name, address)
    return address
  }
}

function decode<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Undecodable) throw new Refused('undecodable', error.message)
    throw error
  }
}
