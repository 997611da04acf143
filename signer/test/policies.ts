import { sign } from 'node:crypto'
import type { Pause, Policy, SignedOrder } from '../src/policy/policy.ts'
import { canonical } from '../src/policy/policy.ts'
import { PolicyRecord } from '../src/policy/record.ts'
import { ed25519, type Key, passkey, SITE } from './approvals.ts'

export const CHAIN = 'eip155:11155111'
export const NATIVE = `${CHAIN}/slip44:60`
export const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** Of the seed of the signer. */
export const FINGERPRINT = '5d770e82'
/** When the policies of the tests begin. */
export const START = Date.UTC(2026, 0, 31, 9, 30)

/** Keys of people, by the ids of their credentials. */
export const KEYS = {
  ann: passkey('ann-passkey'),
  bob: passkey('bob-passkey', 'Ed25519'),
  bobCli: ed25519('bob-cli'),
  cid: ed25519('cid-cli'),
  eve: ed25519('eve-cli'),
  fay: ed25519('fay-cli'),
}
/** Admins who sign orders. */
export const ADMINS: readonly Key[] = ['one', 'two', 'three'].map(ed25519)
export const ADMIN_KEYS = ADMINS.map(({ credential }) => credential.publicKey)

type Person = Policy['people'][number]

function person(id: string, keys: readonly Key[], changes: Partial<Person> = {}): Person {
  const credentials = keys.map(({ credential }) => credential)
  return { id, orgId: 'org', role: 'approver', isDisabled: false, credentials, ...changes }
}

/** Eve is disabled, and Fay only looks. */
export const PEOPLE: readonly Person[] = [
  person('ann', [KEYS.ann], { role: 'admin' }),
  person('bob', [KEYS.bob, KEYS.bobCli]),
  person('cid', [KEYS.cid]),
  person('eve', [KEYS.eve], { isDisabled: true }),
  person('fay', [KEYS.fay], { role: 'viewer' }),
  person('gus', [], { orgId: 'other' }),
]

/** Up to 100 with one approval, 1,000 with two and 5,000 with three. */
export const TIERS: Policy['limits'][number]['tiers'] = [
  { approvals: 1, each: '100', hour: '150', day: '200' },
  { approvals: 2, each: '1000', hour: '1500', day: '2000' },
  { approvals: 3, each: '5000', hour: '6000', day: '7000' },
]

export function policyOf(changes: Partial<Policy> = {}): Policy {
  return {
    format: 'sluice/policy/1',
    signer: FINGERPRINT,
    version: 1,
    approvalHours: 48,
    passkeys: SITE,
    people: [...PEOPLE],
    limits: [{ orgId: 'org', tokenId: NATIVE, tiers: [...TIERS] }],
    books: [],
    ...changes,
  }
}

export function bookOf(...addresses: string[]): Policy['books'][number] {
  const recipients = addresses.map((address) => ({ chainId: CHAIN, address, memo: null }))
  return { orgId: 'org', recipients }
}

export function pauseOf(version: number, isPaused: boolean): Pause {
  return { format: 'sluice/pause/1', signer: FINGERPRINT, version, isPaused }
}

/** An order as these admins sign it, by default the first two. */
export function signedBy(order: Policy | Pause, admins = ADMINS.slice(0, 2)): SignedOrder {
  return signedText(canonical(order), order.format, admins)
}

export function signedText(text: string, domain: string, admins: readonly Key[]): SignedOrder {
  const signatures = admins.map(({ credential, privateKey }) => ({
    key: credential.publicKey,
    signature: sign(null, Buffer.from(`${domain}\n${text}`), privateKey).toString('hex'),
  }))
  return { text, signatures }
}

/** A record with policies that came into force at these times. */
export function recordOf(...policies: [at: number, policy: Policy, activeAt?: number][]) {
  const record = new PolicyRecord(null)
  for (const [at, policy, activeAt = at] of policies) {
    record.apply(at, [], { ...signedBy(policy), activeAt })
  }
  return record
}
