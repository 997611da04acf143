import type { Catalogue } from '../catalogue/find.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import type { Deposit } from './deposit.ts'
import { depositPayload } from './payload.ts'

/** Emits `deposit.held` for a deposit that was held in the commit that detected it. */
export function tellHeld(tx: Tx, catalogue: Catalogue, deposit: Deposit): void {
  const token = catalogue.summary(deposit.tokenId)
  const payload = depositPayload(deposit, { token, tipHeight: deposit.block.height })
  appendEvent(tx, {
    orgId: deposit.orgId,
    type: 'deposit.held',
    subjectId: deposit.id,
    payload: { ...payload, reason: deposit.heldCause },
  })
}

/**
 * Tells of a deposit that is new or came back, as it is in its own block: no confirmations yet,
 * whatever the blocks that came with it made of it.
 */
export function tellDetected(tx: Tx, catalogue: Catalogue, deposit: Deposit): void {
  const token = catalogue.summary(deposit.tokenId)
  appendEvent(tx, {
    orgId: deposit.orgId,
    type: 'deposit.detected',
    subjectId: deposit.id,
    payload: depositPayload(
      { ...deposit, status: 'Detected' },
      { token, tipHeight: deposit.block.height },
    ),
  })
}
