import type { Database } from '../store/database.ts'
import { isAlertOpen } from '../alerts/raise-alert.ts'
import { AUDIT_BROKEN } from './audit-footing.ts'
import { type AuditHead, NOTHING_SEALED, sealEntry } from './audit-head.ts'
import { selectHead, selectOwnSeals, selectOwnWaiting } from './seal-rows.ts'

/** Entries of an organization that a request compares with their seals. */
const CHECKED_MAX = 10_000

/** The result for one organization. */
export interface OwnVerdict {
  verified: boolean
  checked: number
  waiting: number
  head: AuditHead
}

/**
 * Compares the newest entries of an organization with their seals. A seal covers the seal before
 * it, so entries of other organizations are not read. Not verified either while the service finds
 * the whole log broken (`reviewAudit`).
 */
export async function verifyOwnAudit(database: Database, orgId: string): Promise<OwnVerdict> {
  return database.transaction(async (tx) => {
    const [seals, waiting, head, isBroken] = await Promise.all([
      selectOwnSeals(tx, { orgId, limit: CHECKED_MAX }),
      selectOwnWaiting(tx, orgId),
      selectHead(tx),
      isAlertOpen(tx, AUDIT_BROKEN),
    ])
    const isIntact = seals.every(({ sequence, hash, previous, ...entry }) => {
      const before = sequence === 1 ? NOTHING_SEALED.hash : previous
      if (before === null) return false
      return sealEntry({ sequence: sequence - 1, hash: before }, entry).hash === hash
    })
    return {
      verified: isIntact && !isBroken,
      checked: seals.length,
      waiting,
      head: head ?? NOTHING_SEALED,
    }
  })
}
