import { sql } from 'kysely'
import { Refusal } from '../base/fault.ts'
import { withSession } from './connection.ts'
import type { DatabaseUrls } from './database.ts'

/**
 * Requires that the three URLs lead to one database, whatever names and poolers they use. Refuses
 * with BAD_REQUEST: a command would read one database and write another.
 */
export async function requireOneDatabase({ owner, engine, api }: DatabaseUrls): Promise<void> {
  const [first, ...others] = await Promise.all([owner, engine, api].map(identityOf))
  if (others.every((other) => other === first)) return
  throw new Refusal(
    'BAD_REQUEST',
    {},
    'SLUICE_DATABASE_URL, SLUICE_ENGINE_DATABASE_URL and SLUICE_API_DATABASE_URL name different ' +
      'databases. Set all three to the database of this command.',
  )
}

/** The start of the server and the number of the database on it. */
function identityOf(url: string): Promise<string> {
  return withSession(url, async (session) => {
    const { identity } = await session.one(sql<{ identity: string }>`
      select pg_postmaster_start_time()::text || ' ' || oid as identity
        from pg_database
       where datname = current_database()`)
    return identity
  })
}
