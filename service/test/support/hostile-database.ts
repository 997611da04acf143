import { withSession } from '../../src/store/connection.ts'

/** Defaults that an administrator may set, each of which changes what our statements mean. */
const DEFAULTS = [
  `datestyle = 'SQL, DMY'`,
  `intervalstyle = 'sql_standard'`,
  `timezone = 'America/St_Johns'`,
  `bytea_output = 'escape'`,
  'extra_float_digits = -15',
  'array_nulls = off',
  'standard_conforming_strings = off',
  'backslash_quote = off',
  'transform_null_equals = on',
  `client_encoding = 'LATIN1'`,
  'search_path = pg_catalog',
  'row_security = off',
  `default_transaction_isolation = 'serializable'`,
  'default_transaction_deferrable = on',
  'synchronous_commit = off',
  `statement_timeout = '250ms'`,
  `lock_timeout = '1ms'`,
  `idle_in_transaction_session_timeout = '20ms'`,
  `idle_session_timeout = '200ms'`,
  `transaction_timeout = '300ms'`,
]

/** Gives a database defaults with which every new session of it begins. */
export async function setHostileDefaults(adminUrl: string): Promise<void> {
  const name = decodeURIComponent(new URL(adminUrl).pathname.slice(1))
  await withSession(adminUrl, async (session) => {
    for (const setting of DEFAULTS) await session.script(`alter database ${name} set ${setting}`)
  })
}
