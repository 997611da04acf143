import type { ClientBase } from 'pg'

/**
 * Settings that the statements rely on. A server, a database or a login may have other defaults
 * (`alter database … set`). `default_transaction_read_only` is left to operators, who stop writes
 * with it.
 */
const RELIED_ON = {
  // Text formats of values.
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  client_encoding: 'UTF8',
  // Parsing of statements.
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  transform_null_equals: 'off',
  search_path: 'public',
  // Visibility of rows.
  row_security: 'on',
  // Start and end of transactions.
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
} as const

/** A commit must survive a crash; the replicated modes are fine too. */
const DURABLE = `select 'synchronous_commit', 'on'
   where current_setting('synchronous_commit') = 'off'`

/** Leaves out settings that the server does not know. */
const DIFFERING = `
  select name, value
    from (values ${Object.entries(RELIED_ON)
      .map(([name, value]) => `('${name}', '${value}')`)
      .join(', ')}) as relied_on (name, value)
   where current_setting(name, true) <> value
  union all
  ${DURABLE}`

/** The scope of a setting: poolers lend a session for one transaction. */
type Scope = 'session' | 'local'

/**
 * The `set` statements that a new connection needs; '' if its defaults agree. Poolers such as
 * PgBouncer refuse startup options, which would do the same.
 */
export async function readOverrides(client: ClientBase, scope: Scope): Promise<string> {
  const { rows } = await client.query<{ name: string; value: string }>(DIFFERING)
  return rows.map(({ name, value }) => `set ${scope} ${name} = '${value}'`).join('; ')
}

/** Applies the overrides to a connection outside the pools. */
export async function settleSession(client: ClientBase): Promise<void> {
  const overrides = await readOverrides(client, 'session')
  if (overrides !== '') await client.query(overrides)
}
