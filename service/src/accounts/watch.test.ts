import { sql } from 'kysely'
import { publicKeysOf } from '../../test/support/signer.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { startChain } from '../catalogue/chain-state.ts'
import { CHAINS, type ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { Address } from '../chains/port.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Seed } from '../keys/seed.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { openOutbox } from '../webhooks/outbox.ts'
import { listRecentWatched, listWatched } from './list-addresses.ts'
import { openAccount } from './open.ts'
import { matchAddresses, watchAddress } from './watch.ts'

const ETHEREUM = chainOf('eip155:1')
const SEPOLIA = chainOf('eip155:11155111')

const random = new SeededRandom('watch')
const serviceKey = openServiceKey({ key: random.bytes(32), random })
const keyring = openKeyring(new Seed(new Uint8Array(32).fill(7)))
const keys = { signer: publicKeysOf(keyring), serviceKey }

let harness: TestDatabase
let orgId: string

beforeAll(async () => {
  harness = await openTestDatabase()
  orgId = await organization()
  for (const { id: chainId } of [ETHEREUM, SEPOLIA]) {
    const tip = { height: 100, hash: '0xaa' }
    const rest = { genesis: '0x00', tipTime: harness.clock.now(), headHeight: 100, final: null }
    await harness.database.transaction((tx) => startChain(tx, { chainId, tip, ...rest }))
  }
})
afterAll(() => harness.close())

describe('addresses of ours', () => {
  test('an address is watched on all EVM mainnets or all EVM testnets [E20]', async () => {
    const { account, address } = await open(ETHEREUM, 'ann')
    const watched = {
      orgId,
      chainId: ETHEREUM.id,
      purpose: 'deposit',
      accountId: account.id,
      externalUserId: 'ann',
      proof: 'authentic',
    }
    for (const chain of ['eip155:1', 'eip155:137', 'eip155:56']) {
      expect(await match(scopeOf(chain), [address])).toEqual(new Map([[address, watched]]))
    }
    for (const chain of ['eip155:11155111', 'eip155:97', 'xrpl:mainnet']) {
      expect(await match(scopeOf(chain), [address])).toEqual(new Map())
    }
  })

  test('an address is found from the very commit that issued it [E20]', async () => {
    const found = await harness.database.forOrg(orgId, async (tx) => {
      const options = { keys, entry: SEPOLIA, orgId, externalUserId: 'bea' }
      const address = stored((await openAccount(tx, options)).account.address)
      expect(await match(watchScope(SEPOLIA), [address])).toEqual(new Map())
      return address
    })
    expect([...(await match(watchScope(SEPOLIA), [found])).keys()]).toEqual([found])
  })

  test('only the exact address is watched, and no similar text [I5]', async () => {
    const { address } = await open(ETHEREUM, 'cid')
    const alike = [address.toUpperCase(), `${address}0`, address.slice(0, -1), ` ${address}`, '']
    expect(await match(watchScope(ETHEREUM), alike as Address[])).toEqual(new Map())
  })

  test('however many addresses a block has, all of ours are found [I5]', async () => {
    const scope = watchScope(ETHEREUM)
    const ours = []
    for (const externalUserId of ['first', 'middle', 'last']) {
      ours.push((await open(ETHEREUM, externalUserId)).address)
    }
    const strangers = Array.from({ length: 24_997 }, (_, at) => addressOf(at))
    const [first, middle, last] = ours as [Address, Address, Address]
    const all = [first, ...strangers.slice(0, 12_000), middle, ...strangers.slice(12_000), last]
    const found = await match(scope, [...all, ...all])
    expect(new Set(found.keys())).toEqual(new Set(ours))
    expect(await match(scope, strangers)).toEqual(new Map())
    expect(await match(scope, [])).toEqual(new Map())
  })

  test('a step asks the database once, and knows what it watches itself', async () => {
    const scope = watchScope(ETHEREUM)
    const { address } = await open(ETHEREUM, 'eve')
    const [stranger, late] = [addressOf(3_000_000), addressOf(3_000_001)]
    await harness.database.transaction(async (tx) => {
      const asking = vi.spyOn(tx, 'many')
      const ask = async (addresses: readonly Address[], where = scope) => [
        ...(await matchAddresses(tx, serviceKey, { scope: where, addresses })).keys(),
      ]
      expect(await ask([address, stranger])).toEqual([address])
      expect(await ask([stranger, address, address])).toEqual([address])
      expect(asking).toHaveBeenCalledTimes(1)
      expect(await ask([address, late])).toEqual([address])
      expect(await ask([address], 'eip155/testnet')).toEqual([])
      expect(asking).toHaveBeenCalledTimes(3)
      const watch = { scope, address: late, chainId: ETHEREUM.id, purpose: 'gas' } as const
      await watchAddress(tx, serviceKey, { ...watch, orgId, ...NO_USER })
      expect(await ask([late])).toEqual([late])
    })
  })

  test('an address never belongs to a second organization [K06]', async () => {
    const other = await organization()
    const address = addressOf(1_000_000)
    const scope = watchScope(ETHEREUM)
    const watch = { scope, address, chainId: ETHEREUM.id, purpose: 'gas', ...NO_USER } as const
    const as = (owner: string) =>
      harness.database.forOrg(owner, (tx) =>
        watchAddress(tx, serviceKey, { ...watch, orgId: owner }),
      )
    await as(orgId)
    await expect(as(other)).rejects.toThrow('given out twice')
    await expect(as(orgId)).rejects.toThrow('given out twice')
    expect((await match(scope, [address])).get(address)).toMatchObject({ orgId, purpose: 'gas' })
  })

  test('an organization finds none of the addresses of another [S10]', async () => {
    const other = await organization()
    const { address } = await open(ETHEREUM, 'dot')
    const seen = await harness.database.forOrg(other, (tx) =>
      matchAddresses(tx, serviceKey, { scope: watchScope(ETHEREUM), addresses: [address] }),
    )
    expect(seen).toEqual(new Map())
  })

  test('all addresses of a scope can be gone through, or the recent ones alone [I2]', async () => {
    const scope = 'test-scope'
    const issued = Array.from({ length: 7 }, (_, at) => addressOf(2_000_000 + at))
    for (const address of issued) {
      await harness.clock.advance(1_000)
      const watch = { scope, address, orgId, chainId: ETHEREUM.id, purpose: 'gas' } as const
      await harness.database.transaction((tx) =>
        watchAddress(tx, serviceKey, { ...watch, ...NO_USER }),
      )
    }
    const seen: Address[] = []
    for (let after: Address | null = null; ; after = seen.at(-1) ?? null) {
      const from: Address | null = after
      const page = await harness.database.transaction((tx) =>
        listWatched(tx, { scope, after: from, limit: 3 }),
      )
      if (page.length === 0) break
      seen.push(...page.map(({ address }) => address))
    }
    expect(seen).toEqual([...issued].sort())
    const since = harness.clock.now() - 1_000
    const recent = await harness.database.transaction((tx) =>
      listRecentWatched(tx, { scope, since, limit: 10 }),
    )
    expect(recent.map(({ address }) => address)).toEqual(issued.slice(-2).toReversed())
  })

  test('the question is answered from the key, however large the table [I5]', async () => {
    await harness.database.transaction((tx) =>
      tx.run(sql`
        insert into watched_addresses
        select 'large', 'a' || n, ${orgId}, 'c', 'gas', null, '', now(), null, 0, 0, ''
          from generate_series(1, 20000) n`),
    )
    const plan = await harness.database.transaction((tx) =>
      tx.many(sql<{ 'QUERY PLAN': string }>`
        explain select address
          from watched_addresses
         where scope = 'large'
           and address = any(${Array.from({ length: 100 }, (_, at) => `a${at}`)}::text[])`),
    )
    const text = plan.map((line) => line['QUERY PLAN']).join('\n')
    expect(text).toContain('watched_addresses_pkey')
    expect(text).not.toContain('Seq Scan')
  })
})

const NO_USER = { accountId: null, externalUserId: '', wallet: 0, index: 0 }

function chainOf(id: string): ChainEntry {
  const entry = CHAINS.find((chain) => chain.id === id)
  if (entry === undefined) throw new Error(`no chain ${id}`)
  return entry
}

function scopeOf(id: string): string {
  return watchScope(chainOf(id))
}

async function open(entry: ChainEntry, externalUserId: string) {
  const options = { keys, entry, orgId, externalUserId }
  const { account } = await harness.database.forOrg(orgId, (tx) => openAccount(tx, options))
  return { account, address: stored(account.address) }
}

/** The spelling that is stored and compared. */
function stored(address: string): Address {
  return address.toLowerCase() as Address
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}` as Address
}

function match(scope: string, addresses: readonly Address[]) {
  return harness.database.transaction((tx) => matchAddresses(tx, serviceKey, { scope, addresses }))
}

async function organization(): Promise<string> {
  const keyRandom = new SeededRandom(harness.ids.next())
  return harness.database.transaction(async (tx) => {
    const options = { name: 'Anna & Co', actor: 'test', random: keyRandom }
    const { organization: made } = await createOrganization(tx, serviceKey, options)
    await openOutbox(tx, made.id)
    return made.id
  })
}
