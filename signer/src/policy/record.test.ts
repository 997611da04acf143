import { describe, expect, test } from 'vitest'
import {
  bookOf,
  DAY_MS,
  HOUR_MS,
  NATIVE,
  pauseOf,
  policyOf,
  recordOf,
  RECIPIENT,
  signedBy,
  START,
} from '../../test/policies.ts'
import { type Policy, recipientKey } from './policy.ts'
import { PolicyRecord } from './record.ts'

const OTHER = `0x02${'a'.repeat(38)}`
const MINUTE_MS = 60_000
const versionsAt = (record: PolicyRecord, ...times: number[]) =>
  times.map((time) => record.versionAt(time)?.policy.version ?? null)
const add = (record: PolicyRecord, at: number, policy: Policy, activeAt = at) =>
  record.apply(at, [], { ...signedBy(policy), activeAt })
const spend = (record: PolicyRecord, at: number, amount: string, tier = 0, tokenId = NATIVE) =>
  record.apply(at, [{ orgId: 'org', tokenId, amount, tier }], undefined)
const TOKEN = { orgId: 'org', tokenId: NATIVE }

describe('a version of the policy', () => {
  test('is in force from its time on, and its predecessor until then', () => {
    const record = recordOf([START, policyOf()])
    add(record, START + 5, policyOf({ version: 2 }), START + 5 + DAY_MS)
    const later = START + 5 + DAY_MS
    expect(versionsAt(record, START, later - 1, later, later + DAY_MS)).toEqual([1, 1, 2, 2])
  })

  test('is replaced by a later one while it waits', () => {
    const record = recordOf([START, policyOf()])
    add(record, START, policyOf({ version: 2 }), START + DAY_MS)
    add(record, START + 5, policyOf({ version: 3 }), START + 5 + DAY_MS)
    expect(versionsAt(record, START + DAY_MS, START + DAY_MS + 5)).toEqual([1, 3])
    add(record, START + 6, policyOf({ version: 4 }))
    expect(versionsAt(record, START + 6, START + 2 * DAY_MS)).toEqual([4, 4])
  })

  test('stays in force when the clock goes back', () => {
    const record = recordOf([START, policyOf()])
    expect(versionsAt(record, START - DAY_MS)).toEqual([1])
    add(record, START + 5, policyOf({ version: 2 }))
    expect(versionsAt(record, START)).toEqual([2])
    expect(versionsAt(new PolicyRecord(null), START)).toEqual([null])
  })

  test('knows since when its recipients are in the address book', () => {
    const record = recordOf([START, policyOf({ books: [bookOf(RECIPIENT)] })])
    const both = (version: number) => policyOf({ version, books: [bookOf(RECIPIENT, OTHER)] })
    const since = (now: number) => {
      const version = record.versionAt(now)
      return [RECIPIENT, OTHER].map((address) =>
        version?.since.get(
          recipientKey('org', {
            ...bookOf(address).recipients[0],
            chainId: 'eip155:11155111',
            address,
            memo: null,
          }),
        ),
      )
    }
    add(record, START + 5, both(2), START + 5 + DAY_MS)
    expect(since(START + 5)).toEqual([START, undefined])
    expect(since(START + 5 + DAY_MS)).toEqual([START, START + 5])
    // A version that replaces it before it is in force starts with a new time.
    add(record, START + 7, both(3), START + 7 + DAY_MS)
    expect(since(START + 7 + DAY_MS)).toEqual([START, START + 7])
    // A recipient that was removed starts with a new time.
    add(record, START + 2 * DAY_MS, policyOf({ version: 4, books: [bookOf(OTHER)] }))
    add(record, START + 3 * DAY_MS, both(5))
    expect(since(START + 3 * DAY_MS)).toEqual([START + 3 * DAY_MS, START + 7])
  })
})

describe('a record with a base', () => {
  test('adds to it without changing it', () => {
    const base = recordOf([START, policyOf()])
    spend(base, START, '7')
    const next = new PolicyRecord(base)
    expect(versionsAt(next, START)).toEqual([1])
    spend(next, START, '5')
    add(next, START, policyOf({ version: 2 }))
    next.apply(START, [], { ...signedBy(pauseOf(1, true)), activeAt: START })
    expect([next.spent(TOKEN, 0, START), base.spent(TOKEN, 0, START)]).toEqual([12n, 7n])
    expect([versionsAt(next, START), versionsAt(base, START)]).toEqual([[2], [1]])
    expect([next.pause?.isPaused, base.pause]).toEqual([true, null])
    base.apply(START, [], { ...signedBy(pauseOf(1, true)), activeAt: START })
    expect(new PolicyRecord(base).pause?.isPaused).toBe(true)
  })
})

describe('the sum of a token', () => {
  test('has the payments since a minute, up to a tier', () => {
    const record = new PolicyRecord(null)
    spend(record, START, '1')
    spend(record, START + MINUTE_MS - 1, '10')
    spend(record, START + MINUTE_MS, '100', 1)
    spend(record, START + HOUR_MS, '1000')
    spend(record, START, '5', 0, 'other')
    const sums = (since: number) => [0, 1].map((tier) => record.spent(TOKEN, tier, since))
    expect(sums(START)).toEqual([1_011n, 1_111n])
    expect(sums(START + MINUTE_MS - 1)).toEqual([1_011n, 1_111n])
    expect(sums(START + MINUTE_MS)).toEqual([1_000n, 1_100n])
    expect(sums(START + 2 * MINUTE_MS)).toEqual([1_000n, 1_000n])
    expect(record.spent({ orgId: 'x', tokenId: NATIVE }, 9, 0)).toBe(0n)
  })

  test('keeps 24 hours and forgets the rest', () => {
    const record = new PolicyRecord(null)
    spend(record, START, '1')
    spend(record, START + MINUTE_MS, '10')
    spend(record, START + DAY_MS, '100')
    expect(record.spent(TOKEN, 0, START)).toBe(111n)
    spend(record, START + DAY_MS + MINUTE_MS, '1000')
    expect(record.spent(TOKEN, 0, START)).toBe(1_110n)
  })
})
