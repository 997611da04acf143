import type { ChainId } from '@sluice/wire'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, countWaiting, openTestDatabase } from '../../test/support/database.ts'
import { setCondition, startChain } from '../catalogue/chain-state.ts'
import { type Catalogue, openCatalogue } from '../catalogue/find.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { withSession } from '../store/connection.ts'
import { readMigrations } from '../store/migration-files.ts'
import type { Migration } from '../store/migration-files.ts'
import { MIGRATIONS } from './ground.ts'
import { type ReadinessOf, readReadiness } from './readiness.ts'

const CHAIN = 'eip155:1' as ChainId
const MINUTE_MS = 60_000
const catalogue: Catalogue = openCatalogue({ chains: [{ id: CHAIN }], tokens: [] })
const random = new SeededRandom(7)
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })
let db: TestDatabase
let migrations: Migration[]

beforeEach(async () => {
  db = await openTestDatabase()
  migrations = await readMigrations(MIGRATIONS)
})
afterEach(() => db.close())

type Changes = Partial<Pick<ReadinessOf, 'migrations' | 'database' | 'clockWatch'>>

function read(changes: Changes = {}) {
  return readReadiness({
    database: db.database,
    catalogue,
    clock: db.clock,
    clockWatch: { isSkewed: false },
    migrations,
    serviceKey,
    ...changes,
  })
}

async function contact(): Promise<void> {
  await db.database.transaction((tx) => {
    const tip = { height: 100, hash: `0x${'ab'.repeat(32)}` }
    const genesis = `0x${'cd'.repeat(32)}`
    const tipTime = db.clock.now()
    return startChain(tx, { chainId: CHAIN, genesis, tip, headHeight: 100, final: null, tipTime })
  })
}

describe('the service is ready', () => {
  test('with its database, its schema and its chains', async () => {
    await contact()
    expect(await read()).toEqual({
      status: 'ready',
      checks: { database: 'ok', migrations: 'ok', keys: 'ok', [CHAIN]: 'ok' },
    })
  })

  test('but degraded while a chain was never reached, is behind, or was stopped', async () => {
    expect(await read()).toMatchObject({ status: 'degraded', checks: { [CHAIN]: 'away' } })
    await contact()
    await db.clock.advance(10 * MINUTE_MS)
    expect(await read()).toMatchObject({ status: 'degraded', checks: { [CHAIN]: 'behind' } })
    await db.database.transaction((tx) =>
      setCondition(tx, { chainId: CHAIN, condition: 'frozen', cause: 'a deep reorg' }),
    )
    expect(await read()).toMatchObject({ status: 'degraded', checks: { [CHAIN]: 'stopped' } })
  })
})

describe('the service is unavailable', () => {
  test('with a schema that is older or newer than its own [O06]', async () => {
    const next = { name: '9999-next', checksum: 'x', text: '' }
    const behind = { status: 'unavailable', checks: { database: 'ok', migrations: 'behind' } }
    expect(await read({ migrations: [...migrations, next] })).toEqual(behind)
    expect(await read({ migrations: [] })).toEqual(behind)
  })

  test('with a database that another service key has written [O07]', async () => {
    const other = openServiceKey({ key: new Uint8Array(32).fill(8), random })
    await contact()
    await db.database.transaction((tx) =>
      createOrganization(tx, other, { name: 'Acme', actor: 'cli:test', random }),
    )
    expect(await read()).toEqual({
      status: 'unavailable',
      checks: { database: 'ok', migrations: 'ok', keys: 'other', [CHAIN]: 'ok' },
    })
    await db.database.transaction((tx) =>
      createOrganization(tx, serviceKey, { name: 'Ours', actor: 'cli:test', random }),
    )
    expect(await read()).toMatchObject({ status: 'ready', checks: { keys: 'ok' } })
  })

  test('with a skewed clock, and the chains are still listed [O04]', async () => {
    await contact()
    expect(await read({ clockWatch: { isSkewed: true } })).toEqual({
      status: 'unavailable',
      checks: { database: 'ok', migrations: 'ok', keys: 'ok', [CHAIN]: 'ok', clock: 'skewed' },
    })
  })

  test('without its database [O05]', async () => {
    await db.database.close()
    await db.close()
    expect(await read()).toEqual({ status: 'unavailable', checks: { database: 'away' } })
    db = await openTestDatabase()
  })

  test('with tables that are locked, and no question is left waiting for them [O05]', async () => {
    await withSession(db.urls.owner, async (session) => {
      await session.script('begin; lock table chain_states')
      const asked = read()
      await vi.waitFor(async () => expect(await countWaiting(db)).toBe(1))
      await db.clock.advance(MINUTE_MS)
      expect(await asked).toEqual({ status: 'unavailable', checks: { database: 'away' } })
      await vi.waitFor(async () => expect(await countWaiting(db)).toBe(0), 20_000)
      await session.script('rollback')
    })
  })

  test('with a database that hangs [O05]', async () => {
    const asApi = () => new Promise<never>(() => undefined)
    const asked = read({ database: { ...db.database, asApi } })
    await db.clock.advance(MINUTE_MS)
    expect(await asked).toEqual({ status: 'unavailable', checks: { database: 'away' } })
  })
})
