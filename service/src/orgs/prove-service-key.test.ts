import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { withSession } from '../store/connection.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from './create-organization.ts'
import { proveServiceKey } from './prove-service-key.ts'

const random = new SeededRandom(7)
const ours = openServiceKey({ key: new Uint8Array(32).fill(7), random })
const other = openServiceKey({ key: new Uint8Array(32).fill(8), random })
const TABLES = ['organizations', 'api_keys', 'users'] as const

let db: TestDatabase
beforeEach(async () => {
  db = await openTestDatabase()
})
afterEach(() => db.close())

const proof = (key = ours) => db.database.transaction((tx) => proveServiceKey(tx, key))
const found = (name: string) =>
  db.database.transaction((tx) => createOrganization(tx, ours, { name, actor: 'cli:test', random }))
/** An attacker who writes to the database without the service key. */
const forge = (table: string) =>
  withSession(db.urls.owner, (session) =>
    session.run(sql`
      update ${sql.table(table)}
         set mac = sha256('x')`),
  )

describe('proveServiceKey', () => {
  test('proveServiceKey returns nothing without an organization [O07]', async () => {
    expect(await proof()).toBe('nothing')
    expect(await proof(other)).toBe('nothing')
  })

  test('proveServiceKey detects another key [O07]', async () => {
    await found('Alpha')
    await found('Beta')
    expect(await proof()).toBe('proved')
    expect(await proof(other)).toBe('other')
  })

  test.each(TABLES)(
    'proveServiceKey succeeds when a single row of %s matches [O07]',
    async (left) => {
      await found('Alpha')
      for (const table of TABLES) if (table !== left) await forge(table)
      expect(await proof()).toBe('proved')
      await forge(left)
      expect(await proof()).toBe('other')
    },
  )
})
