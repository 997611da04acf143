import { assert } from '../base/assert.ts'
import type { Tx } from '../store/database.ts'
import { type AuditHead, NOTHING_SEALED, sealEntry } from './audit-head.ts'
import { deleteUnsealed, insertSeals, selectHead, selectUnsealed } from './seal-rows.ts'

/** How many entries one step seals at most; whoever was given so many asks again. */
export const SEALED_AT_ONCE_MAX = 1_000

/**
 * Seals entries of the audit log that have committed and have no seal yet, in the order of their
 * ids, after all that is sealed. Only one may do so at a time, which a lease sees to; a second one
 * would be stopped by the numbers of the seals, which are unique. Answers with how many it sealed
 * and with the head, the old one where nothing waited.
 *
 * An entry whose seal somebody else made gets no second one: that would be refused each time, and
 * none after it would ever be sealed. Whoever verifies the log names such a seal, unless it is the
 * one that the entry would have got.
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

/** The last seal. */
export async function readAuditHead(tx: Tx): Promise<AuditHead> {
  return (await selectHead(tx)) ?? NOTHING_SEALED
}
