import type { Clock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { Database, Tx } from './database.ts'
import { shareLease, updateLease, updateLeases, upsertLease } from './rows.ts'

/** Lifetime of a lease without renewal; `holdLease` renews it every 2 s. */
export const LEASE_TTL_MS = 6_000

/** Timers that end at the same moment do so within this time. */
const TOGETHER_MS = 20

/** Separates the holder's name from its witness. */
const WITNESSED_BY = ' '

/**
 * An exclusive right that expires by the database's clock. The token increases with each new
 * holder: a transaction with an older token cannot commit.
 */
export interface Lease {
  name: string
  /** The holder's name, with its witness if it has one. */
  holder: string
  token: number
}

/** The lease expired or has another holder: the transaction is rolled back. */
export class LeaseLost extends Outage {}

/**
 * Takes a free or expired lease (token + 1) or renews our own (same token); null while another
 * process holds it. A lease also ends when the connection of its holder (the witness) is closed; if
 * the holder is alive nevertheless, the token fences it. Without a witness the lease has to expire.
 */
export async function takeLease(
  database: Database,
  given: { name: string; holder: string; ttlMs?: number },
): Promise<Lease | null> {
  const { name, ttlMs = LEASE_TTL_MS } = given
  const holder = [given.holder, await database.witness()].filter(Boolean).join(WITNESSED_BY)
  const row = await database.transaction((tx) => upsertLease(tx, { name, holder, ttlMs }))
  return row ? { name, holder, token: row.token } : null
}

/** Extends a lease. Returns false if it expired or has another holder. */
export async function renewLease(
  database: Database,
  lease: Lease,
  ttlMs = LEASE_TTL_MS,
): Promise<boolean> {
  return (await database.transaction((tx) => updateLease(tx, lease, ttlMs))) === 1
}

/** Leases that wait for their common renewal, by the database of a process. */
const waiting = new WeakMap<Database, { leases: Lease[]; renewed: Promise<ReadonlySet<string>> }>()

/**
 * The same as `renewLease`. Leases of a process that are renewed at the same moment share a
 * transaction; one that cannot be renewed in it is renewed alone. The signal ends the waiting.
 */
export async function renewTogether(
  { database, clock }: { database: Database; clock: Clock },
  lease: Lease,
  signal: AbortSignal,
): Promise<boolean> {
  let batch = waiting.get(database)
  if (batch === undefined) {
    const leases: Lease[] = []
    batch = { leases, renewed: renewSoon({ database, clock, signal }, leases) }
    waiting.set(database, batch)
  }
  batch.leases.push(lease)
  const renewed = await batch.renewed
  return renewed.has(lease.name) || renewLease(database, lease)
}

async function renewSoon(
  { database, clock, signal }: { database: Database; clock: Clock; signal: AbortSignal },
  leases: readonly Lease[],
): Promise<ReadonlySet<string>> {
  await clock.sleep(TOGETHER_MS, signal)
  waiting.delete(database)
  return new Set(await database.transaction((tx) => updateLeases(tx, leases, LEASE_TTL_MS)))
}

/** Releases our lease; has no effect on another holder's. */
export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.transaction((tx) => updateLease(tx, lease, 0))
}

/**
 * The first statement of every transaction under a lease. Throws `LeaseLost` unless the lease is
 * valid and has this token.
 */
export async function assertLease(tx: Tx, lease: Lease): Promise<void> {
  const row = await shareLease(tx, lease)
  if (row === null)
    throw new LeaseLost('lease', `${lease.name} is no longer held with token ${lease.token}`)
}
