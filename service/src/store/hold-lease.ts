import type { Clock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { type Log, logOutage, logSuccess } from '../base/log.ts'
import type { Database } from './database.ts'
import { type Lease, LEASE_TTL_MS, releaseLease, renewTogether, takeLease } from './lease.ts'

const RENEW_MS = 2_000
/** How often a waiting process tries to take the lease: with its lifetime, takeover within 10 s. */
const APPLY_MS = 1_000

export interface LeaseWorld {
  database: Database
  clock: Clock
  log: Log
}

/**
 * Tries to take a lease until the signal aborts, and runs `work` each time it is taken. The signal
 * of `work` aborts if the lease cannot be renewed; the lease's token then prevents later commits.
 * The lease is released when the work ends.
 */
export async function holdLease(
  world: LeaseWorld,
  { name, holder }: { name: string; holder: string },
  signal: AbortSignal,
  work: (lease: Lease, term: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const lease = await applyFor(world, { name, holder })
    if (lease === null) {
      await world.clock.sleep(APPLY_MS, signal)
      continue
    }
    world.log.info({ lease: name, token: lease.token }, 'lease acquired')
    await serveTerm(world, lease, signal, work)
  }
}

async function applyFor(
  { database, clock, log }: LeaseWorld,
  wanted: { name: string; holder: string },
): Promise<Lease | null> {
  const work = `lease ${wanted.name}`
  try {
    const lease = await takeLease(database, wanted)
    logSuccess({ clock, log }, work)
    return lease
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    logOutage({ clock, log }, { work, outage: error })
    return null
  }
}

async function serveTerm(
  world: LeaseWorld,
  lease: Lease,
  signal: AbortSignal,
  work: (lease: Lease, term: AbortSignal) => Promise<void>,
): Promise<void> {
  const term = new AbortController()
  const end = () => term.abort()
  signal.addEventListener('abort', end, { once: true })
  // The signal may have aborted while the lease was being taken.
  if (signal.aborted) end()
  const renewing = keepRenewing(world, lease, term)
  try {
    await work(lease, term.signal)
  } finally {
    signal.removeEventListener('abort', end)
    term.abort()
    await renewing
    await releaseLease(world.database, lease).catch((error: unknown) => {
      world.log.warn({ lease: lease.name, err: error }, 'lease not released')
    })
  }
}

/** Renews until the term ends, and ends the term if the lease is lost or may have expired. */
async function keepRenewing(
  { database, clock, log }: LeaseWorld,
  lease: Lease,
  term: AbortController,
): Promise<void> {
  let renewedAt = clock.now()
  while (!term.signal.aborted) {
    // All leases of a process are renewed at the same moment.
    await clock.sleep(RENEW_MS - (clock.now() % RENEW_MS), term.signal)
    if (term.signal.aborted) return
    const asked = clock.now()
    const kept = await renewTogether({ database, clock }, lease, term.signal).catch(() => null)
    if (kept === true) renewedAt = asked
    if (kept === false || clock.now() - renewedAt > LEASE_TTL_MS) {
      log.warn({ lease: lease.name, token: lease.token }, 'lease lost')
      term.abort()
    }
  }
}
