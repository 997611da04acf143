import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { closed, Credential, Hex, Id, parseJson, publicKeyOf, Site } from '../approve/approval.ts'
import { require } from '../base.ts'
import { foldAddress } from '../decode/address.ts'

const Whole = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
const Amount = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' })
const Role = Type.Enum(['viewer', 'operator', 'approver', 'admin'])
const PERSON = { id: Id, orgId: Id, role: Role, isDisabled: Type.Boolean() }
const Person = Type.Object({ ...PERSON, credentials: Type.Array(Credential) }, closed)

/**
 * The approvals that a payment needs: of at most `each`, if the payments of this and of lower tiers
 * stay within `hour` and `day`. Base units.
 */
const Tier = Type.Object({ approvals: Whole, each: Amount, hour: Amount, day: Amount }, closed)
type Tier = Static<typeof Tier>
const Tiers = Type.Array(Tier, { minItems: 1, maxItems: 10 })
const Memo = Type.Union([Id, Type.Null()])
const Recipient = Type.Object({ chainId: Id, address: Id, memo: Memo }, closed)
/** `signer`: fingerprint of the seed, because admins may have several signers. */
const ADDRESSED = { signer: Id, version: Whole }

/** The payments that the admins allow. */
export const Policy = Type.Object(
  {
    format: Type.Literal('sluice/policy/1'),
    ...ADDRESSED,
    /** Time from the creation of a withdrawal in which approvals count. */
    approvalHours: Whole,
    passkeys: Site,
    people: Type.Array(Person),
    /** A token without limits is not paid, and no payment that fits in none of its tiers. */
    limits: Type.Array(Type.Object({ orgId: Id, tokenId: Id, tiers: Tiers }, closed)),
    /** An organization with an address book pays only its recipients. */
    books: Type.Array(Type.Object({ orgId: Id, recipients: Type.Array(Recipient) }, closed)),
  },
  closed,
)
export type Policy = Static<typeof Policy>

/** Stops all signatures, or allows them again. */
const PAUSE = { format: Type.Literal('sluice/pause/1'), isPaused: Type.Boolean() }
const Pause = Type.Object({ ...PAUSE, ...ADDRESSED }, closed)
export type Pause = Static<typeof Pause>
const Order = Type.Union([Policy, Pause])
export type Order = Static<typeof Order>

/** An order of admins: canonical JSON, and Ed25519 signatures over `<format>\n<JSON>`. */
const Signatures = Type.Array(Type.Object({ key: Hex, signature: Hex }, closed), { maxItems: 50 })
export const SignedOrder = Type.Object({ text: Type.String(), signatures: Signatures }, closed)
export type SignedOrder = Static<typeof SignedOrder>

/** The JSON of a value without blanks and with sorted keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}

/** Reads an order. Throws Refused (`malformed`) if it is not canonical, or contradicts itself. */
export function parseOrder(text: string): Order {
  const order = parseJson(text)
  const isOrder = Value.Check(Order, order) && canonical(order) === text
  require(isOrder, 'malformed', 'The order is not canonical JSON of a known format.')
  if (order.format === 'sluice/policy/1') checkPolicy(order)
  return order
}

/** The people of an organization who may approve. */
export function approversOf({ people }: Policy, orgId: string): Policy['people'] {
  const isApprover = /^(approver|admin)$/
  return people.filter((one) => one.orgId === orgId && !one.isDisabled && isApprover.test(one.role))
}

/** A recipient as text, equal for equal ones. A memo counts on the chains whose bytes have it. */
export function recipientKey(orgId: string, recipient: Static<typeof Recipient>): string {
  const { chainId, address, memo } = recipient
  const carried = /^(tron|xrpl):/.test(chainId) ? memo : null
  return JSON.stringify([orgId, chainId, foldAddress(address), carried ?? ''])
}

/** Whether no limit of a tier is above that of another. */
export function isLower(tier: Tier, other: Tier): boolean {
  return (['each', 'hour', 'day'] as const).every(
    (name) => BigInt(tier[name]) <= BigInt(other[name]),
  )
}

function checkPolicy({ people, limits, books }: Policy): void {
  const credentials = people.flatMap((person) => person.credentials)
  // Keys with the same x have the same owner, in either encoding and with either sign.
  const keys = credentials.map((credential) => publicKeyOf(credential)?.export({ format: 'jwk' }).x)
  require(!keys.includes(undefined), 'malformed', 'The policy has an unreadable public key.')
  const tokens = limits.map(({ orgId, tokenId }) => canonical([orgId, tokenId]))
  const ids = [...people, ...credentials].map(({ id }) => id)
  const isUnique = [ids, keys, tokens, books.map(({ orgId }) => orgId)].every(
    (list) => new Set(list).size === list.length,
  )
  require(isUnique, 'malformed', 'The policy names a person, key, token or address book twice.')
  const isAscending = ({ tiers }: Policy['limits'][number]) =>
    tiers.every((tier, index) => {
      const last = tiers[index - 1] ?? tier
      return last.approvals <= tier.approvals && isLower(last, tier)
    })
  require(limits.every(isAscending), 'malformed', 'A tier is below the one before it.')
}
