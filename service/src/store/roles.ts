import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { Misconfigured } from '../base/fault.ts'
import { inTransaction } from './connection.ts'
import type { Session } from './connection.ts'
import { lockMigrations } from './migration-rows.ts'

/** Owner of the tables; the loops; the API, which sees one organization at a time. */
export const ROLES = ['sluice_owner', 'sluice_engine', 'sluice_api'] as const
type Role = (typeof ROLES)[number]

const PREPARE_ATTEMPTS_MAX = 5
/** Two databases of a server prepared at once share the roles, but no lock. */
const RACE_CODES = ['23505', '42710', 'XX000']
const NOT_ALLOWED = '42501'

/**
 * Creates missing roles (without login, which an operator can add), makes the connected user a
 * member of each if it is allowed to, and grants the owner the creation of tables. If the user has
 * no right to do this, throws Misconfigured with the commands for an administrator.
 */
export async function prepareRoles(session: Session): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await inTransaction(session, () => prepareOnce(session))
      return
    } catch (error) {
      if (codeOf(error) === NOT_ALLOWED) throw refusal(error)
      if (!RACE_CODES.includes(codeOf(error)) || attempt >= PREPARE_ATTEMPTS_MAX) throw error
    }
  }
}

async function prepareOnce(session: Session): Promise<void> {
  await lockMigrations(session)
  await createRoles(session, { login: false })
  for (const role of ROLES) {
    const { member, may } = await membershipOf(session, role)
    if (!member && (may || role === 'sluice_owner'))
      await session.script(`grant ${role} to current_user`)
  }
  await letOwnerCreate(session)
}

/** Creates the missing roles, without superuser rights. */
export async function createRoles(session: Session, { login }: { login: boolean }): Promise<void> {
  for (const role of ROLES) {
    if (await hasRole(session, role)) continue
    await session.script(`create role ${role} ${login ? 'login' : 'nologin'}`)
  }
}

export async function hasRole(session: Session, role: Role): Promise<boolean> {
  const row = await session.maybe(sql`
    select 1
      from pg_catalog.pg_roles
     where rolname = ${role}`)
  return row !== null
}

/** Whether the connected user can become the role, and whether it may grant itself that. */
async function membershipOf(
  session: Session,
  role: Role,
): Promise<{ member: boolean; may: boolean }> {
  return session.one(sql<{ member: boolean; may: boolean }>`
    select pg_has_role(
             current_user,
             ${role}::name,
             case when v.number >= 160000 then 'SET' else 'MEMBER' end
           ) as member,
           pg_has_role(current_user, ${role}::name, 'MEMBER WITH ADMIN OPTION')
             or (v.number < 160000 and u.rolcreaterole) as may
      from pg_catalog.pg_roles u,
           (select current_setting('server_version_num')::int4 as number) v
     where u.rolname = current_user`)
}

/** Since PostgreSQL 15 only a database's owner may create tables in its schema public. */
async function letOwnerCreate(session: Session): Promise<void> {
  const { may } = await session.one(sql<{ may: boolean }>`
    select has_schema_privilege('sluice_owner', 'public', 'create')
             and has_schema_privilege('sluice_owner', 'public', 'usage with grant option') as may`)
  if (may) return
  await session.script('grant usage, create on schema public to sluice_owner with grant option')
}

function refusal(cause: unknown): Misconfigured {
  const why = cause instanceof Error ? cause.message : ''
  return new Misconfigured(
    `The database user may not prepare the database (${why}). Ask its administrator to run once: ` +
      `${ROLES.map((role) => `create role ${role};`).join(' ')} ` +
      `grant ${ROLES.join(', ')} to <this user>; ` +
      'grant usage, create on schema public to sluice_owner with grant option;',
    { cause },
  )
}

function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : ''
}
