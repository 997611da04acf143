import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

interface Of {
  orgId: string
  userId: string
}

export async function insertRecoveryCodes(
  tx: Tx,
  { orgId, userId, hashes }: Of & { hashes: readonly Uint8Array[] },
): Promise<void> {
  await tx.run(sql`
    insert into recovery_codes
      (org_id, user_id, hash, created_at)
    select ${orgId}, ${userId}, hash, ${iso(tx.clock.now())}
      from unnest(${hashes.map((hash) => Buffer.from(hash))}::bytea[]) as t (hash)`)
}

export async function deleteRecoveryCodes(tx: Tx, { orgId, userId }: Of): Promise<void> {
  await tx.run(sql`
    delete from recovery_codes
     where org_id = ${orgId}
       and user_id = ${userId}`)
}

/** Returns whether the code existed and was never used before. */
export async function deleteRecoveryCode(
  tx: Tx,
  { orgId, userId, hash }: Of & { hash: Uint8Array },
): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from recovery_codes
     where org_id = ${orgId}
       and user_id = ${userId}
       and hash = ${Buffer.from(hash)}
       and in_force(hash) <> ''`)
  return deleted === 1
}

export async function countRecoveryCodes(tx: Tx, { orgId, userId }: Of): Promise<number> {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::integer as count
      from recovery_codes
     where org_id = ${orgId}
       and user_id = ${userId}`)
  return count
}
