import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A row of `signing_secrets`. */
export interface SigningSecretRow {
  id: string
  sealed: Uint8Array
  /** Null for the current one. */
  valid_until: Millis | null
}

/** The one now and the last ones before it: however often it is replaced, so many sign. */
const VALID_MAX = 8

/** The current one first, then those still valid, the newest first. */
export async function selectValidSecrets(
  tx: Tx,
  { orgId, endpointId }: { orgId: string; endpointId: string },
): Promise<SigningSecretRow[]> {
  return tx.many(sql<SigningSecretRow>`
    select id, sealed, valid_until
      from signing_secrets
     where org_id = ${orgId}
       and endpoint_id = ${endpointId}
       and (valid_until is null or valid_until > ${iso(tx.clock.now())})
     order by valid_until desc nulls first, id desc
     limit ${VALID_MAX}`)
}

export async function insertSecret(
  tx: Tx,
  params: { orgId: string; endpointId: string; id: string; sealed: Uint8Array },
): Promise<void> {
  await tx.run(sql`
    insert into signing_secrets
      (org_id, endpoint_id, id, sealed, created_at)
    values
      (${params.orgId}, ${params.endpointId}, ${params.id}, ${params.sealed},
       ${iso(tx.clock.now())})`)
}

export async function retireSecret(
  tx: Tx,
  params: { orgId: string; endpointId: string; validUntil: Millis },
): Promise<void> {
  await tx.run(sql`
    update signing_secrets
       set valid_until = ${iso(params.validUntil)}
     where org_id = ${params.orgId}
       and endpoint_id = ${params.endpointId}
       and valid_until is null`)
}
