import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { CHAIN, TOKEN } from '../../test/support/withdrawal-desk.ts'
import { parseHolder } from '../../test/adapters/brands.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { isAuthentic, isAuthenticApproval, macOfApproval, macOfWithdrawal } from './mac.ts'
import type { Approval, Requested, Withdrawal } from './withdrawal.ts'

const key = (seed: string) => {
  const random = new SeededRandom(seed)
  return openServiceKey({ key: random.bytes(32), random })
}
const ours = key('ours')
const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const textOrNull = fc.option(text, { nil: null })
const requested = fc.record<Requested>({
  orgId: fc.uuid(),
  id: fc.uuid(),
  chainId: fc.constant(CHAIN),
  tokenId: fc.constant(TOKEN),
  amount: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
  recipient: fc.stringMatching(/^0x[0-9a-f]{40}$/).map((address) => parseHolder(CHAIN, address)),
  memo: textOrNull,
  reference: text,
  internalNote: textOrNull,
  externalUserId: textOrNull,
  requiredApprovals: fc.integer({ min: 1, max: 9 }),
  requiredHumans: fc.integer({ min: 0, max: 9 }),
  initiator: fc.uuid(),
  createdAt: fc.integer({ min: 0, max: 2 ** 45 }),
})
const names = [
  'orgId',
  'id',
  'amount',
  'recipient',
  'memo',
  'reference',
  'internalNote',
  'externalUserId',
  'requiredApprovals',
  'requiredHumans',
  'initiator',
  'createdAt',
] as const satisfies readonly (keyof Requested)[]

describe('authentication by the service key', () => {
  test('a withdrawal stays authentic in every status [A13]', () => {
    fc.assert(
      fc.property(requested, (one) => {
        expect(isAuthentic(ours, stored(one))).toBe(true)
        expect(isAuthentic(ours, { ...stored(one), status: 'Failed', txnError: 'x' })).toBe(true)
        expect(isAuthentic(key('theirs'), stored(one))).toBe(false)
      }),
    )
  })

  test('A13 with any one field of another withdrawal it is not', () => {
    fc.assert(
      fc.property(requested, requested, fc.constantFrom(...names), (one, other, name) => {
        fc.pre(one[name] !== other[name])
        expect(isAuthentic(ours, { ...stored(one), [name]: other[name] })).toBe(false)
      }),
    )
  })

  test('A13 a text moved from one field into the next is another withdrawal', () => {
    fc.assert(
      fc.property(requested, text, text, (one, memo, reference) => {
        fc.pre(memo !== '')
        const withdrawal = stored({ ...one, memo, reference })
        const shifted = { ...withdrawal, memo: '', reference: memo + reference }
        expect(isAuthentic(ours, shifted)).toBe(false)
        expect(isAuthentic(ours, { ...withdrawal, memo: null })).toBe(false)
      }),
    )
  })

  test('A13 a consent counts for its own withdrawal, user, step and time alone', () => {
    fc.assert(
      fc.property(requested, requested, fc.uuid(), fc.uuid(), (one, other, userId, another) => {
        fc.pre(userId !== another)
        const [withdrawal, second] = [stored(one), stored(other)]
        const given = { orgId: one.orgId, id: another, withdrawalId: one.id, userId }
        const draft = { ...given, totpStep: 7, passkeyId: null, createdAt: 5 }
        const mac = macOfApproval(ours, draft, withdrawal)
        const approval: Approval = { ...draft, mac }
        const is = (changes: Partial<Approval>, of: Withdrawal = withdrawal) =>
          isAuthenticApproval(ours, { ...approval, ...changes }, of)
        expect(is({})).toBe(true)
        expect(is({ userId: another })).toBe(false)
        expect(is({ totpStep: 0 })).toBe(false)
        expect(is({ passkeyId: another })).toBe(false)
        expect(is({ createdAt: 6 })).toBe(false)
        expect(is({ withdrawalId: other.id }, second)).toBe(false)
        expect(is({}, { ...withdrawal, mac: second.mac })).toBe(false)
      }),
    )
  })
})

function stored(one: Requested): Withdrawal {
  return {
    ...one,
    mac: macOfWithdrawal(ours, one),
    status: 'Pending',
    approvers: [],
    spendId: null,
    txnHash: null,
    txnError: null,
    failureCode: null,
    fee: null,
    waitingFor: null,
    waitingSince: null,
    completedAt: null,
    updatedAt: one.createdAt,
  }
}
