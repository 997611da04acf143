import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Queries } from '../store/queries.ts'

/** A row of `organizations`. */
export interface OrganizationRow {
  id: string
  name: string
  /** Of the default endpoint. */
  webhook_url: string
  min_withdrawal_signers: number
  min_human_approvals: number | null
  version: string | null
  /** Empty if a later state of the row took its place. */
  mac: Uint8Array
  created_at: Millis
  updated_at: Millis
}

const columns = sql`
           id, name, min_withdrawal_signers, min_human_approvals, version, in_force(mac) as mac,
           created_at, updated_at,
           coalesce((select e.url
                       from webhook_endpoints e
                      where e.org_id = organizations.id
                        and e.id = organizations.id), '') as webhook_url`

export async function insertOrganization(
  tx: Tx,
  params: { id: string; name: string; signers: number; humans: number | null; mac: Uint8Array },
): Promise<OrganizationRow> {
  const now = iso(tx.clock.now())
  return tx.one(sql<OrganizationRow>`
    insert into organizations
      (id, name, min_withdrawal_signers, min_human_approvals, mac, created_at, updated_at)
    values
      (${params.id}, ${params.name}, ${params.signers}, ${params.humans}, ${params.mac}, ${now},
       ${now})
    returning *, '' as webhook_url`)
}

export async function selectOrganization(tx: Tx, orgId: string): Promise<OrganizationRow | null> {
  return tx.maybe(sql<OrganizationRow>`
    select ${columns}
      from organizations
     where id = ${orgId}`)
}

/** Oldest first. */
export async function selectOrganizations(tx: Tx): Promise<OrganizationRow[]> {
  return tx.many(sql<OrganizationRow>`
    select ${columns}
      from organizations
     order by created_at, id`)
}

/**
 * Lets changes of one organization's settings happen one after another. The lock is the weak one,
 * so that rows which refer to the organization can still be written.
 */
export async function lockOrganization(tx: Tx, orgId: string): Promise<OrganizationRow | null> {
  return tx.maybe(sql<OrganizationRow>`
    select ${columns}
      from organizations
     where id = ${orgId}
       for no key update`)
}

/** Something of it that is stored elsewhere was changed. */
export async function touchOrganization(tx: Tx, orgId: string): Promise<void> {
  await tx.run(sql`
    update organizations
       set updated_at = ${iso(tx.clock.now())}
     where id = ${orgId}`)
}

export async function updateThresholds(
  tx: Tx,
  params: {
    orgId: string
    signers: number
    humans: number | null
    version: string
    mac: Uint8Array
  },
): Promise<void> {
  await tx.run(sql`
    update organizations
       set min_withdrawal_signers = ${params.signers},
           min_human_approvals = ${params.humans},
           version = ${params.version},
           mac = ${params.mac},
           updated_at = ${iso(tx.clock.now())}
     where id = ${params.orgId}`)
}

/** The id of the newest organization; "" without organizations. */
export async function selectNewestOrganization(tx: Tx): Promise<string> {
  const row = await tx.maybe(sql<{ id: string }>`
    select id
      from organizations
     order by id desc
     limit 1`)
  return row?.id ?? ''
}

/** Whether an organization exists; queried as the owner, outside the service's transactions. */
export async function selectAnyOrganization(session: Queries): Promise<boolean> {
  const { found } = await session.one(sql<{ found: boolean }>`
    select exists (select from organizations) as found`)
  return found
}
