import type { ChainId, TokenId } from '@sluice/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Address } from '../chains/port.ts'
import { CLAIM, type LedgerAccount, isPlace, place } from './account.ts'
import { sumClaims, sumPlaces } from './balance.ts'
import {
  type BookedDeposit,
  type Movement,
  type Posting,
  assertPosting,
  confirmed,
  detected,
  held,
  movementsOf,
  orphaned,
  released,
  setAside,
} from './posting.ts'
import * as deposits from './posting.ts'
import * as spends from './spend-postings.ts'

const ADDRESSES = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}` as Address)

const DEPOSIT: BookedDeposit = {
  orgId: '01990000-0000-7000-8000-000000000001',
  id: '01990000-0000-7000-8000-000000000002',
  chainId: 'eip155:1' as ChainId,
  tokenId: 'eip155:1/slip44:60' as TokenId,
  address: ADDRESSES[0] as Address,
  amount: 70n,
  booked: 'unconfirmed',
  block: { height: 9 },
}

const ACCOUNTS: readonly LedgerAccount[] = [
  ...Object.values(CLAIM),
  ...ADDRESSES.map((address) => place('deposits', address)),
  ...ADDRESSES.map((address) => place('settlement', address)),
  ...ADDRESSES.map((address) => place('gas', address)),
]

const anyPosting: fc.Arbitrary<Posting> = fc
  .record({
    orgId: fc.constantFrom('org-1', 'org-2'),
    chainId: fc.constantFrom('eip155:1' as ChainId, 'eip155:56' as ChainId),
    tokenId: fc.constantFrom('t/1' as TokenId, 't/2' as TokenId),
    debit: fc.constantFrom(...ACCOUNTS),
    credit: fc.constantFrom(...ACCOUNTS),
    amount: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
    reason: fc.constant('test'),
    reversal: fc.boolean(),
    referenceId: fc.uuid(),
    blockHeight: fc.option(fc.nat()),
  })
  .filter(({ debit, credit }) => debit !== credit)

describe('postings', () => {
  test('places and claims stay equal after any postings [I1]', () => {
    fc.assert(
      fc.property(fc.array(anyPosting, { maxLength: 60 }), (postings) => {
        for (const balances of byBook(postings.flatMap(movementsOf)).values()) {
          expect(sumPlaces(balances)).toBe(sumClaims(balances))
        }
      }),
    )
  })

  test('a posting changes two accounts by its amount [I1]', () => {
    fc.assert(
      fc.property(anyPosting, (posting) => {
        const [debit, credit] = movementsOf(posting)
        expect(debit.amount).toBe(isPlace(posting.debit) ? posting.amount : -posting.amount)
        expect(credit.amount).toBe(isPlace(posting.credit) ? -posting.amount : posting.amount)
        for (const { orgId, chainId, tokenId } of [debit, credit]) {
          const { orgId: org, chainId: chain, tokenId: token } = posting
          expect([orgId, chainId, tokenId]).toEqual([org, chain, token])
        }
      }),
    )
  })

  test('a posting of zero or to itself is a bug [I1]', () => {
    const good = detected(DEPOSIT)
    expect(() => assertPosting(good)).not.toThrow()
    expect(() => assertPosting({ ...good, amount: 0n })).toThrow('without a positive amount')
    expect(() => assertPosting({ ...good, amount: -1n })).toThrow('without a positive amount')
    expect(() => assertPosting({ ...good, credit: good.debit })).toThrow('itself')
  })
})

/** Every way in which this room moves money, with what the chain must have shown for it. */
const AT = { kind: 'settlement', address: DEPOSIT.address } as const
const MOVED = { ...DEPOSIT, referenceId: DEPOSIT.id, blockHeight: 9 }
const BETWEEN = { from: DEPOSIT.address, to: ADDRESSES[1] as Address }
const MAKERS: Readonly<Record<string, () => Posting>> = {
  detected: () => detected(DEPOSIT),
  parked: () => deposits.parked(DEPOSIT),
  attributed: () => deposits.attributed(DEPOSIT),
  confirmed: () => confirmed(DEPOSIT),
  setAside: () => setAside(DEPOSIT),
  held: () => held(DEPOSIT),
  released: () => released({ ...DEPOSIT, booked: 'held' }),
  orphaned: () => orphaned(DEPOSIT),
  withdrawalHeld: () => spends.withdrawalHeld(MOVED),
  withdrawalReleased: () => spends.withdrawalReleased(MOVED),
  feeHeld: () => spends.feeHeld(MOVED),
  feeReleased: () => spends.feeReleased(MOVED),
  withdrawalPaid: () => spends.withdrawalPaid(MOVED, DEPOSIT.address),
  feePaid: () => spends.feePaid(MOVED, AT),
  swept: () => spends.swept(MOVED, BETWEEN),
  toppedUp: () => spends.toppedUp(MOVED, { from: BETWEEN.from, to: AT }),
  fundingDetected: () => spends.fundingDetected(MOVED, AT),
  fundingConfirmed: () => spends.fundingConfirmed(MOVED, CLAIM.available),
  fundingHeld: () => spends.fundingHeld(MOVED),
  fundingOrphaned: () => spends.fundingOrphaned(MOVED, { standing: CLAIM.unconfirmed, at: AT }),
}
/** Postings that change a place, which only a block can cause. */
const SHOWN_BY_A_BLOCK = [
  'detected',
  'feePaid',
  'fundingDetected',
  'fundingOrphaned',
  'orphaned',
  'parked',
  'swept',
  'toppedUp',
  'withdrawalPaid',
]

describe('every kind of posting', () => {
  test('is listed in this test [A18]', () => {
    const others = ['assertPosting', 'movementsOf', 'reversalOf']
    const made = [...Object.keys(deposits), ...Object.keys(spends)]
    expect(made.filter((name) => !others.includes(name)).toSorted()).toEqual(
      Object.keys(MAKERS).toSorted(),
    )
  })

  test.each(Object.entries(MAKERS))(
    '%s moves between claims, or changes a place as well [A18]',
    (name, make) => {
      const { debit, credit, blockHeight } = make()
      const touchesPlace = isPlace(debit) || isPlace(credit)
      expect(touchesPlace).toBe(SHOWN_BY_A_BLOCK.includes(name))
      if (touchesPlace) expect(blockHeight).toBe(9)
      for (const one of [make(), spends.reversalOf(make())]) {
        const [first, second] = movementsOf(one)
        // Claims grow by exactly the amount that places gain.
        const grown = sumClaims([first, second])
        expect(grown).toBe(sumPlaces([first, second]))
        if (!touchesPlace) expect(grown).toBe(0n)
      }
    },
  )
})

/** The steps of a deposit, each with its claims before and after. */
const STEPS = {
  confirmed: [confirmed, 'claim:unconfirmed', 'claim:available'],
  setAside: [setAside, 'claim:unconfirmed', 'claim:below_minimum'],
  held: [held, 'claim:unconfirmed', 'claim:held'],
} as const

describe('postings of a deposit', () => {
  test('a detected deposit is unconfirmed [I2]', () => {
    expect(detected(DEPOSIT)).toEqual({
      orgId: DEPOSIT.orgId,
      chainId: DEPOSIT.chainId,
      tokenId: DEPOSIT.tokenId,
      debit: `place:deposits:${DEPOSIT.address}`,
      credit: 'claim:unconfirmed',
      amount: 70n,
      reason: 'deposit.detected',
      reversal: false,
      referenceId: DEPOSIT.id,
      blockHeight: 9,
    })
  })

  test.each(Object.entries(STEPS))(
    'I2 %s: the claim changes, the place does not',
    (_name, step) => {
      const [make, debit, credit] = step
      expect(make(DEPOSIT)).toMatchObject({ debit, credit, amount: 70n, reversal: false })
    },
  )

  test('a small or held deposit is moved from its claim [I4]', () => {
    const small = { ...DEPOSIT, booked: 'below_minimum' } as const
    const stopped = { ...DEPOSIT, booked: 'held' } as const
    expect(confirmed(small)).toMatchObject({ debit: CLAIM.belowMinimum, credit: CLAIM.available })
    expect(held(small)).toMatchObject({ debit: CLAIM.belowMinimum, credit: CLAIM.held })
    expect(released(stopped)).toMatchObject({ debit: CLAIM.held, credit: CLAIM.unconfirmed })
  })

  test.each(['unconfirmed', 'available', 'below_minimum', 'held'] as const)(
    'I2 orphaned while %s: the place is empty again, by a reversal',
    (booked) => {
      expect(orphaned({ ...DEPOSIT, booked })).toMatchObject({
        debit: `claim:${booked}`,
        credit: `place:deposits:${DEPOSIT.address}`,
        amount: 70n,
        reversal: true,
      })
    },
  )

  test('an orphaned deposit cannot be moved [I4]', () => {
    const orphan = { ...DEPOSIT, booked: 'none' } as const
    expect(() => confirmed(orphan)).toThrow('no booked amount')
    expect(() => orphaned(orphan)).toThrow('no booked amount')
  })
})

function byBook(movements: readonly Movement[]): Map<string, Movement[]> {
  const books = new Map<string, Movement[]>()
  for (const movement of movements) {
    const book = `${movement.orgId} ${movement.chainId} ${movement.tokenId}`
    books.set(book, [...(books.get(book) ?? []), movement])
  }
  return books
}
