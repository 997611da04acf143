import { sql } from 'kysely'
import { publicKeysOf } from '../../test/support/signer.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { startChain } from '../catalogue/chain-state.ts'
import { CHAINS, type ChainEntry } from '../catalogue/chains.ts'
import { addressOf } from '../chains/format-address.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Seed } from '../keys/seed.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { withSession } from '../store/connection.ts'
import { openOutbox } from '../webhooks/outbox.ts'
import { parseExternalUserId } from './account.ts'
import { openAccounts } from './open-many.ts'
import { type Opened, openAccount } from './open.ts'
import type { AccountKeys } from './wallet.ts'

const ETHEREUM = chainOf('eip155:1')
const UNREACHED = chainOf('eip155:137')
const random = new SeededRandom('accounts together')
const serviceKey = openServiceKey({ key: random.bytes(32), random })
const keyring = openKeyring(new Seed(new Uint8Array(32).fill(7)))
const keys: AccountKeys = { signer: publicKeysOf(keyring), serviceKey }

let harness: TestDatabase

beforeAll(async () => {
  harness = await openTestDatabase()
  const tip = { height: 100, hash: '0xaa' }
  const rest = { genesis: '0x00', tipTime: harness.clock.now(), headHeight: 100, final: null }
  await harness.database.transaction((tx) => startChain(tx, { chainId: ETHEREUM.id, tip, ...rest }))
})
afterAll(() => harness.close())

describe('deposit accounts of many users in one commit [K06]', () => {
  test('are what the same calls make one after the other', async () => {
    const user = fc.integer({ min: 0, max: 6 }).map((number) => `user ${number}`)
    const calls = fc.array(fc.array(user, { minLength: 1, maxLength: 6 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(calls, async (groups) => {
        const [together, alone] = [await organization(), await organization()]
        for (const group of groups) {
          const many = await open(together, group)
          const each: Opened[] = []
          for (const externalUserId of group) each.push(await openOne(alone, externalUserId))
          expect(many.map(said)).toEqual(each.map(said))
        }
        expect(await standing(together)).toEqual(await standing(alone))
      }),
      { numRuns: 12 },
    )
  })

  test('have the addresses that are derived one by one', async () => {
    const orgId = await organization()
    await open(orgId, ['ann', 'bob', 'cid'])
    const rows = await harness.database.transaction((tx) =>
      tx.many(sql<{ address: string; wallet: number; index: number }>`
        select address, wallet_number as wallet, path_index as index
          from accounts
         where org_id = ${orgId}
         order by path_index`),
    )
    for (const { address, wallet, index } of rows) {
      const at = { namespace: 'eip155', isTestnet: false, wallet, branch: 0, index } as const
      expect(address).toBe(addressOf(ETHEREUM.id, keyring.publicKey(at)))
    }
    expect(rows.map(({ index }) => index)).toEqual([0, 1, 2])
  })

  test('groups and single calls at once make one account a user, no index lost [X14]', async () => {
    const orgId = await organization()
    const users = Array.from({ length: 40 }, (_, at) => `user ${at}`)
    const opened = await Promise.all([
      open(orgId, users.slice(0, 30)),
      open(orgId, users.slice(10)),
      ...users.slice(5, 10).map(async (one) => [await openOne(orgId, one)]),
    ])
    expect(opened.flat().filter(({ created }) => created)).toHaveLength(40)
    expect(await counts(orgId)).toEqual({ accounts: 40, watched: 40, events: 40, next: 40 })
  })

  test('are all withheld when the seed does not confirm them', async () => {
    const orgId = await organization()
    const stranger = openKeyring(new Seed(new Uint8Array(32).fill(8)))
    const torn: AccountKeys = {
      serviceKey,
      signer: {
        accountXpub: async (_orgId, at) => stranger.accountXpub(at),
        publicKey: async (_orgId, at) => keyring.publicKey(at),
      },
    }
    const opening = open(orgId, ['ann', 'bob'], { keys: torn })
    await expect(opening).rejects.toThrow('the seed does not confirm')
    expect(await counts(orgId)).toEqual({ accounts: 0, watched: 0, events: 0, next: null })
  })

  test('of a wallet that was changed in the database are not shown', async () => {
    const orgId = await organization()
    await open(orgId, ['ann', 'bob'])
    await asOwner(`update wallets set xpub = xpub || 'x' where org_id = '${orgId}'`)
    await expect(open(orgId, ['cid', 'dan'])).rejects.toThrow('changed in the database')
    expect((await open(orgId, ['ann', 'bob'])).map(({ created }) => created)).toEqual([
      false,
      false,
    ])
  })

  test('need an index each: with too few left the group is refused, and takes none', async () => {
    const orgId = await organization()
    await open(orgId, ['ann'])
    await asOwner(`update wallets set next_index = 2147483647 where org_id = '${orgId}'`)
    await expect(open(orgId, ['bob', 'cid'])).rejects.toMatchObject({
      code: 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT',
    })
    expect(await counts(orgId)).toMatchObject({ accounts: 1, next: 2_147_483_647 })
    expect((await open(orgId, ['bob', 'ann'])).map(({ created }) => created)).toEqual([true, false])
  })

  test('refuses an address that another account already has', async () => {
    const orgId = await organization()
    await open(orgId, ['ann', 'bob'])
    await asOwner(`update wallets set next_index = 1 where org_id = '${orgId}'`)
    await expect(open(orgId, ['cid', 'dan'])).rejects.toMatchObject({ code: '23505' })
    expect(await counts(orgId)).toMatchObject({ accounts: 2, watched: 2, events: 2 })
  })

  test('before its chain was ever reached no address is shown [I5]', async () => {
    const orgId = await organization()
    const opening = open(orgId, ['ann', 'bob'], { entry: UNREACHED })
    await expect(opening).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await counts(orgId)).toEqual({ accounts: 0, watched: 0, events: 0, next: null })
  })
})

function chainOf(id: string): ChainEntry {
  const entry = CHAINS.find((chain) => chain.id === id)
  if (entry === undefined) throw new Error(`no chain ${id}`)
  return entry
}

function open(
  orgId: string,
  users: readonly string[],
  options: { keys?: AccountKeys; entry?: ChainEntry } = {},
): Promise<Opened[]> {
  const externalUserIds = users.map(parseExternalUserId)
  const whole = { keys, entry: ETHEREUM, orgId, externalUserIds, ...options }
  return harness.database.forOrg(orgId, (tx) => openAccounts(tx, whole))
}

function openOne(orgId: string, externalUserId: string): Promise<Opened> {
  return harness.database.forOrg(orgId, (tx) =>
    openAccount(tx, { keys, entry: ETHEREUM, orgId, externalUserId }),
  )
}

function said({ account, created }: Opened) {
  const { chainId, externalUserId, destinationTag, createdAt, updatedAt } = account
  return { created, chainId, externalUserId, destinationTag, createdAt, updatedAt }
}

/** The rows of an organization, without the columns that differ between two organizations. */
async function standing(orgId: string) {
  return harness.database.transaction((tx) =>
    tx.many(sql`
      select a.external_user_id, a.path_index, a.created_at, w.purpose, w.scope,
             w.external_user_id as watched_for, w.account_id = a.id as is_watched, e.sequence,
             e.type, e.body::jsonb #> '{payload,externalUserId}' as told,
             d.next_index
        from accounts a
        join watched_addresses w on w.address = a.address
        join events e on e.subject_id = a.id::text
        join wallets d on d.org_id = a.org_id and d.number = a.wallet_number
       where a.org_id = ${orgId}
       order by a.path_index`),
  )
}

function counts(orgId: string) {
  return harness.database.transaction((tx) =>
    tx.one(sql<Record<string, number | null>>`
      select (select count(*) from accounts where org_id = ${orgId}) as accounts,
             (select count(*) from watched_addresses where org_id = ${orgId}) as watched,
             (select count(*) from events where org_id = ${orgId}) as events,
             (select next_index from wallets where org_id = ${orgId}) as next`),
  )
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

function asOwner(text: string): Promise<void> {
  return withSession(harness.urls.owner, (session) =>
    session.script(`set role sluice_owner; ${text}`),
  )
}
