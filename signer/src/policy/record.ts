import { type Order, type Pause, type Policy, recipientKey, type SignedOrder } from './policy.ts'

/** A payment outward, as it counts for the limits of its tier and of those above. */
export interface Spending {
  orgId: string
  tokenId: string
  /** Base units, decimal. */
  amount: string
  tier: number
}

/** An order of the admins, with the time at which it takes effect (ms). */
export interface Ordered extends SignedOrder {
  activeAt: number
}

/** A version of the policy, with the times at which the signer first read its recipients (ms). */
export interface Version {
  policy: Policy
  activeAt: number
  since: ReadonlyMap<string, number>
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/** The part of the history that the policy needs. With a base, what would follow it. */
export class PolicyRecord {
  readonly #base: PolicyRecord | null
  /** Sums of the last 24 hours, by token. */
  readonly #sums = new Map<string, { minute: number; tier: number; sum: bigint }[]>()
  #versions: readonly Version[] | null = null
  #pause: Pause | null = null

  constructor(base: PolicyRecord | null) {
    this.#base = base
  }

  /** The version in force, and the one that will follow. */
  get versions(): readonly Version[] {
    return this.#versions ?? this.#base?.versions ?? []
  }

  /** The last pause or resume. */
  get pause(): Pause | null {
    return this.#pause ?? this.#base?.pause ?? null
  }

  /** The version in force; null only if there was never a policy, even if the clock goes back. */
  versionAt(now: number): Version | null {
    const all = this.versions
    return all.findLast(({ activeAt }) => activeAt <= now) ?? all[0] ?? null
  }

  /** Sum of the payments up to a tier since the minute of a time (ms). */
  spent(token: Pick<Spending, 'orgId' | 'tokenId'>, tierMax: number, since: number): bigint {
    const first = Math.floor(since / MINUTE_MS)
    return (this.#sums.get(tokenKey(token)) ?? [])
      .filter(({ minute, tier }) => minute >= first && tier <= tierMax)
      .reduce((all, { sum }) => all + sum, this.#base?.spent(token, tierMax, since) ?? 0n)
  }

  apply(at: number, spendings: readonly Spending[], ordered: Ordered | undefined): void {
    for (const spending of spendings) this.#spend(spending, Math.floor(at / MINUTE_MS))
    if (ordered === undefined) return
    const order = parseStored(ordered.text)
    if (order.format === 'sluice/pause/1') this.#pause = order
    else this.#replace(order, ordered.activeAt, at)
  }

  #spend(spending: Spending, minute: number): void {
    const { tier, amount } = spending
    const sums = this.#sums.get(tokenKey(spending)) ?? []
    const last = sums.findLast((one) => one.minute === minute && one.tier === tier)
    if (last !== undefined) last.sum += BigInt(amount)
    else {
      const recent = sums.filter((one) => one.minute >= minute - DAY_MINUTES)
      this.#sums.set(tokenKey(spending), [...recent, { minute, tier, sum: BigInt(amount) }])
    }
  }

  #replace(policy: Policy, activeAt: number, at: number): void {
    const active = this.versionAt(at)
    const keys = policy.books.flatMap(({ orgId, recipients }) =>
      recipients.map((recipient) => recipientKey(orgId, recipient)),
    )
    const since = new Map(keys.map((key) => [key, active?.since.get(key) ?? at]))
    const next = { policy, activeAt, since }
    this.#versions = active !== null && activeAt > at ? [active, next] : [next]
  }
}

function tokenKey({ orgId, tokenId }: Pick<Spending, 'orgId' | 'tokenId'>): string {
  return JSON.stringify([orgId, tokenId])
}

/** An order that was parsed before it was stored. */
function parseStored(text: string): Order {
  return JSON.parse(text) as Order
}
