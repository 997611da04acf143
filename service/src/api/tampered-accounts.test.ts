import { sql } from 'kysely'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import {
  ACCOUNT_CHANGES,
  OWN_CHANGES,
  insertAccount,
  insertGasAddress,
  replayAccount,
  rowOf,
  swapAccounts,
  type Target,
} from '../../test/support/address-attacks.ts'
import {
  type Answered,
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  refusalIn,
  type Tenant,
  toChainId,
} from '../../test/support/door.ts'
import { openAccount } from '../accounts/open.ts'
import { openOwnAddress } from '../accounts/own-address.ts'
import { checkAccounts } from '../accounts/check.ts'
import { macOfAccount, macOfWatch } from '../accounts/row-mac.ts'
import { selectAccount } from '../accounts/rows.ts'
import { selectWatched } from '../accounts/watch-rows.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { ensureOwnAddresses } from '../gas/wallets.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { withSession } from '../store/connection.ts'

/** Each differs, since addresses are unique in a table. */
let thief = ''
let thieves = 0

let door: Door
let tenant: Tenant
beforeAll(async () => {
  door = await openDoor({ chains: { get: () => null } })
})
afterAll(() => door.close())
beforeEach(() => {
  thieves += 1
  thief = `0x${thieves.toString(16).padStart(40, 'de')}`
})

describe('an account that was changed in the database', () => {
  test.each(ACCOUNT_CHANGES)('is not returned with another %s', async (what, change) => {
    tenant = await door.found(`Changed ${what}`)
    await addressOf('ann')
    await addressOf('bob')
    await asEngine(change(target()))
    const user = what === 'user' ? 'mallory' : 'ann'
    expectTampered(await askAddress(user))
    expect(await usersListed()).toEqual(['bob'])
    expect((await askAddress('bob')).status).toBe(200)
    expect(await alerts()).toHaveLength(1)
  })

  test('is not returned as a replay of the row of another user', async () => {
    tenant = await door.found('Replayed')
    await addressOf('ann')
    await addressOf('bob')
    await asEngine(replayAccount(target()))
    expectTampered(await askAddress('ann'))
    expectTampered(await askAddress('bob'))
  })

  test('is not returned when two rows are swapped', async () => {
    tenant = await door.found('Swapped')
    await addressOf('ann')
    await addressOf('bob')
    await asEngine(swapAccounts(target()))
    expectTampered(await askAddress('ann'))
    expectTampered(await askAddress('bob'))
    expect(await usersListed()).toEqual([])
  })

  test('is not returned when the database role of the API inserted it', async () => {
    tenant = await door.found('Inserted')
    const ann = await addressOf('ann')
    await door.harness.database.forOrg(tenant.orgId, (tx) =>
      tx.run(sql`${sql.raw(insertAccount(target()))}`),
    )
    expectTampered(await askAddress('eve'))
    expect(await usersListed()).toEqual(['ann'])
    expect(await addressOf('ann')).toBe(ann)
  })

  test('is omitted from a page, and the next page follows', async () => {
    tenant = await door.found('Paged')
    for (const user of ['ann', 'bob', 'cid']) await addressOf(user)
    await asEngine(`update accounts set address = '${thief}' where ${isOf('bob')}`)
    const first = await door.ask('/accounts?limit=2', { key: tenant.key })
    expect(first.json['accounts']).toHaveLength(1)
    const next = await door.ask(`/accounts?limit=2&cursor=${String(first.json['nextCursor'])}`, {
      key: tenant.key,
    })
    expect(next.json['accounts']).toHaveLength(1)
    expect(`${first.text}${next.text}`).not.toContain(thief)
  })
})

describe('an own address that was changed in the database', () => {
  test.each(OWN_CHANGES)('is not shown with another %s', async (what, change) => {
    tenant = await door.found(`Own with another ${what}`)
    await openOwn('settlement')
    await openOwn('gas')
    await asEngine(change(target()))
    for (const path of ['/gas-station', '/portfolio']) {
      const answer = await door.ask(path, { key: tenant.key })
      expectTampered(answer)
    }
    expect((await door.ask('/gas-station', { key: door.b.key })).status).toBe(200)
    expect((await alerts()).length).toBeGreaterThan(0)
  })

  test('is not shown when a second row has the same purpose', async () => {
    tenant = await door.found('Second gas wallet')
    await openOwn('gas')
    await asEngine(insertGasAddress(target()))
    expectTampered(await door.ask('/gas-station', { key: tenant.key }))
  })
})

describe('the check of accounts', () => {
  const check = async () =>
    (await checkAccounts({ ...door.deps, database: door.harness.database })).tampered
  // The alerts of the tests above remain, so only the result of this check counts.
  const mine = async () => (await check()).filter(({ orgId }) => orgId === tenant.orgId)

  afterEach(async () => {
    for (const { orgId } of await check()) expect(orgId).not.toBe(door.b.orgId)
  })

  test('finds no faults in rows of the service', async () => {
    tenant = await door.found('Untouched')
    for (const user of ['ann', 'bob']) await addressOf(user)
    await openOwn('settlement')
    expect(await mine()).toEqual([])
  })

  test('finds an address that does not match its path although its MAC matches', async () => {
    tenant = await door.found('Derived')
    await addressOf('ann')
    // As written by a service with a wrong derivation.
    await shift()
    const causes = (await mine()).map(({ cause }) => cause)
    expect(causes).toContainEqual(expect.stringContaining('not the one of the index 5'))
  })

  test('finds an account that was deleted', async () => {
    tenant = await door.found('Deleted')
    for (const user of ['ann', 'bob', 'cid', 'dan']) await addressOf(user)
    await asOwner(`
      set session_replication_role = replica;
      delete from watched_addresses where ${isOf('bob')};
      delete from accounts where ${isOf('bob')};
      delete from watched_addresses where ${isOf('dan')};
      delete from accounts where ${isOf('dan')};`)
    const causes = (await mine()).map(({ cause }) => cause)
    expect(causes).toEqual([
      expect.stringContaining('missing: index 1 '),
      expect.stringContaining('missing: index 3 '),
    ])
  })

  test('finds a watched address that was deleted or changed', async () => {
    tenant = await door.found('Unwatched')
    for (const user of ['ann', 'bob', 'cid']) await addressOf(user)
    await asOwner(`delete from watched_addresses where ${isOf('ann')}`)
    await asEngine(`update watched_addresses set external_user_id = 'eve' where ${isOf('bob')}`)
    const causes = (await mine()).map(({ cause }) => cause)
    expect(causes).toEqual([
      expect.stringContaining('not watched'),
      expect.stringContaining('watched address'),
    ])
  })

  test('finds an own address that was deleted', async () => {
    tenant = await door.found('No gas')
    await openOwn('gas')
    await asOwner(`delete from watched_addresses where org_id = '${tenant.orgId}'`)
    expect(await mine()).toMatchObject([{ cause: expect.stringContaining('gas address') }])
  })
})

describe('an API process without the seed', () => {
  test('answers 503 until the spender has created the wallet, then issues addresses', async () => {
    const { accountKeys } = door.deps
    const other = await openDoor({ accountKeys: { ...accountKeys, signer: null } })
    onTestFinished(() => other.close())
    const query = `chainId=${ETHEREUM}&tokenId=${ETHER}&userId=ann`
    const ask = () => other.ask(`/payments/deposit-address?${query}`)
    const answer = await ask()
    const refusal = refusalIn(answer)
    expect(refusal).toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      details: { chainId: ETHEREUM, reason: 'wallet_not_ready' },
    })
    expect(refusal.message).toContain('spender')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    const { database } = other.harness
    const entry = entryOf(ETHEREUM)
    await ensureOwnAddresses(database, { keys: accountKeys, entry })
    const issued = await ask()
    expect(issued.status).toBe(201)
    const again = { keys: accountKeys, entry, orgId: other.a.orgId, externalUserId: 'ann' }
    const { account } = await database.forOrg(other.a.orgId, (tx) => openAccount(tx, again))
    expect(issued.json['address']).toMatchObject({ properties: { address: account.address } })
    const { checked, tampered } = await checkAccounts({ ...other.deps, database })
    expect({ checked, tampered }).toEqual({ checked: 1, tampered: [] })
  })
})

function entryOf(chainId: string): ChainEntry {
  const entry = door.deps.catalogue.chain(chainId)
  if (entry === null) throw new Error('no such chain')
  return entry
}

function target(): Target {
  return { orgId: tenant.orgId, chainId: ETHEREUM, thief }
}

function askAddress(userId: string): Promise<Answered> {
  const query = `chainId=${ETHEREUM}&tokenId=${ETHER}&userId=${userId}`
  return door.ask(`/payments/deposit-address?${query}`, { key: tenant.key })
}

async function addressOf(userId: string): Promise<string> {
  const { json } = await askAddress(userId)
  return (json as { address: { properties: { address: string } } }).address.properties.address
}

async function usersListed(): Promise<string[]> {
  const { json } = await door.ask('/accounts', { key: tenant.key })
  const { accounts } = json as { accounts: { externalUserId: string }[] }
  return accounts.map(({ externalUserId }) => externalUserId).sort()
}

function expectTampered(answer: Answered): void {
  const refusal = refusalIn(answer)
  expect(refusal).toMatchObject({
    error: 'INTERNAL_ERROR',
    statusCode: 500,
    details: { reason: 'tampered' },
  })
  expect(answer.text.toLowerCase()).not.toContain(thief)
}

async function openOwn(purpose: 'settlement' | 'gas'): Promise<void> {
  const entry = entryOf(ETHEREUM)
  const given = { keys: door.deps.accountKeys, entry, orgId: tenant.orgId, purpose }
  await door.harness.database.transaction((tx) => openOwnAddress(tx, given))
}

async function alerts() {
  const open = await door.harness.database.transaction((tx) => listAlerts(tx, { open: true }))
  return open.filter(
    ({ code, details }) => code === 'account.tampered' && details['orgId'] === tenant.orgId,
  )
}

function isOf(user: string): string {
  return rowOf(target(), user)
}

/** Sets the index of Ann's account to 5, with MACs of the service key. */
async function shift(): Promise<void> {
  const { database } = door.harness
  const { serviceKey } = door.deps.accountKeys
  await database.transaction(async (tx) => {
    const owner = { orgId: tenant.orgId, chainId: toChainId(ETHEREUM), externalUserId: 'ann' }
    const stored = await selectAccount(tx, owner)
    if (stored === null) throw new Error('no account')
    const scope = watchScope(entryOf(ETHEREUM))
    const [watch] = await selectWatched(tx, scope, [stored.identity.address])
    if (watch === undefined) throw new Error('not watched')
    const mac = macOfAccount(serviceKey, { ...stored.identity, index: 5 })
    const watchMac = macOfWatch(serviceKey, { ...watch, index: 5 })
    await tx.run(
      sql`update accounts set path_index = 5, mac = ${mac} where id = ${watch.accountId}`,
    )
    await tx.run(sql`
      update watched_addresses
         set path_index = 5,
             mac = ${watchMac}
       where account_id = ${watch.accountId}`)
    await tx.run(sql`update wallets set next_index = 6 where org_id = ${tenant.orgId}`)
  })
}

/** Writes to the database with the rights of the engine. */
function asEngine(statements: string): Promise<void> {
  return asOwner(`set role sluice_engine; ${statements}`)
}

function asOwner(statements: string): Promise<void> {
  return withSession(door.harness.adminUrl, (session) => session.script(statements))
}
