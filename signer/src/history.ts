import type { Slot } from './decode/decoded.ts'
import { type Ordered, PolicyRecord, type Spending } from './policy/record.ts'

/** The slot under which a payment was signed: at most one of its transactions can be included. */
export interface SignedSlot {
  /** A canonical hash, or organization and id of an inward payment. */
  subject: string
  chainId: string
  /** Path of the sender's key. */
  from: string
  /** For unspent outputs: the outputs that all its transactions share. */
  slot: Slot
  /** Number of signed transactions; equal bytes count once. */
  signed: number
  /** SHA-256 of the last unsigned transaction. */
  body: string
}

/** The withdrawals of the last transaction that a sender signed for new ones, and their slot. */
export interface LastSigned {
  /** Canonical hashes. */
  subjects: readonly string[]
  slot: Slot
}

/** The addition of one signature, or of one request for a key. */
export interface Entry {
  /** Milliseconds by the signer's clock. */
  at: number
  /** Wallets that belong to an organization from now on. */
  wallets: readonly (readonly [wallet: number, orgId: string])[]
  slots: readonly SignedSlot[]
  /** Payments that a policy allowed. */
  spendings?: readonly Spending[]
  order?: Ordered
}

/** All that was ever signed, as far as it decides about the next signature. */
export class History {
  readonly #slots = new Map<string, SignedSlot>()
  readonly #owners = new Map<number, string>()
  /** By chain and sender; without windows, which exclude no other payment. */
  readonly #last = new Map<string, LastSigned & { body: string }>()
  readonly #base: History | null
  readonly policy: PolicyRecord

  /** With a base, the history that would follow it; the base stays as it is. */
  constructor(base: History | null = null) {
    this.#base = base
    this.policy = new PolicyRecord(base?.policy ?? null)
  }

  /** The organization of a wallet; null for an unused one. */
  ownerOf(wallet: number): string | null {
    return this.#owners.get(wallet) ?? this.#base?.ownerOf(wallet) ?? null
  }

  /** The slot of a payment; null if it was never signed. */
  slotOf(subject: string): SignedSlot | null {
    return this.#slots.get(subject) ?? this.#base?.slotOf(subject) ?? null
  }

  /** The withdrawals that a sender, by the path of its key, signed last; null without any. */
  lastOf(sender: Pick<SignedSlot, 'chainId' | 'from'>): (LastSigned & { body: string }) | null {
    return this.#last.get(nameOf(sender)) ?? this.#base?.lastOf(sender) ?? null
  }

  apply({ at, wallets, slots, spendings = [], order }: Entry): void {
    this.policy.apply(at, spendings, order)
    for (const [wallet, orgId] of wallets) this.#owners.set(wallet, orgId)
    for (const slot of slots) {
      this.#slots.set(slot.subject, slot)
      this.#noteLast(slot)
    }
  }

  #noteLast(signed: SignedSlot): void {
    const { subject, slot, body } = signed
    if (!HASH.test(subject) || slot.kind === 'window') return
    const last = this.lastOf(signed)
    const isKnown = last?.subjects.includes(subject) === true
    if (signed.signed > 1 && !isKnown) return
    const isTogether = isKnown || last?.body === body
    const subjects = isTogether ? new Set([...(last?.subjects ?? []), subject]) : [subject]
    this.#last.set(nameOf(signed), { subjects: [...subjects], slot, body })
  }
}

/** A canonical hash; subjects of inward payments name their organization. */
const HASH = /^[0-9a-f]{64}$/

function nameOf({ chainId, from }: Pick<SignedSlot, 'chainId' | 'from'>): string {
  return `${chainId} ${from}`
}
