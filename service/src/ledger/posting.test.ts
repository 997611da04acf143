import type { ChainId, TokenId } from '@sluice/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Address } from '../chains/port.ts'
import { CLAIM, type LedgerAccount, isPlace, place } from './account.ts'
import { sumClaims, sumPlaces } from './balance.ts'
import { type Movement, type Posting, assertPosting, movementsOf } from './posting.ts'
import * as spends from './spend-postings.ts'

const ADDRESSES = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}` as Address)

const MOVED: spends.Moved = {
  orgId: '01990000-0000-7000-8000-000000000001',
  chainId: 'eip155:1' as ChainId,
  tokenId: 'eip155:1/slip44:60' as TokenId,
  amount: 70n,
  referenceId: '01990000-0000-7000-8000-000000000002',
  blockHeight: 9,
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

  test('a posting of nothing, or of an account to itself, is a bug [I1]', () => {
    const good = spends.withdrawalHeld(MOVED)
    expect(() => assertPosting(good)).not.toThrow()
    expect(() => assertPosting({ ...good, amount: 0n })).toThrow('without a positive amount')
    expect(() => assertPosting({ ...good, amount: -1n })).toThrow('without a positive amount')
    expect(() => assertPosting({ ...good, credit: good.debit })).toThrow('itself')
  })
})

/** Every way in which this module moves money, with what the chain must have shown for it. */
const [FROM, TO] = ADDRESSES as [Address, Address]
const AT = { kind: 'settlement', address: FROM } as const
const BETWEEN = { from: FROM, to: TO }
const MAKERS: Readonly<Record<string, () => Posting>> = {
  withdrawalHeld: () => spends.withdrawalHeld(MOVED),
  withdrawalReleased: () => spends.withdrawalReleased(MOVED),
  feeHeld: () => spends.feeHeld(MOVED),
  feeReleased: () => spends.feeReleased(MOVED),
  withdrawalPaid: () => spends.withdrawalPaid(MOVED, FROM),
  feePaid: () => spends.feePaid(MOVED, AT),
  swept: () => spends.swept(MOVED, BETWEEN),
  toppedUp: () => spends.toppedUp(MOVED, { from: BETWEEN.from, to: AT }),
}
/** Postings that change the amount at a place: only a block shows them. */
const SHOWN_BY_A_BLOCK = ['feePaid', 'swept', 'toppedUp', 'withdrawalPaid']

describe('every kind of posting', () => {
  test('no way to make one is left out here [A18]', () => {
    const made = Object.keys(spends).filter((name) => name !== 'reversalOf')
    expect(made.toSorted()).toEqual(Object.keys(MAKERS).toSorted())
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

function byBook(movements: readonly Movement[]): Map<string, Movement[]> {
  const books = new Map<string, Movement[]>()
  for (const movement of movements) {
    const book = `${movement.orgId} ${movement.chainId} ${movement.tokenId}`
    books.set(book, [...(books.get(book) ?? []), movement])
  }
  return books
}
