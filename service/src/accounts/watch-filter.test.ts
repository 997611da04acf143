import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock, SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { Outage } from '../base/fault.ts'
import type { Address } from '../chains/port.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { withSession } from '../store/connection.ts'
import type { Database } from '../store/database.ts'
import type { WalletPurpose } from './wallet-rows.ts'
import { openWatchFilter } from './watch-filter.ts'
import { watchAddress } from './watch.ts'
import { TRUSTING } from '../../test/support/trusting.ts'

const SCOPE = 'eip155/mainnet'
const OTHER_SCOPE = 'eip155/testnet'
const BITCOIN = 'bip122:000000000019d6689c085ae165831e93'

let harness: TestDatabase
let orgId: string
let lastAddress = 0

beforeAll(async () => {
  harness = await openTestDatabase()
  orgId = await organization()
})
afterAll(() => harness.close())
beforeEach(() => withSession(harness.adminUrl, (s) => s.script('delete from watched_addresses')))

describe('the filter of watched addresses', () => {
  test('lets everything through until it has been read [I5]', async () => {
    const filter = openWatchFilter(harness.database)
    expect(filter.mayWatch(SCOPE, addressOf(999))).toBe(true)
    await filter.refresh()
    expect(filter.mayWatch(SCOPE, addressOf(999))).toBe(false)
    expect(filter.size()).toBe(0)
  })

  test('knows addresses of every purpose, each in its own scope alone [I5]', async () => {
    const ours: Address[] = []
    for (const purpose of ['deposit', 'settlement', 'gas'] as const) {
      ours.push(await watch({ purpose }))
    }
    const elsewhere = await watch({ scope: OTHER_SCOPE })
    const filter = await openFilter()
    for (const address of ours) {
      expect(filter.mayWatch(SCOPE, address)).toBe(true)
      expect(filter.mayWatch(OTHER_SCOPE, address)).toBe(false)
    }
    expect(filter.mayWatch(OTHER_SCOPE, elsewhere)).toBe(true)
    expect(filter.mayWatch(SCOPE, elsewhere)).toBe(false)
    expect(filter.mayWatch('xrpl:mainnet', elsewhere)).toBe(false)
    expect(filter.size()).toBe(4)
  })

  test('answers of many at once, and lets all through until it has been read [I5]', async () => {
    const words = Int32Array.from({ length: 10 }, (_, at) => (at === 4 ? 0x7fffffff : at))
    const filter = openWatchFilter(harness.database)
    expect([...filter.mayWatchEach(SCOPE, words)]).toEqual([1, 1])
    await filter.refresh()
    expect([...filter.mayWatchEach(SCOPE, words)]).toEqual([0, 0])
    const bytes = Buffer.from((await watch({})).slice(2), 'hex')
    for (let at = 0; at < 5; at += 1) words[5 + at] = bytes.readInt32BE(4 * at)
    await filter.refresh()
    expect([...filter.mayWatchEach(SCOPE, words)]).toEqual([0, 1])
    expect([...filter.mayWatchEach(OTHER_SCOPE, words)]).toEqual([0, 0])
  })

  test('knows in which scope an address shows no key when it spends [I5]', async () => {
    const [usual, taproot] = [
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    ].map((address) => address as Address)
    const filter = openWatchFilter(harness.database)
    expect(filter.hidesKeys(BITCOIN)).toBe(true)
    if (usual === undefined || taproot === undefined) throw new Error('no addresses')
    await harness.database.transaction((tx) => insert(tx, { scope: BITCOIN, address: usual }))
    await watch()
    await filter.refresh()
    expect([filter.hidesKeys(BITCOIN), filter.hidesKeys(SCOPE)]).toEqual([false, false])
    await harness.database.transaction((tx) => insert(tx, { scope: BITCOIN, address: taproot }))
    await filter.refresh()
    expect([filter.hidesKeys(BITCOIN), filter.hidesKeys(SCOPE)]).toEqual([true, false])
    expect((await openFilter()).hidesKeys(BITCOIN)).toBe(true)
    expect(filter.mayWatch(BITCOIN, taproot)).toBe(true)
  })

  test('reads all addresses however many pages they fill [I5]', async () => {
    await fill(SCOPE, 45_000)
    await fill(OTHER_SCOPE, 15_000)
    const filter = await openFilter()
    expect(missedOf(filter, SCOPE, 45_000)).toBe(0)
    expect(missedOf(filter, OTHER_SCOPE, 15_000)).toBe(0)
    await fill(SCOPE, 45_000, 45_000)
    await filter.refresh()
    expect(missedOf(filter, SCOPE, 90_000)).toBe(0)
  })

  test('what was committed before a refresh was asked for is known after it [I5]', async () => {
    const filter = await openFilter()
    for (let round = 0; round < 20; round += 1) {
      const addresses = await Promise.all([watch(), watch(), watch()])
      const under = filter.refresh()
      const late = await watch()
      await Promise.all([under, filter.refresh()])
      const asked = [...addresses, late]
      expect(asked.map((address) => filter.mayWatch(SCOPE, address))).not.toContain(false)
    }
  })

  test('an address is not missed because a later one was committed first [I5]', async () => {
    const filter = await openFilter()
    const slow = addressOf((lastAddress += 1))
    await harness.database.transaction(async (tx) => {
      await insert(tx, { address: slow })
      for (let round = 0; round < 3; round += 1) {
        const quick = await watch()
        await filter.refresh()
        expect(filter.mayWatch(SCOPE, quick)).toBe(true)
        expect(filter.mayWatch(SCOPE, slow)).toBe(false)
      }
    })
    await filter.refresh()
    expect(filter.mayWatch(SCOPE, slow)).toBe(true)
  })

  test('an address whose commit is open while all are read is not missed [I5]', async () => {
    const filter = openWatchFilter(harness.database)
    const slow = addressOf((lastAddress += 1))
    await harness.database.transaction(async (tx) => {
      await insert(tx, { address: slow })
      await watch()
      await filter.refresh()
    })
    await filter.refresh()
    expect(filter.mayWatch(SCOPE, slow)).toBe(true)
  })

  test('addresses that had no transaction of theirs written down are known [I5]', async () => {
    const address = await watch()
    const forget = 'update watched_addresses set added_in = null'
    await withSession(harness.adminUrl, (session) => session.script(forget))
    expect((await openFilter()).mayWatch(SCOPE, address)).toBe(true)
  })

  test('addresses with transaction ids of a former server are read once [O05]', async () => {
    const filter = await openFilter()
    await watch()
    const ahead = `update watched_addresses set added_in = '9000000000'`
    await withSession(harness.adminUrl, (session) => session.script(ahead))
    await filter.refresh()
    expect(filter.size()).toBe(0)
    expect((await openFilter()).size()).toBe(1)
  })

  test('a database outage fails the refresh, and the next refresh tries again [O05]', async () => {
    const address = await watch()
    let isAway = true
    const away = () => Promise.reject(new Outage('database', 'away'))
    const database: Database = {
      ...harness.database,
      transaction: (work) => (isAway ? away() : harness.database.transaction(work)),
    }
    const filter = openWatchFilter(database)
    const [first, second] = [filter.refresh(), filter.refresh()]
    await expect(first).rejects.toThrow('away')
    await expect(second).rejects.toThrow('away')
    expect(filter.mayWatch(SCOPE, addressOf(999))).toBe(true)
    isAway = false
    await filter.refresh()
    expect(filter.mayWatch(SCOPE, address)).toBe(true)
    expect(filter.mayWatch(SCOPE, addressOf(999))).toBe(false)
  })

  test('concurrent refreshes share one query, and queries keep their distance', async () => {
    let looks = 0
    const database: Database = {
      ...harness.database,
      transaction: (work) => {
        looks += 1
        return harness.database.transaction(work)
      },
    }
    const clock = new ManualClock()
    const filter = openWatchFilter(database, { clock, everyMs: 10 })
    await filter.refresh()
    looks = 0
    const asked = Array.from({ length: 5 }, () => filter.refresh())
    await new Promise((resolve) => setImmediate(resolve))
    asked.push(filter.refresh())
    expect(looks).toBe(0)
    await clock.advance(10)
    await Promise.all(asked)
    expect(looks).toBe(1)
    await clock.advance(10)
    await filter.refresh()
    expect(looks).toBe(2)
  })
})

async function openFilter() {
  const filter = openWatchFilter(harness.database)
  await filter.refresh()
  return filter
}

async function watch(options: { scope?: string; purpose?: WalletPurpose } = {}): Promise<Address> {
  const address = addressOf((lastAddress += 1))
  await harness.database.transaction((tx) => insert(tx, { ...options, address }))
  return address
}

function insert(
  tx: Parameters<typeof watchAddress>[0],
  options: { address: Address; scope?: string; purpose?: WalletPurpose },
): Promise<void> {
  return watchAddress(tx, TRUSTING, {
    wallet: 0,
    index: 0,
    scope: SCOPE,
    purpose: 'deposit',
    orgId,
    chainId: 'eip155:1' as ChainId,
    accountId: null,
    externalUserId: '',
    ...options,
  })
}

/** Watches addresses of these numbers of a scope, in one statement. */
function fill(scope: string, count: number, from = 0): Promise<number> {
  return harness.database.transaction((tx) =>
    tx.run(sql`
      insert into watched_addresses
             (scope, address, org_id, chain_id, purpose, account_id, external_user_id, created_at,
              wallet_number, path_index, mac)
      select ${scope}, '0x' || lpad(to_hex(n), 40, '0'), ${orgId}, 'c', 'gas', null, '', now(),
             0, 0, ''
        from generate_series(${from}::bigint, ${from + count - 1}) n`),
  )
}

function missedOf(
  filter: { mayWatch(scope: string, address: Address): boolean },
  scope: string,
  count: number,
): number {
  let missed = 0
  for (let at = 0; at < count; at += 1) if (!filter.mayWatch(scope, addressOf(at))) missed += 1
  return missed
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}` as Address
}

async function organization(): Promise<string> {
  const random = new SeededRandom('watch filter')
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  return harness.database.transaction(async (tx) => {
    const options = { name: 'Anna & Co', actor: 'test', random }
    return (await createOrganization(tx, serviceKey, options)).organization.id
  })
}
