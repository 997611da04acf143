import { Outage } from '../base/fault.ts'
import type { Database, Tx } from './database.ts'
import { shareLease, updateLease, upsertLease } from './rows.ts'

/** How long a lease lives without a renewal; loops renew every 2 s (engineering, 22). */
export const LEASE_TTL_MS = 6_000

/** Parts the holder's own name from its witness. */
const WITNESSED_BY = ' '

/**
 * The right to be the only one who does something, for a while, by the database's clock. The token
 * grows with every change of hands: a step that still carries an older one cannot commit.
 */
export interface Lease {
  name: string
  /** Whoever took it, and its witness where it has one. */
  holder: string
  token: number
}

/**
 * The step's lease ended or is in other hands; the step rolls back and its loop asks for the lease
 * again.
 */
export class LeaseLost extends Outage {}

/**
 * Takes a free or ended lease (token + 1), or renews our own live one (same token); null while
 * another holds it. One whose holder is seen to be gone is over: its process had a connection, the
 * witness, that the server no longer has. Should that be wrong, the token fences as ever. Without a
 * witness a lease lasts its time.
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

/** Prolongs a live lease. False once it ended or changed hands: the caller must take it anew. */
export async function renewLease(
  database: Database,
  lease: Lease,
  ttlMs = LEASE_TTL_MS,
): Promise<boolean> {
  return (await database.transaction((tx) => updateLease(tx, lease, ttlMs))) === 1
}

/** Ends our lease at once; one that is no longer ours stays as it is. */
export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.transaction((tx) => updateLease(tx, lease, 0))
}

/**
 * The first statement of every step under a lease. Throws `LeaseLost` unless the lease is live and
 * this token's.
 */
export async function assertLease(tx: Tx, lease: Lease): Promise<void> {
  const row = await shareLease(tx, lease)
  if (row === null)
    throw new LeaseLost('lease', `${lease.name} is no longer held with token ${lease.token}`)
}
