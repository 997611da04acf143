import type { Address } from '../../src/chains/port.ts'
import { CLAIM, type Claim, type PlaceKind, place } from '../../src/ledger/account.ts'
import type { Posting } from '../../src/ledger/posting.ts'
import type { Moved } from '../../src/ledger/spend-postings.ts'

/** Money from outside reaches a place, as `deposits/postings.ts` books it. */
export function fundingDetected(moved: Moved, at: { kind: PlaceKind; address: Address }): Posting {
  const debit = place(at.kind, at.address)
  return { ...moved, debit, credit: CLAIM.unconfirmed, reason: 'funding.detected', reversal: false }
}

/** It is credited to a claim. */
export function fundingConfirmed(moved: Moved, credit: Claim): Posting {
  const debit = CLAIM.unconfirmed
  return { ...moved, debit, credit, reason: 'funding.confirmed', reversal: false }
}
