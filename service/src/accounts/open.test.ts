import { HDKey } from '@scure/bip32'
import { publicKeysOf } from '../../test/support/signer.ts'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { Outage } from '../base/fault.ts'
import { startChain } from '../catalogue/chain-state.ts'
import { CHAINS, type ChainEntry } from '../catalogue/chains.ts'
import { addressOf, displayAddress } from '../chains/format-address.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Seed } from '../keys/seed.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { withSession } from '../store/connection.ts'
import { openOutbox } from '../webhooks/outbox.ts'
import { findAccount } from './find.ts'
import { type Opened, openAccount } from './open.ts'
import { organizationsOn } from './organizations-on.ts'
import type { AccountKeys } from './wallet.ts'

const ENTROPY = new Uint8Array(32).fill(7)
const ETHEREUM = chainOf('eip155:1')
const BSC = chainOf('eip155:56')
const SEPOLIA = chainOf('eip155:11155111')
const UNREACHED = chainOf('eip155:137')

const random = new SeededRandom('accounts')
const serviceKey = openServiceKey({ key: random.bytes(32), random })
const keyring = openKeyring(new Seed(ENTROPY))
const keys: AccountKeys = { signer: publicKeysOf(keyring), serviceKey }

let harness: TestDatabase
let orgId: string

beforeAll(async () => {
  harness = await openTestDatabase({ poolMax: 20 })
  for (const entry of [ETHEREUM, BSC, SEPOLIA]) await contact(entry)
})
beforeEach(async () => {
  orgId = await organization()
})
afterAll(() => harness.close())

describe('a deposit account', () => {
  test('a deposit account is created once and returned to each later call [K06]', async () => {
    const first = await open({ externalUserId: 'ann' })
    await harness.clock.advance(60_000)
    const again = await open({ externalUserId: 'ann' })
    expect(first).toMatchObject({ created: true, account: { orgId, externalUserId: 'ann' } })
    expect(again).toEqual({ created: false, account: first.account })
    expect(first.account).toMatchObject({ chainId: 'eip155:1', destinationTag: null })
    expect(first.account.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
  })

  test('its address is what an independent library derives at its path [K05]', async () => {
    for (const [index, externalUserId] of ['ann', 'bob', 'cid'].entries()) {
      const { account } = await open({ externalUserId })
      const { wallet } = await pathOf(account.id)
      expect(account.address).toBe(independent(`m/44'/60'/${wallet}'/0/${index}`))
    }
    const { account } = await open({ entry: SEPOLIA })
    const { wallet } = await pathOf(account.id)
    expect(account.address).toBe(independent(`m/44'/1'/${wallet}'/0/0`))
  })

  test('one user has another address on each chain [K06]', async () => {
    const opened = []
    for (const entry of [ETHEREUM, BSC, SEPOLIA]) opened.push(await open({ entry }))
    expect(new Set(opened.map(({ account }) => account.address)).size).toBe(3)
    expect(new Set(opened.map(({ account }) => account.id)).size).toBe(3)
  })

  test('the same user id in two organizations is two users [S10]', async () => {
    const other = await organization()
    const mine = await open({ externalUserId: 'ann' })
    const theirs = await open({ org: other, externalUserId: 'ann' })
    expect(theirs.created).toBe(true)
    expect(theirs.account.address).not.toBe(mine.account.address)
    const whose = { orgId, chainId: ETHEREUM.id, externalUserId: 'ann' }
    const seen = await harness.database.forOrg(other, (tx) => findAccount(tx, serviceKey, whose))
    expect(seen).toBeNull()
  })

  test('composed and decomposed spellings of a name are two accounts [V07]', async () => {
    const composed = await open({ externalUserId: 'caf\u00E9' })
    const decomposed = await open({ externalUserId: 'cafe\u0301' })
    expect(decomposed.created).toBe(true)
    expect(decomposed.account.address).not.toBe(composed.account.address)
    const longest = '\u{1F600}'.repeat(255)
    expect((await open({ externalUserId: longest })).account.externalUserId).toBe(longest)
  })

  test.each([
    ['empty', ''],
    ['white', '   '],
    ['with a NUL', 'a\u0000b'],
    ['too long', 'x'.repeat(256)],
    ['half a pair', '\uD800'],
  ])('an invalid user id creates no account [V07]: %s', async (_name, externalUserId) => {
    await expect(open({ externalUserId })).rejects.toMatchObject({ code: 'INVALID_USER_ID' })
    expect(await counts()).toEqual({ accounts: 0, watched: 0, events: 0, wallets: 0 })
  })

  test('account.created is emitted once, in the same commit, as specified [I13]', async () => {
    const { account } = await open({ externalUserId: 'ann' })
    await open({ externalUserId: 'ann' })
    const bodies = await eventBodies()
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatchObject({
      type: 'account.created',
      orgId,
      sequence: 1,
      payload: {
        orgId,
        chainId: 'eip155:1',
        externalUserId: 'ann',
        orgDepositAccountId: account.id,
        properties: { address: account.address },
        createdAt: new Date(account.createdAt).toISOString(),
      },
    })
  })

  test('before its chain was ever reached no address is shown [I5]', async () => {
    await expect(open({ entry: UNREACHED })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { chainId: UNREACHED.id },
    })
    expect(await counts()).toEqual({ accounts: 0, watched: 0, events: 0, wallets: 0 })
  })

  test('organizations whose money may be on a chain are found [R04]', async () => {
    const other = await organization()
    await open({ entry: SEPOLIA })
    const on = (entry: ChainEntry) =>
      harness.database.transaction((tx) => organizationsOn(tx, entry.id))
    expect(await on(SEPOLIA)).toContain(orgId)
    expect(await on(SEPOLIA)).not.toContain(other)
    // The same address takes payments on every EVM chain of its kind, and on no other chain.
    expect(await on(chainOf('eip155:97'))).toContain(orgId)
    expect(await on(chainOf('eip155:1'))).not.toContain(orgId)
    expect(await on(chainOf('tron:shasta'))).toEqual([])
  })
})

describe('many at once', () => {
  test('500 calls for 250 users make 250 accounts, no index lost or shared [X14]', async () => {
    const users = Array.from({ length: 500 }, (_, at) => `user ${at % 250}`)
    const opened = await Promise.all(
      users.map((externalUserId) => patiently(() => open({ externalUserId }))),
    )

    expect(opened.filter(({ created }) => created)).toHaveLength(250)
    expect(new Set(opened.map(({ account }) => account.id)).size).toBe(250)
    expect(new Set(opened.map(({ account }) => account.address)).size).toBe(250)
    for (const [at, { account }] of opened.entries()) {
      expect(account).toEqual(opened[at % 250]?.account)
      expect(account.externalUserId).toBe(users[at])
    }
    expect(await counts()).toEqual({ accounts: 250, watched: 250, events: 250, wallets: 1 })
    expect(await indices()).toEqual(Array.from({ length: 250 }, (_, index) => index))
    const sequences = (await eventBodies()).map(({ sequence }) => sequence)
    expect(sequences).toEqual(Array.from({ length: 250 }, (_, at) => at + 1))
  })

  test('first calls of many number their wallets without gaps [K06]', async () => {
    const next = await nextWallet()
    const orgs = [orgId, await organization(), await organization()]
    const calls = orgs.flatMap((org) =>
      [ETHEREUM, BSC].flatMap((entry) =>
        Array.from({ length: 10 }, (_, at) =>
          patiently(() => open({ org, entry, externalUserId: `user ${at}` })),
        ),
      ),
    )
    const opened = await Promise.all(calls)
    expect(opened.every(({ created }) => created)).toBe(true)
    const numbers = await walletNumbers(orgs)
    expect(numbers).toEqual(Array.from({ length: 6 }, (_, at) => next + at))
    expect(await nextWallet()).toBe(next + 6)
  })
})

describe('when something goes wrong', () => {
  test('a step that fails late gives number and index back [K06]', async () => {
    const next = await nextWallet()
    const lost = harness.database.forOrg(orgId, async (tx) => {
      await openAccount(tx, { keys, entry: ETHEREUM, orgId, externalUserId: 'ann' })
      throw new Error('the process died')
    })
    await expect(lost).rejects.toThrow('the process died')
    expect(await counts()).toEqual({ accounts: 0, watched: 0, events: 0, wallets: 0 })
    expect(await nextWallet()).toBe(next)

    const { account } = await open({ externalUserId: 'bob' })
    expect(await pathOf(account.id)).toEqual({ wallet: next, index: 0 })
  })

  test.each([
    ['another xpub', `xpub = (select xpub from wallets where org_id <> w.org_id limit 1)`],
    ['another number', 'number = 1000000'],
    ['another MAC', `xpub_mac = sha256('forged')`],
    ['no xpub', `xpub = ''`],
  ])('a wallet with %s written into the database shows no address [K06]', async (_name, change) => {
    const other = await organization()
    await open({ org: other })
    await open({ externalUserId: 'ann' })
    await asOwner(`update wallets w set ${change} where w.org_id = '${orgId}'`)
    await expect(open({ externalUserId: 'bob' })).rejects.toThrow('changed in the database')
    expect(await counts()).toMatchObject({ accounts: 1, watched: 1, events: 1 })
  })

  test('an address that the seed does not confirm is not shown [K06]', async () => {
    const stranger = openKeyring(new Seed(new Uint8Array(32).fill(8)))
    const torn: AccountKeys = {
      serviceKey,
      signer: {
        accountXpub: async (_orgId, at) => stranger.accountXpub(at),
        publicKey: async (_orgId, at) => keyring.publicKey(at),
      },
    }
    await expect(open({ keys: torn })).rejects.toThrow('the seed does not confirm')
    expect(await counts()).toEqual({ accounts: 0, watched: 0, events: 0, wallets: 0 })
  })

  test('an address that another account already has is refused [K06]', async () => {
    const { account } = await open({})
    const { wallet } = await pathOf(account.id)
    await asOwner(`update wallets set next_index = 0 where number = ${wallet}`)
    await expect(open({ externalUserId: 'bob' })).rejects.toThrow('given out twice')
    expect(await counts()).toMatchObject({ accounts: 1, watched: 1, events: 1 })
  })

  test('after the last index there is no next one [K06]', async () => {
    await open({ externalUserId: 'ann' })
    await asOwner(`update wallets set next_index = 2147483647 where org_id = '${orgId}'`)
    const { account } = await open({ externalUserId: 'bob' })
    expect(await pathOf(account.id)).toMatchObject({ index: 2_147_483_647 })
    await expect(open({ externalUserId: 'cid' })).rejects.toMatchObject({
      code: 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT',
    })
    expect((await open({ externalUserId: 'ann' })).created).toBe(false)
  })

  test('the API cannot change an account or watch for another organization [S10]', async () => {
    const { account } = await open({})
    const other = await organization()
    const asApi = (text: string) => harness.database.forOrg(orgId, (tx) => tx.run(sql.raw(text)))
    for (const text of [
      `update accounts set address = 'x'`,
      'delete from accounts',
      `update watched_addresses set org_id = '${other}'`,
      'delete from watched_addresses',
      `insert into watched_addresses values
         ('s', 'a', '${other}', 'c', 'deposit', null, '', now(), null, 0, 0, '')`,
    ]) {
      await expect(asApi(text)).rejects.toMatchObject({ code: '42501' })
    }
    expect((await open({})).account).toEqual(account)
  })
})

function chainOf(id: string): ChainEntry {
  const entry = CHAINS.find((chain) => chain.id === id)
  if (entry === undefined) throw new Error(`no chain ${id}`)
  return entry
}

function open(
  options: { org?: string; entry?: ChainEntry; externalUserId?: string; keys?: AccountKeys } = {},
): Promise<Opened> {
  const org = options.org ?? orgId
  const entry = options.entry ?? ETHEREUM
  const externalUserId = options.externalUserId ?? 'ann'
  const rest = { keys: options.keys ?? keys, entry, orgId: org, externalUserId }
  return harness.database.forOrg(org, (tx) => openAccount(tx, rest))
}

/**
 * Retries on a 503, as a caller does: on a slow machine, some calls wait too long for a connection.
 */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Outage) return patiently(work)
    throw error
  }
}

async function contact({ id: chainId }: ChainEntry): Promise<void> {
  const tip = { height: 100, hash: '0xaa' }
  const rest = { genesis: '0x00', tipTime: harness.clock.now(), headHeight: 100, final: null }
  await harness.database.transaction((tx) => startChain(tx, { chainId, tip, ...rest }))
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

function independent(path: string): string {
  const seed = mnemonicToSeedSync(entropyToMnemonic(ENTROPY, wordlist))
  const { publicKey } = HDKey.fromMasterSeed(seed).derive(path)
  return displayAddress(ETHEREUM.id, addressOf(ETHEREUM.id, publicKey ?? new Uint8Array()))
}

async function pathOf(accountId: string): Promise<{ wallet: number; index: number }> {
  return harness.database.transaction((tx) =>
    tx.one(sql<{ wallet: number; index: number }>`
      select wallet_number as wallet, path_index as index
        from accounts
       where id = ${accountId}`),
  )
}

async function indices(): Promise<number[]> {
  const rows = await harness.database.transaction((tx) =>
    tx.many(sql<{ index: number }>`
      select path_index as index
        from accounts
       where org_id = ${orgId}
       order by 1`),
  )
  return rows.map(({ index }) => index)
}

async function walletNumbers(orgs: readonly string[]): Promise<number[]> {
  const rows = await harness.database.transaction((tx) =>
    tx.many(sql<{ number: number }>`
      select number
        from wallets
       where org_id = any(${orgs}::uuid[])
       order by 1`),
  )
  return rows.map(({ number }) => number)
}

async function nextWallet(): Promise<number> {
  const row = await harness.database.transaction((tx) =>
    tx.one(sql<{ next: number }>`
      select next_number as next
        from wallet_counter`),
  )
  return row.next
}

function counts() {
  return harness.database.transaction((tx) =>
    tx.one(sql<{ accounts: number; watched: number; events: number; wallets: number }>`
      select (select count(*) from accounts where org_id = ${orgId}) as accounts,
             (select count(*) from watched_addresses where org_id = ${orgId}) as watched,
             (select count(*) from events where org_id = ${orgId}) as events,
             (select count(*) from wallets where org_id = ${orgId}) as wallets`),
  )
}

async function eventBodies(): Promise<{ sequence: number; [key: string]: unknown }[]> {
  const rows = await harness.database.transaction((tx) =>
    tx.many(sql<{ body: string }>`
      select body
        from events
       where org_id = ${orgId}
       order by sequence`),
  )
  return rows.map(({ body }) => JSON.parse(body))
}

function asOwner(text: string): Promise<void> {
  return withSession(harness.urls.owner, (session) =>
    session.script(`set role sluice_owner; ${text}`),
  )
}
