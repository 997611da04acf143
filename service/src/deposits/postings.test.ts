import { describe, expect, test } from 'vitest'
import { depositOf } from '../../test/support/sample-deposit.ts'
import { CLAIM, isPlace } from '../ledger/account.ts'
import { type Posting, assertPosting } from '../ledger/posting.ts'
import type { Booked, Funding, IncomingTransfer } from './deposit.ts'
import * as postings from './postings.ts'

const DEPOSIT = depositOf()
const FUNDING: Funding = { ...DEPOSIT, purpose: 'gas', place: 'gas' }

/** Every function of the module, for a transfer that is booked as it expects. */
const MAKERS: Readonly<Record<string, (transfer: IncomingTransfer) => Posting[]>> = {
  attributedPosting: (transfer) => [postings.attributedPosting(transfer)],
  confirmedPostings: (transfer) => postings.confirmedPostings(transfer, 30n),
  detectedPosting: (transfer) => [postings.detectedPosting(transfer)],
  heldPosting: (transfer) => [postings.heldPosting(transfer)],
  orphanedPostings: (transfer) => postings.orphanedPostings(transfer),
  releasedPosting: (transfer) => [postings.releasedPosting({ ...transfer, booked: 'held' })],
  setAsidePosting: (transfer) => [postings.setAsidePosting(transfer)],
  unattributedPosting: (transfer) => [postings.unattributedPosting(transfer)],
}

describe('the postings of an incoming transfer', () => {
  test('are all covered here [A18]', () => {
    expect(Object.keys(MAKERS).toSorted()).toEqual(Object.keys(postings).toSorted())
  })

  test.each(Object.entries(MAKERS))('of %s move its amount once [I1]', (_name, make) => {
    for (const [transfer, noun] of [
      [DEPOSIT, 'deposit.'],
      [FUNDING, 'funding.'],
    ] as const) {
      const made = make(transfer)
      for (const posting of made) {
        assertPosting(posting)
        expect(posting.reason.startsWith(noun)).toBe(true)
        expect(posting).toMatchObject({ referenceId: transfer.id, blockHeight: 9 })
      }
      expect(made.reduce((total, { amount }) => total + amount, 0n)).toBe(transfer.amount)
    }
  })

  test('change a place only if a block shows or loses it [A18]', () => {
    const shown = Object.entries(MAKERS).filter(([, make]) =>
      make(DEPOSIT).some(({ debit, credit }) => isPlace(debit) || isPlace(credit)),
    )
    const names = shown.map(([name]) => name)
    expect(names).toEqual(['detectedPosting', 'orphanedPostings', 'unattributedPosting'])
  })

  test('of a reversal return each part from its claim, flagged [R01]', () => {
    const credited = { ...FUNDING, booked: 'available', gasPart: 30n } as const
    expect(postings.orphanedPostings(credited)).toMatchObject([
      { debit: CLAIM.available, amount: 40n, reversal: true },
      { debit: CLAIM.gas, amount: 30n, reversal: true },
    ])
  })

  test.each<[bigint, string[]]>([
    [0n, [CLAIM.available]],
    [30n, [CLAIM.gas, CLAIM.available]],
    [70n, [CLAIM.gas]],
  ])('of a confirmation give %s base units to gas [X13]', (gas, claims) => {
    const made = postings.confirmedPostings(FUNDING, gas)
    expect(made.map(({ credit }) => credit)).toEqual(claims)
  })

  test('of an orphaned transfer do not exist', () => {
    const orphaned = { ...DEPOSIT, booked: 'none' as Booked }
    expect(() => postings.heldPosting(orphaned)).toThrow('no money to move')
  })
})
