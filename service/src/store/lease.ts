import type { Clock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { Database, Tx } from './database.ts'
import { shareLease, updateLease, updateLeases, upsertLease } from './rows.ts'
import { sharing } from './sharing.ts'

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

/** The leases of a process that are renewed together. */
interface Renewals {
  leases: Lease[]
  /** Renews them, and returns the names of those that were. */
  renew: (signal: AbortSignal) => Promise<ReadonlySet<string>>
}

/** By the database of a process. */
const renewals = new WeakMap<Database, Renewals>()

/**
 * The same as `renewLease`. Leases of a process that are renewed at the same moment share a
 * transaction; one that cannot be renewed in it is renewed alone. The signal ends the waiting.
 */
export async function renewTogether(
  { database, clock }: { database: Database; clock: Clock },
  lease: Lease,
  signal: AbortSignal,
): Promise<boolean> {
  const { leases, renew } = renewals.get(database) ?? openRenewals(database, clock)
  leases.push(lease)
  const renewed = await renew(signal)
  return renewed.has(lease.name) || renewLease(database, lease)
}

function openRenewals(database: Database, clock: Clock): Renewals {
  const leases: Lease[] = []
  const renew = sharing(clock, TOGETHER_MS, async () => {
    const due = leases.splice(0)
    return new Set(await database.transaction((tx) => updateLeases(tx, due, LEASE_TTL_MS)))
  })
  const opened = { leases, renew }
  renewals.set(database, opened)
  return opened
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
