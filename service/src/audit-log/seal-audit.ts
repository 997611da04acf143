import { assert } from '../base/assert.ts'
import type { Tx } from '../store/database.ts'
import { type AuditHead, NOTHING_SEALED, sealEntry } from './audit-head.ts'
import { deleteUnsealed, insertSeals, selectHead, selectUnsealed } from './seal-rows.ts'

/** Upper limit for one call; the caller repeats a call that reached it. */
export const SEALED_AT_ONCE_MAX = 1_000

/**
 * Seals committed entries without a seal in the order of their ids. A lease makes sure that one
 * process seals at a time; the unique numbers of the seals stop a second one. Returns the number of
 * new seals and the head.
 *
 * An entry that already has a seal, which only a forger can have written, is skipped: a second seal
 * would fail every time and stop the sealing. Verification reports such a seal if it is wrong.
 */
export async function sealAudit(tx: Tx): Promise<{ sealed: number; head: AuditHead }> {
  const [before, waiting] = await Promise.all([
    selectHead(tx),
    selectUnsealed(tx, SEALED_AT_ONCE_MAX),
  ])
  let head = before ?? NOTHING_SEALED
  if (waiting.length === 0) return { sealed: 0, head }
  const seals = waiting
    .filter(({ forged }) => !forged)
    .map(({ entry }) => {
      head = sealEntry(head, entry)
      return { ...head, entryId: entry.id }
    })
  await insertSeals(tx, seals)
  const gone = await deleteUnsealed(
    tx,
    waiting.map(({ entry }) => entry.id),
  )
  assert(gone === waiting.length, 'an entry was sealed twice', { gone, waiting: waiting.length })
  return { sealed: seals.length, head }
}

export async function readAuditHead(tx: Tx): Promise<AuditHead> {
  return (await selectHead(tx)) ?? NOTHING_SEALED
}
