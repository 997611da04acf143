import { type Millis, isPausing, iso } from '../base/clock.ts'
import type { AuditFooting } from '../audit-log/audit-footing.ts'
import { type AuditHead, NOTHING_SEALED, formatHead } from '../audit-log/audit-head.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { reviewAudit } from '../audit-log/review-audit.ts'
import { SEALED_AT_ONCE_MAX, sealAudit } from '../audit-log/seal-audit.ts'
import { readWaiting } from '../audit-log/verify-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { holdLease } from '../store/hold-lease.ts'
import { type Lease, assertLease } from '../store/lease.ts'
import type { ChainWorld } from './chain-world.ts'
import { type Loop, every, runLoops } from './loops.ts'

const SEAL_MS = 1_000
/** The head is logged at most this often, for whatever keeps log lines elsewhere. */
const TELL_MS = 60_000
const VERIFY_MS = 3_600_000
/** A verification that failed is repeated after this time. */
const VERIFY_AGAIN_MS = 60_000
/** An entry that waits longer than this for its seal shows that no sealer runs. */
export const UNSEALED_MAX_MS = 300_000

type SealWorld = Pick<ChainWorld, 'database' | 'clock' | 'log' | 'holder'>
type Store = Pick<ChainWorld, 'database'>

/**
 * The loop of the role `audit` that seals the audit log: in one process at a time, a second after
 * an entry has committed. Each minute with new entries it logs the head, and each hour it verifies
 * the whole log. Sealing and verification run concurrently, and neither stops if the other fails.
 */
export function sealLoop(world: SealWorld, serviceKey: ServiceKey): Loop {
  const lease = { name: 'audit-log', holder: world.holder }
  const serve = (held: Lease, term: AbortSignal) => {
    const sealing = { name: 'audit log', everyMs: SEAL_MS, tick: openSealer(world, held) }
    const tick = openVerifier({ ...world, serviceKey }, held)
    const verifying = { name: 'audit log, verified', everyMs: VERIFY_AGAIN_MS, tick }
    return runLoops(world, [every(world, sealing), every(world, verifying)], term)
  }
  return { name: 'audit log', run: (signal) => holdLease(world, lease, signal, serve) }
}

/** Seals waiting entries at each call, while the lease and its term last. */
export function openSealer(
  world: Omit<SealWorld, 'holder'>,
  lease: Lease,
): (term: AbortSignal) => Promise<void> {
  const { clock, log } = world
  let told: { head: string; at: Millis | null } = { head: formatHead(NOTHING_SEALED), at: null }
  if (!log.isLevelEnabled('info'))
    log.warn('head of the audit log is not logged: the log level is above info')
  return async (term) => {
    const head = formatHead(await sealAll(world, lease, term))
    const now = clock.now()
    if (head === told.head || isPausing(now, told.at, TELL_MS)) return
    log.info({ auditHead: head }, 'the audit log is sealed up to here')
    told = { head, at: now }
  }
}

/** Verifies the log if the last verification is an hour ago. */
export function openVerifier(
  {
    database,
    clock,
    serviceKey,
  }: Pick<SealWorld, 'database' | 'clock'> & { serviceKey: ServiceKey },
  lease: Lease,
): (term: AbortSignal) => Promise<void> {
  let last: AuditFooting | null = null
  let verifiedAt: Millis | null = null
  return async (signal) => {
    const now = clock.now()
    if (isPausing(now, verifiedAt, VERIFY_MS)) return
    const known = await reviewAudit(database, serviceKey, { lease, last, signal })
    if (known === null) return
    last = known
    verifiedAt = now
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

/**
 * Raises an alert while entries wait too long for their seal, counted from `since` at the earliest:
 * older entries may have waited for the upgrade that introduced the seals.
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
