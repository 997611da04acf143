import type { ClientBase } from 'pg'

/**
 * The settings that our statements and readers rely on. A server, a database or a login may have
 * other defaults (`alter database … set`, `alter role … set`), which every new session inherits.
 * `default_transaction_read_only` is missing on purpose: operators and hosts stop writes with it.
 */
const RELIED_ON = {
  // How values are written and read as text.
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  client_encoding: 'UTF8',
  // How statements are read.
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  transform_null_equals: 'off',
  search_path: 'public',
  // Who sees which rows.
  row_security: 'on',
  // How transactions begin, and what ends them.
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
} as const

/** An answered commit must survive a crash; the stricter and the replicated kinds do that too. */
const DURABLE = `select 'synchronous_commit', 'on'
   where current_setting('synchronous_commit') = 'off'`

/** Settings that this server does not know have no current value, and are left out. */
const DIFFERING = `
  select name, value
    from (values ${Object.entries(RELIED_ON)
      .map(([name, value]) => `('${name}', '${value}')`)
      .join(', ')}) as relied_on (name, value)
   where current_setting(name, true) <> value
  union all
  ${DURABLE}`

/** For how long the statements hold: poolers lend a session for one transaction alone. */
type Scope = 'session' | 'local'

/**
 * The `set` statements that give a fresh connection what it relies on, as one text; '' if its
 * defaults agree already. Startup options would do the same, but poolers such as PgBouncer refuse
 * them.
 */
export async function readOverrides(client: ClientBase, scope: Scope): Promise<string> {
  const { rows } = await client.query<{ name: string; value: string }>(DIFFERING)
  return rows.map(({ name, value }) => `set ${scope} ${name} = '${value}'`).join('; ')
}

/** Applies the overrides to a connection that is ours until it is closed. */
export async function settleSession(client: ClientBase): Promise<void> {
  const overrides = await readOverrides(client, 'session')
  if (overrides !== '') await client.query(overrides)
}
