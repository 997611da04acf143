import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publicKeysOf } from '../../test/support/signer.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Seed } from '../keys/seed.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { startChain } from '../catalogue/chain-state.ts'
import { CHAINS, type ChainEntry } from '../catalogue/chains.ts'
import { SeededRandom } from '../../test/support/clock.ts'
import { burst, openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { noteBaseAccount, readBaseAccount, UNFUNDED } from './base-account.ts'
import { openAccounts } from './open-many.ts'
import { openAccount } from './open.ts'
import { organizationsOn } from './organizations-on.ts'
import { openOwnAddress } from './own-address.ts'
import { matchTags, tagKey, TAG_MIN } from './tagged.ts'
import { parseExternalUserId } from './account.ts'
import { accountPayload } from './payload.ts'
import { parseXAddress } from '../chains/xrpl/address.ts'
import { foundOrganization } from '../app/found-organization.ts'

const XRPL = entryOf('xrpl:testnet')
const CONNECTIONS = 20

describe('accounts that share an address', () => {
  let harness: TestDatabase
  const random = new SeededRandom('tags')
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  const keys = { signer: publicKeysOf(openKeyring(new Seed(random.bytes(32)))), serviceKey }
  let orgId = ''
  beforeAll(async () => {
    harness = await openTestDatabase({ poolMax: CONNECTIONS })
    const tip = { height: 7, hash: 'A'.repeat(64) }
    await harness.database.transaction((tx) =>
      startChain(tx, {
        chainId: XRPL.id,
        genesis: 'network-1',
        tip,
        tipTime: 0,
        headHeight: 7,
        final: null,
      }),
    )
  })
  beforeEach(async () => {
    const options = { name: `Org ${random.fraction()}`, actor: 'test', random }
    const { organization } = await foundOrganization(harness.database, serviceKey, options)
    orgId = organization.id
  })
  afterAll(() => harness.close())

  const open = (externalUserId: string) =>
    harness.database.forOrg(orgId, (tx) =>
      openAccount(tx, { keys, entry: XRPL, orgId, externalUserId }),
    )
  const makeReady = async (missing = '') => {
    const options = { keys, entry: XRPL, orgId, purpose: 'settlement' } as const
    return harness.database.transaction(async (tx) => {
      const { address } = await openOwnAddress(tx, options)
      const readyHeight = missing === '' ? 7 : null
      await noteBaseAccount(tx, { orgId, chainId: XRPL.id, address, readyHeight, missing })
      return address
    })
  }

  test('no account is opened until the address refuses payments without a tag [X03]', async () => {
    await expect(open('ann')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const address = await makeReady('a transaction is under way')
    await expect(open('ann')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      says: expect.stringContaining('Retry after'),
      details: { reason: 'a transaction is under way', address },
    })
    await makeReady(UNFUNDED)
    await expect(open('ann')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      says: expect.stringContaining(`Send XRP for the reserve to ${address}`),
      details: { reason: UNFUNDED, address, retryAfterSeconds: 60 },
    })
    await makeReady()
    expect((await open('ann')).created).toBe(true)
  })

  test('organizations that share an account are found when the chain is frozen [X09]', async () => {
    const on = (entry: ChainEntry) =>
      harness.database.transaction((tx) => organizationsOn(tx, entry.id))
    expect(await on(XRPL)).not.toContain(orgId)
    await makeReady()
    expect(await on(XRPL)).toContain(orgId)
    expect(await on(entryOf('xrpl:mainnet'))).not.toContain(orgId)
  })

  test('however many ask at once, each user has one tag and no two the same [X14]', async () => {
    const address = await makeReady()
    const users = Array.from({ length: 250 }, (_, at) => `user ${at}`)
    const twice = [...users, ...users]
    const opened = await burst(twice.length, CONNECTIONS, (at) => open(twice[at] ?? ''))
    const byUser = new Map<string, Set<number | null>>()
    for (const { account } of opened) {
      const tags = byUser.get(account.externalUserId) ?? new Set()
      byUser.set(account.externalUserId, tags.add(account.destinationTag))
      expect(account.address).toBe(address)
    }
    expect(byUser.size).toBe(users.length)
    const tags = [...byUser.values()].flatMap((one) => [...one])
    expect(tags).toHaveLength(users.length)
    expect(new Set(tags).size).toBe(users.length)
    for (const tag of tags) expect(tag).toBeGreaterThanOrEqual(TAG_MIN)
    expect(opened.filter(({ created }) => created)).toHaveLength(users.length)
  })

  test('many that are asked for together are opened as they would be alone', async () => {
    await makeReady()
    const { account: standing } = await open('ann')
    const externalUserIds = ['bob', 'ann', 'bob', 'cid'].map(parseExternalUserId)
    const opened = await harness.database.forOrg(orgId, (tx) =>
      openAccounts(tx, { keys, entry: XRPL, orgId, externalUserIds }),
    )
    expect(opened.map(({ created }) => created)).toEqual([true, false, false, true])
    const [bob, ann, again] = opened.map(({ account }) => account)
    expect([ann?.id, again?.id]).toEqual([standing.id, bob?.id])
  })

  test('a tag says whose it is, and the X-address says both', async () => {
    const address = await makeReady()
    const { account } = await open('ann')
    const tag = account.destinationTag ?? 0
    const { xAddress } = accountPayload(account).properties
    expect(parseXAddress(xAddress ?? '')).toEqual({ address, tag, isTestnet: true })
    const found = await harness.database.transaction((tx) =>
      matchTags(tx, serviceKey, {
        chainId: XRPL.id,
        pairs: [
          { address, tag },
          { address, tag: tag + 1 },
        ],
      }),
    )
    const owner = { orgId, accountId: account.id, externalUserId: 'ann' }
    expect([...found.owners]).toEqual([[tagKey({ address, tag }), owner]])
  })

  test('the height at which an account became ready never changes [X03]', async () => {
    const address = await makeReady()
    await makeReady('the flag was removed')
    const note = { orgId, chainId: XRPL.id, address }
    await harness.database.transaction((tx) =>
      noteBaseAccount(tx, { ...note, readyHeight: 99, missing: '' }),
    )
    const base = await harness.database.transaction((tx) => readBaseAccount(tx, note))
    expect(base).toMatchObject({ readyHeight: 7, missing: '' })
  })
})

function entryOf(id: string): ChainEntry {
  const entry = CHAINS.find((one) => one.id === id)
  if (entry === undefined) throw new Error(id)
  return entry
}
