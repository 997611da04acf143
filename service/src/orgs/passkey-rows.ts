import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A row of `passkeys`. */
export interface PasskeyRow {
  org_id: string
  id: string
  user_id: string
  credential_id: Uint8Array
  /** In COSE. */
  public_key: Uint8Array
  /** Uses of the authenticator; 0 if it does not count. */
  counter: number
  name: string
  created_at: Millis
  last_used_at: Millis | null
  /** Empty if a later state of the row replaced it. */
  mac: Uint8Array
}

interface Owner {
  orgId: string
  userId: string
}

const columns = sql`
           org_id, id, user_id, credential_id, public_key, counter, name, created_at,
           last_used_at, in_force(mac) as mac`

/** Null if the organization has the credential already. */
export async function insertPasskey(
  tx: Tx,
  row: Omit<PasskeyRow, 'last_used_at'>,
): Promise<PasskeyRow | null> {
  return tx.maybe(sql<PasskeyRow>`
    insert into passkeys
      (org_id, id, user_id, credential_id, public_key, counter, name, mac, created_at)
    values
      (${row.org_id}, ${row.id}, ${row.user_id}, ${row.credential_id}, ${row.public_key},
       ${row.counter}, ${row.name}, ${row.mac}, ${iso(row.created_at)})
    on conflict (org_id, credential_id) do nothing
    returning ${columns}`)
}

/** The passkeys of a person, the oldest first. */
export async function selectPasskeys(tx: Tx, owner: Owner): Promise<PasskeyRow[]> {
  return tx.many(sql<PasskeyRow>`
    select ${columns}
      from passkeys
     where ${isOf(owner)}
     order by created_at, id`)
}

/** Other uses of the passkey, and its removal, wait until the commit. */
export async function lockPasskey(
  tx: Tx,
  { credentialId, ...owner }: Owner & { credentialId: Uint8Array },
): Promise<PasskeyRow | null> {
  return tx.maybe(sql<PasskeyRow>`
    select ${columns}
      from passkeys
     where ${isOf(owner)}
       and credential_id = ${credentialId}
       for update`)
}

/** Stores a use, with the counter after it. */
export async function updatePasskeyUse(
  tx: Tx,
  { id, counter, mac, ...owner }: Owner & Pick<PasskeyRow, 'id' | 'counter' | 'mac'>,
): Promise<void> {
  await tx.run(sql`
    update passkeys
       set counter = ${counter},
           mac = ${mac},
           last_used_at = ${iso(tx.clock.now())}
     where ${isOf(owner)}
       and id = ${id}`)
}

/** Null without such a passkey of the person. */
export async function updatePasskeyName(
  tx: Tx,
  { id, name, ...owner }: Owner & { id: string; name: string },
): Promise<PasskeyRow | null> {
  return tx.maybe(sql<PasskeyRow>`
    update passkeys
       set name = ${name}
     where ${isOf(owner)}
       and id = ${id}
    returning ${columns}`)
}

/** Returns the name; null without such a passkey of the person. */
export async function deletePasskey(
  tx: Tx,
  { id, ...owner }: Owner & { id: string },
): Promise<string | null> {
  const row = await tx.maybe(sql<{ name: string }>`
    delete from passkeys
     where ${isOf(owner)}
       and id = ${id}
    returning name`)
  return row?.name ?? null
}

export async function deletePasskeys(tx: Tx, owner: Owner): Promise<void> {
  await tx.run(sql`
    delete from passkeys
     where ${isOf(owner)}`)
}

function isOf({ orgId, userId }: Owner): RawBuilder<unknown> {
  return sql`org_id = ${orgId} and user_id = ${userId}`
}
