import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
import { describeBreak } from '../journal/audit-break.ts'
import { type AuditHead, NOTHING_SEALED, formatHead } from '../journal/audit-head.ts'
import { raiseAlert, resolveAlert } from '../journal/raise-alert.ts'
import { SEALED_AT_ONCE_MAX, sealAudit } from '../journal/seal-audit.ts'
import { readWaiting, verifyAudit } from '../journal/verify-audit.ts'
import { holdLease } from '../store/hold-lease.ts'
import { type Lease, assertLease } from '../store/lease.ts'
import type { ChainWorld } from './chain-world.ts'
import { type Loop, every } from './loops.ts'

const SEAL_MS = 1_000
/** How often the head is told to whatever keeps log lines elsewhere. */
const TELL_MS = 60_000
const VERIFY_MS = 3_600_000
/** An entry that waits longer than this for its seal waits for a sealer that is not there. */
export const UNSEALED_MAX_MS = 300_000

type SealWorld = Pick<ChainWorld, 'database' | 'clock' | 'log' | 'holder'>
type Store = Pick<ChainWorld, 'database'>

/**
 * The loop of the role `audit` that seals the audit log: one process at a time, a second after an
 * entry has committed. Each minute with new entries the head is told in a log line, and each hour
 * the whole log is verified.
 */
export function sealLoop(world: SealWorld): Loop {
  const lease = { name: 'audit-log', holder: world.holder }
  const serve = (held: Lease, term: AbortSignal) => {
    const tick = openSealer(world, held)
    return every(world, { name: 'audit log', everyMs: SEAL_MS, tick }).run(term)
  }
  return { name: 'audit log', run: (signal) => holdLease(world, lease, signal, serve) }
}

/** What the loop does each time, as long as the lease and its term last. */
export function openSealer(
  world: Omit<SealWorld, 'holder'>,
  lease: Lease,
): (term: AbortSignal) => Promise<void> {
  const { clock, log } = world
  let told = { head: formatHead(NOTHING_SEALED), at: -TELL_MS }
  let verified: { head: AuditHead; at: Millis } = { head: NOTHING_SEALED, at: -VERIFY_MS }
  return async (term) => {
    const head = formatHead(await sealAll(world, lease, term))
    const now = clock.now()
    if (head !== told.head && now - told.at >= TELL_MS) {
      log.info({ auditHead: head }, 'the audit log is sealed up to here')
      told = { head, at: now }
    }
    if (now - verified.at >= VERIFY_MS)
      verified = { head: await verifyAll(world, verified.head), at: now }
  }
}

async function sealAll({ database }: Store, lease: Lease, term: AbortSignal): Promise<AuditHead> {
  for (;;) {
    const { sealed, head } = await database.transaction(async (tx) => {
      await assertLease(tx, lease)
      return sealAudit(tx)
    })
    if (sealed < SEALED_AT_ONCE_MAX || term.aborted) return head
  }
}

/** Also against the head that was known an hour ago. Answers with the one that is known now. */
async function verifyAll({ database }: Store, known: AuditHead): Promise<AuditHead> {
  const { head, wrong } = await verifyAudit(database, { heads: [known] })
  const alert = { code: 'audit_log.broken', subject: 'audit_log' } as const
  await database.transaction(async (tx) => {
    if (wrong === null) await resolveAlert(tx, alert)
    else await raiseAlert(tx, { ...alert, message: describeBreak(wrong) })
  })
  return wrong === null ? head : known
}

/**
 * Raises an alert while entries wait for their seal for long, by the lights of one who looks since
 * `since`: what waited before may have waited for the upgrade that brought the seals.
 */
export async function reportUnsealed(
  { database, clock }: Pick<ChainWorld, 'database' | 'clock'>,
  since: Millis,
): Promise<void> {
  const alert = { code: 'audit_log.behind', subject: 'audit_log' } as const
  await database.transaction(async (tx) => {
    const { count, oldestAt } = await readWaiting(tx)
    const from = Math.max(oldestAt ?? clock.now(), since)
    if (clock.now() - from <= UNSEALED_MAX_MS) {
      await resolveAlert(tx, alert)
      return
    }
    const oldest = oldestAt === null ? '' : `, the oldest since ${iso(oldestAt)}`
    const message = `${count} entries of the audit log wait for their seal${oldest}.`
    await raiseAlert(tx, { ...alert, message })
  })
}
