import { describe, expect, test } from 'vitest'
import { assertionOf, signatureOf } from '../../test/approvals.ts'
import {
  bookOf,
  CHAIN,
  DAY_MS,
  HOUR_MS,
  KEYS,
  NATIVE,
  policyOf,
  recordOf,
  RECIPIENT,
  START,
} from '../../test/policies.ts'
import type { Approval } from '../approve/approval.ts'
import { Refused } from '../base.ts'
import { withdrawalHash } from '../hash.ts'
import type { PaidWithdrawal } from '../request.ts'
import { decidePolicy } from './decide.ts'
import type { Policy } from './policy.ts'

const NOW = START + 2 * DAY_MS
const WITHDRAWAL: PaidWithdrawal = {
  orgId: 'org',
  id: 'one',
  chainId: CHAIN,
  tokenId: NATIVE,
  amount: '100',
  recipient: RECIPIENT,
  memo: null,
  reference: 'r-1',
  createdAt: new Date(NOW - HOUR_MS).toISOString(),
}
type Sign = (hash: string) => Approval
const ann: Sign = (hash) => assertionOf(KEYS.ann, hash)
const bob: Sign = (hash) => assertionOf(KEYS.bob, hash)
const bobCli: Sign = (hash) => signatureOf(KEYS.bobCli, hash)
const cid: Sign = (hash) => signatureOf(KEYS.cid, hash)
const eve: Sign = (hash) => signatureOf(KEYS.eve, hash)
const fay: Sign = (hash) => signatureOf(KEYS.fay, hash)
const said =
  (personId: string): Sign =>
  () => ({ kind: 'attested', personId })

interface Case {
  withdrawals?: (Partial<PaidWithdrawal> & { by?: Sign[] })[]
  policy?: Partial<Policy>
  spent?: [ago: number, amount: string, tier: number][]
  record?: ReturnType<typeof recordOf>
  now?: number
}

/** The tiers of the payments, or the refusal. */
function decide({ withdrawals = [{}], policy, spent = [], record, now = NOW }: Case): string {
  const known = record ?? recordOf([START, policyOf(policy)])
  for (const [ago, amount, tier] of spent) {
    known.apply(NOW - ago, [{ orgId: 'org', tokenId: NATIVE, amount, tier }], undefined)
  }
  const all = withdrawals.map(({ by = [ann], ...changes }) => {
    const fields = { ...WITHDRAWAL, ...changes }
    const hash = withdrawalHash(fields)
    return { ...fields, approvals: by.map((sign) => sign(hash)) }
  })
  const version = known.versionAt(now)
  if (version === null) return 'no version'
  try {
    return decidePolicy(all, version, known, now)
      .map(({ tier }) => `tier ${tier}`)
      .join(', ')
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}
const pay = (amount: string, by: Sign[], more: Partial<PaidWithdrawal> = {}): Case => ({
  withdrawals: [{ ...more, amount, by }],
})

describe('the approvals of a payment', () => {
  test.each<[string, Case, string]>([
    ['of one person, in the lowest tier', pay('100', [ann]), 'tier 0'],
    ['of no person', pay('100', []), 'approvals-missing'],
    ['of the service for a person', pay('100', [said('ann')]), 'tier 0'],
    ['of the service for an unknown person', pay('100', [said('zoe')]), 'approvals-missing'],
    ['of the service for a disabled person', pay('100', [said('eve')]), 'approvals-missing'],
    ['of the service for a viewer', pay('100', [said('fay')]), 'approvals-missing'],
    ['of the service for another organization', pay('100', [said('gus')]), 'approvals-missing'],
    ['of two people above the lowest tier', pay('101', [ann, bob]), 'tier 1'],
    ['of one person there', pay('101', [ann]), 'approvals-missing'],
    ['of one person twice', pay('101', [ann, ann]), 'approvals-missing'],
    ['of one person with two keys', pay('101', [bob, bobCli]), 'approvals-missing'],
    ['of the service above the lowest tier', pay('101', [ann, said('bob')]), 'approvals-missing'],
    ['of the service beside two people', pay('101', [said('ann'), ann, bobCli]), 'tier 1'],
    ['of a disabled person', pay('101', [ann, eve]), 'approvals-missing'],
    ['of a viewer', pay('101', [ann, fay]), 'approvals-missing'],
    ['of three people in the highest tier', pay('1001', [ann, bobCli, cid]), 'tier 2'],
    ['of two people there', pay('1001', [ann, bob, bobCli]), 'approvals-missing'],
    ['of more people than needed', pay('101', [ann, bob, cid, eve]), 'tier 1'],
    [
      'of another withdrawal',
      pay('100', [() => ann(withdrawalHash({ ...WITHDRAWAL, id: 'two' }))]),
      'approvals-missing',
    ],
    [
      'of a key of another person',
      pay('100', [(hash) => ({ ...cid(hash), credentialId: 'bob-cli' })]),
      'approvals-missing',
    ],
  ])('%s are decided', (_what, one, verdict) => {
    expect(decide(one)).toBe(verdict)
  })

  test('do not count with a revoked key', () => {
    const people = policyOf().people.map((person) => ({
      ...person,
      credentials: person.credentials.map((one) => ({ ...one, isRevoked: one.id === 'bob-cli' })),
    }))
    expect(decide({ ...pay('101', [ann, bobCli]), policy: { people } })).toBe('approvals-missing')
    expect(decide({ ...pay('101', [ann, bob]), policy: { people } })).toBe('tier 1')
  })

  test('are not needed where the policy needs none', () => {
    const limits = [
      { orgId: 'org', tokenId: NATIVE, tiers: [{ approvals: 0, each: '9', hour: '9', day: '9' }] },
    ]
    const old = { createdAt: 'never' }
    expect(decide({ ...pay('9', [], old), policy: { limits } })).toBe('tier 0')
    expect(decide({ ...pay('10', [ann], old), policy: { limits } })).toBe('cap-exceeded')
  })

  test.each([
    [48 * HOUR_MS, 'tier 0'],
    [48 * HOUR_MS + 1, 'approvals-expired'],
    [-300_000, 'tier 0'],
    [-300_001, 'approvals-expired'],
  ])('of a withdrawal that was made %i ms ago are decided: %s', (ago, verdict) => {
    expect(decide(pay('1', [ann], { createdAt: new Date(NOW - ago).toISOString() }))).toBe(verdict)
    expect(decide(pay('1', [said('ann')], { createdAt: 'never' }))).toBe('approvals-expired')
  })
})

describe('the limits of a token', () => {
  const all = [ann, bob, cid]
  test.each<[string, Case, string]>([
    ['the limit of a payment', pay('5000', all), 'tier 2'],
    ['more than it', pay('5001', all), 'cap-exceeded'],
    ['the limit of the lowest tier', pay('100', all), 'tier 0'],
    ['a higher tier instead', pay('101', all), 'tier 1'],
    ['the rest of an hour', { ...pay('50', all), spent: [[HOUR_MS, '100', 0]] }, 'tier 0'],
    ['more than an hour', { ...pay('51', all), spent: [[HOUR_MS, '100', 0]] }, 'tier 1'],
    ['a new hour', { ...pay('51', all), spent: [[HOUR_MS + 60_000, '100', 0]] }, 'tier 0'],
    ['the rest of a day', { ...pay('50', all), spent: [[DAY_MS, '150', 0]] }, 'tier 0'],
    ['more than a day', { ...pay('51', all), spent: [[DAY_MS, '150', 0]] }, 'tier 1'],
    ['a new day', { ...pay('51', all), spent: [[DAY_MS + 60_000, '150', 0]] }, 'tier 0'],
    ['payments of higher tiers', { ...pay('100', all), spent: [[1, '1400', 1]] }, 'tier 0'],
    ['payments of lower tiers', { ...pay('101', all), spent: [[1, '1399', 0]] }, 'tier 1'],
    ['too many of lower tiers', { ...pay('101', all), spent: [[1, '1400', 0]] }, 'tier 2'],
    [
      'all of an hour',
      {
        ...pay('1', all),
        spent: [
          [1, '150', 0],
          [1, '1350', 1],
          [1, '4499', 2],
        ],
      },
      'tier 2',
    ],
    [
      'more than all of an hour',
      {
        ...pay('2', all),
        spent: [
          [1, '150', 0],
          [1, '1350', 1],
          [1, '4499', 2],
        ],
      },
      'cap-exceeded',
    ],
    [
      'all of a day',
      {
        ...pay('1000', all),
        spent: [
          [2 * HOUR_MS, '6000', 2],
          [1, '1', 9],
        ],
      },
      'tier 1',
    ],
    ['another token', pay('1', all, { tokenId: `${CHAIN}/erc20:${RECIPIENT}` }), 'no-policy'],
    ['another organization', pay('1', all, { orgId: 'other' }), 'no-policy'],
    [
      'the id of the token in another case',
      pay('1', all, { tokenId: NATIVE.toUpperCase() }),
      'no-policy',
    ],
  ])('are kept with %s', (_what, one, verdict) => {
    expect(decide(one)).toBe(verdict)
  })

  test('escalate a split amount to more people', () => {
    const halves = (by: Sign[]) =>
      decide({ withdrawals: ['one', 'two'].map((id) => ({ id, amount: '80', by })) })
    expect(halves([ann])).toBe('approvals-missing')
    expect(halves([ann, bob])).toBe('tier 0, tier 1')
  })
})

describe('an address book', () => {
  const books = [bookOf(RECIPIENT)]
  const record = () => recordOf([NOW - DAY_MS, policyOf({ books })])
  test.each<[string, Case, string]>([
    ['a recipient that was added 24 hours ago', { record: record() }, 'tier 0'],
    ['a recipient that is newer', { record: record(), now: NOW - 1 }, 'recipient-too-new'],
    [
      'another recipient',
      { record: record(), ...pay('1', [ann], { recipient: `${RECIPIENT.slice(0, -1)}8` }) },
      'unknown-recipient',
    ],
    [
      'another chain',
      { record: record(), ...pay('1', [ann], { chainId: 'eip155:1' }) },
      'unknown-recipient',
    ],
    [
      'the recipient in lower case, and a note',
      { record: record(), ...pay('1', [ann], { recipient: RECIPIENT.toLowerCase(), memo: 'x' }) },
      'tier 0',
    ],
    [
      'an organization without one',
      { policy: { books: [{ ...books[0], recipients: [], orgId: 'x' }] } },
      'tier 0',
    ],
    ['no recipient', { policy: { books: [bookOf()] } }, 'unknown-recipient'],
  ])('is kept with %s', (_what, one, verdict) => {
    expect(decide(one)).toBe(verdict)
  })
})
