import { isSigned } from '../approve/approval.ts'
import { require } from '../base.ts'
import { compare } from './compare.ts'
import { parseOrder, type SignedOrder } from './policy.ts'
import type { Ordered, PolicyRecord } from './record.ts'

/** The administrators of a signer, pinned when it is provisioned. */
export interface Authority {
  /** Ed25519 public keys, in hexadecimal digits. */
  keys: readonly string[]
  /** The number of admins who sign a policy or a resume. A pause needs one. */
  quorum: number
  /** Whether withdrawals are paid before there is a policy: `closed` in production. */
  withoutPolicy: 'open' | 'closed'
}

const LOOSENING_MS = 24 * 3_600_000

/**
 * Decides whether an order is valid, and when it takes effect: a looser policy after 24 hours,
 * unless another version replaces it; all other orders, and the first policy, at once.
 * `fingerprint`: of the seed; `now`: ms. Throws Refused. Pure.
 */
export function decideOrder(
  signed: SignedOrder,
  record: Pick<PolicyRecord, 'versions' | 'versionAt' | 'pause'>,
  facts: { authority: Authority; fingerprint: string; now: number },
): Ordered {
  const { authority, fingerprint, now } = facts
  const order = parseOrder(signed.text)
  require(order.signer === fingerprint, 'malformed', 'The order is for another signer.')
  const isPolicy = order.format === 'sluice/policy/1'
  const last = isPolicy ? record.versions.at(-1)?.policy : record.pause
  const next = (last?.version ?? 0) + 1
  require(order.version === next, 'stale-order', `The next version is ${next}.`)
  const message = `${order.format}\n${signed.text}`
  const valid = signed.signatures.filter(
    ({ key, signature }) =>
      authority.keys.includes(key) &&
      isSigned(message, { kind: 'ed25519', publicKey: key }, signature),
  )
  const admins = new Set(valid.map(({ key }) => key)).size
  const needed = isPolicy || !order.isPaused ? Math.max(authority.quorum, 1) : 1
  require(admins >= needed, 'quorum-missing', `${admins} of ${needed} admins signed.`)
  const active = isPolicy ? record.versionAt(now) : null
  const isLooser = isPolicy && active !== null && compare(active.policy, order) === 'looser'
  return { ...signed, activeAt: isLooser ? now + LOOSENING_MS : now }
}
