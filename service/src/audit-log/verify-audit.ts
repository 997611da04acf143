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

/** The result of a verification. */
export interface AuditVerdict {
  /** The last valid seal. */
  head: AuditHead
  /** Number of unsealed entries. */
  waiting: number
  /** The first break in the order of the seals, or null. */
  wrong: AuditBreak | null
}

/**
 * Follows the chain of seals, compares each with its entry, and then searches for entries that will
 * never be sealed. The chain must contain each of `heads`, which were kept elsewhere. Starts after
 * `from`, which must still exist, and does not verify earlier seals. If `signal` aborts, the result
 * covers the seals up to its head.
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

/** Number of unsealed entries, and the time of the oldest. */
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

/** The break at the seal that the verification starts after, or null. */
async function breakAtStart(tx: Tx, from: AuditHead): Promise<AuditBreak | null> {
  if (from.sequence === 0) return null
  const [seal] = await selectSeals(tx, { after: from.sequence - 1, limit: 1 })
  if (seal === undefined) return cutOff((await selectHead(tx)) ?? NOTHING_SEALED, [from])
  const { sequence, hash, entry_id: entryId } = seal
  if (sequence !== from.sequence)
    return { reason: 'missing', sequence: from.sequence, entryId: null }
  return hash === from.hash ? null : { reason: 'rewritten', sequence, entryId, since: 0 }
}

/** The break at the seal after `head`, or null. */
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

/** A kept head beyond the end of the chain: the seals between are missing. */
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
