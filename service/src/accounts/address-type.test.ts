import { HDKey } from '@scure/bip32'
import { publicKeysOf } from '../../test/support/signer.ts'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { p2tr } from '@scure/btc-signer'
import { payments } from 'bitcoinjs-lib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { startChain } from '../catalogue/chain-state.ts'
import { CHAINS, type ChainEntry } from '../catalogue/chains.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Seed } from '../keys/seed.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { openOutbox } from '../webhooks/outbox.ts'
import { type Opened, openAccount } from './open.ts'
import type { AccountKeys } from './wallet.ts'

const ENTROPY = new Uint8Array(32).fill(7)
const BITCOIN = bitcoin()
const TAPROOT: ChainEntry = { ...BITCOIN, addressType: 'p2tr' }
const NO_PATH = { wallet: -1, index: -1 }

const root = HDKey.fromMasterSeed(mnemonicToSeedSync(entropyToMnemonic(ENTROPY, wordlist)))
const random = new SeededRandom('address types')
const serviceKey = openServiceKey({ key: random.bytes(32), random })
const ringOf = (fill: number) => openKeyring(new Seed(new Uint8Array(32).fill(fill)))
const keyring = ringOf(7)
const keys: AccountKeys = { signer: publicKeysOf(keyring), serviceKey }

let harness: TestDatabase
let orgId: string

beforeAll(async () => {
  harness = await openTestDatabase()
  const tip = { height: 100, hash: 'aa' }
  const rest = { genesis: '00', tipTime: harness.clock.now(), headHeight: 100, final: null }
  await harness.database.transaction(async (tx) => {
    const options = { name: 'Anna & Co', actor: 'test', random }
    const { organization } = await createOrganization(tx, serviceKey, options)
    orgId = organization.id
    await openOutbox(tx, orgId)
    await startChain(tx, { chainId: BITCOIN.id, tip, ...rest })
  })
})
afterAll(() => harness.close())

describe('a deposit account of Bitcoin', () => {
  test('a deposit address has the configured type and the path of that type [K05]', async () => {
    const users: [string, ChainEntry][] = [
      ['ann', BITCOIN],
      ['bob', TAPROOT],
      ['cid', BITCOIN],
    ]
    const opened = []
    for (const [externalUserId, entry] of users) opened.push(await open({ externalUserId, entry }))
    const [ann, bob, cid] = await Promise.all(opened.map(({ account }) => pathOf(account.id)))
    expect([ann?.index, bob?.index, cid?.index]).toEqual([0, 1, 2])
    const key = (purpose: number, { wallet, index }: { wallet: number; index: number }) =>
      root.derive(`m/${purpose}'/0'/${wallet}'/0/${index}`).publicKey ?? new Uint8Array()
    const pubkey = key(84, ann ?? NO_PATH)
    expect(opened[0]?.account.address).toBe(payments.p2wpkh({ pubkey }).address)
    const internal = key(86, bob ?? NO_PATH).slice(1)
    expect(opened[1]?.account.address).toBe(p2tr(internal).address)
    // A user keeps the address when another type is configured later.
    for (const [at, [externalUserId]] of users.entries()) {
      for (const entry of [BITCOIN, TAPROOT]) {
        const again = await open({ externalUserId, entry })
        expect(again).toEqual({ created: false, account: opened[at]?.account })
      }
    }
  })

  test.each([
    ['the seed of another wallet', 8, 8],
    ['an xpub of another seed', 7, 8],
    ['a seed that does not confirm the key', 8, 7],
  ])('an address of P2TR is not shown with %s [K06]', async (_what, own, other) => {
    await open({ entry: TAPROOT, externalUserId: 'ann' })
    await forgetTaproot()
    const before = await watched()
    const rings = new Map([own, other].map((fill) => [fill, ringOf(fill)]))
    const torn: AccountKeys = {
      serviceKey,
      signer: {
        accountXpub: async (_orgId, at) => (rings.get(other) ?? keyring).accountXpub(at),
        publicKey: async (_orgId, at) => (rings.get(own) ?? keyring).publicKey(at),
      },
    }
    const opening = open({ entry: TAPROOT, externalUserId: 'eve', keys: torn })
    await expect(opening).rejects.toThrow('the seed does not confirm')
    expect(await watched()).toBe(before)
  })

  test('a wallet of an older version is completed by a process with the seed alone', async () => {
    const { account } = await open({ entry: TAPROOT, externalUserId: 'fay' })
    await forgetTaproot()
    const seedless = { signer: null, serviceKey }
    const asked = open({ entry: TAPROOT, externalUserId: 'gus', keys: seedless })
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await open({ entry: TAPROOT, externalUserId: 'fay' })).account).toEqual(account)
    const made = await open({ entry: TAPROOT, externalUserId: 'gus' })
    const again = await open({ entry: TAPROOT, externalUserId: 'hal', keys: seedless })
    expect([made.created, again.created]).toEqual([true, true])
  })
})

/** The wallet as versions before the second column wrote it. */
async function forgetTaproot(): Promise<void> {
  await harness.database.transaction(async (tx) => {
    const { number, xpub } = await tx.one(sql<{ number: number; xpub: string }>`
      select number, xpub
        from wallets
       where org_id = ${orgId}`)
    const mac = serviceKey.mac('wallet-xpub', [orgId, BITCOIN.id, 'deposit', number, xpub])
    await tx.run(sql`
      update wallets
         set xpub_p2tr = '',
             xpub_mac = ${mac}`)
  })
}

function bitcoin(): ChainEntry {
  const entry = CHAINS.find(({ name }) => name === 'Bitcoin')
  if (entry === undefined) throw new Error('no Bitcoin')
  return entry
}

function open(options: {
  entry: ChainEntry
  externalUserId: string
  keys?: AccountKeys
}): Promise<Opened> {
  return harness.database.forOrg(orgId, (tx) => openAccount(tx, { keys, orgId, ...options }))
}

function watched(): Promise<number> {
  return harness.database.transaction(async (tx) => {
    const row = await tx.one(sql<{ count: number }>`
      select count(*) as count
        from watched_addresses`)
    return row.count
  })
}

async function pathOf(accountId: string): Promise<{ wallet: number; index: number }> {
  return harness.database.transaction((tx) =>
    tx.one(sql<{ wallet: number; index: number }>`
      select wallet_number as wallet, path_index as index
        from accounts
       where id = ${accountId}`),
  )
}
