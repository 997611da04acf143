import { sql } from 'kysely'
import type { Session } from './connection.ts'

/** The rights of a login, independent of the role that it takes in a transaction. */
export interface LoginRow {
  name: string
  superuser: boolean
  bypassrls: boolean
  createrole: boolean
  /** Whether it can become the owner of the tables. */
  owner: boolean
}

export async function selectLogin(session: Session): Promise<LoginRow> {
  return session.one(sql<LoginRow>`
    select rolname::text as name,
           rolsuper as superuser,
           rolbypassrls as bypassrls,
           rolcreaterole as createrole,
           pg_has_role(rolname, 'sluice_owner', 'MEMBER') as owner
      from pg_catalog.pg_roles
     where rolname = session_user`)
}
