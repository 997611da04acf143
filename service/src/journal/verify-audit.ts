import type { Millis } from '../base/clock.ts'
import type { Database, Tx } from '../store/database.ts'
import type { AuditBreak } from './audit-break.ts'
import { type AuditHead, NOTHING_SEALED, sealEntry } from './audit-head.ts'
import {
  type SealRow,
  selectHead,
  selectLost,
  selectNeverSealed,
  selectSeals,
  selectWaiting,
} from './seal-rows.ts'

const READ_AT_ONCE = 1_000

/** What the audit log is found to be. */
export interface AuditVerdict {
  /** The last seal that follows from all before it. */
  head: AuditHead
  /** How many entries wait for a seal. */
  waiting: number
  /** What is wrong first, in the order of the seals; null where all is as it was written. */
  wrong: AuditBreak | null
}

/**
 * Follows the chain of seals and compares each with its entry; then looks for entries that never
 * get one. `heads` are some that were kept elsewhere: the chain must have had each of them. Begins
 * after `from` where that is known to hold, and then has nothing to say of what is before it; but
 * that seal must still be there. Where `signal` tells it to stop it has seen no more than up to the
 * head that it answers with, and `wrong` says nothing of what comes after.
 */
export async function verifyAudit(
  database: Database,
  given: { heads?: readonly AuditHead[]; from?: AuditHead; signal?: AbortSignal } = {},
): Promise<AuditVerdict> {
  const { heads = [], from = NOTHING_SEALED, signal } = given
  const kept = heads.toSorted((a, b) => a.sequence - b.sequence)
  const before = await database.transaction((tx) => breakAtStart(tx, from))
  const followed =
    before === null
      ? await followSeals(database, { kept, from, ...(signal && { signal }) })
      : { head: NOTHING_SEALED, wrong: before }
  if (signal?.aborted) return { ...followed, waiting: 0 }
  const { count: waiting } = await database.transaction(selectWaiting)
  const wrong = followed.wrong ?? (await database.transaction(findUnsealable))
  return { head: followed.head, waiting, wrong }
}

/** How many entries wait for a seal, and when the oldest of them was written. */
export async function readWaiting(tx: Tx): Promise<{ count: number; oldestAt: Millis | null }> {
  const { count, oldest_at: oldestAt } = await selectWaiting(tx)
  return { count, oldestAt }
}

type Followed = Pick<AuditVerdict, 'head' | 'wrong'>

async function followSeals(
  database: Database,
  { kept, from, signal }: { kept: readonly AuditHead[]; from: AuditHead; signal?: AbortSignal },
): Promise<Followed> {
  let head = from
  for (;;) {
    if (signal?.aborted) return { head, wrong: null }
    const after = head.sequence
    const seals = await database.transaction((tx) =>
      selectSeals(tx, { after, limit: READ_AT_ONCE }),
    )
    for (const seal of seals) {
      const wrong = breakAt(head, seal, kept)
      if (wrong !== null) return { head, wrong }
      head = { sequence: seal.sequence, hash: seal.hash }
    }
    if (seals.length < READ_AT_ONCE) return { head, wrong: cutOff(head, kept) }
  }
}

/** What is wrong with the seal that all begins after; null where nothing is. */
async function breakAtStart(tx: Tx, from: AuditHead): Promise<AuditBreak | null> {
  if (from.sequence === 0) return null
  const [seal] = await selectSeals(tx, { after: from.sequence - 1, limit: 1 })
  if (seal === undefined) return cutOff((await selectHead(tx)) ?? NOTHING_SEALED, [from])
  const { sequence, hash, entry_id: entryId } = seal
  if (sequence !== from.sequence)
    return { reason: 'missing', sequence: from.sequence, entryId: null }
  return hash === from.hash ? null : { reason: 'rewritten', sequence, entryId, since: 0 }
}

/** What is wrong with the seal that follows this head; null where nothing is. */
function breakAt(
  head: AuditHead,
  { sequence, hash, entry_id: entryId, ...entry }: SealRow,
  kept: readonly AuditHead[],
): AuditBreak | null {
  if (sequence !== head.sequence + 1)
    return { reason: 'missing', sequence: head.sequence + 1, entryId: null }
  if (entry.id === null) return { reason: 'missing', sequence, entryId }
  if (sealEntry(head, entry).hash !== hash) return { reason: 'changed', sequence, entryId }
  if (kept.every((one) => one.sequence !== sequence || one.hash === hash)) return null
  const since = kept.findLast((one) => one.sequence < sequence)?.sequence ?? 0
  return { reason: 'rewritten', sequence, entryId, since }
}

/** A head that was kept and is beyond the end: what lay between is gone. */
function cutOff({ sequence }: AuditHead, kept: readonly AuditHead[]): AuditBreak | null {
  const until = kept.at(-1)?.sequence ?? 0
  if (until <= sequence) return null
  return { reason: 'truncated', sequence: sequence + 1, entryId: null, until }
}

async function findUnsealable(tx: Tx): Promise<AuditBreak | null> {
  const lost = await selectLost(tx)
  if (lost !== null) return { reason: 'lost', sequence: null, entryId: lost }
  const never = await selectNeverSealed(tx)
  return never === null ? null : { reason: 'unsealed', sequence: null, entryId: never }
}
