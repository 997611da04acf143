import type { ChainId } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import type { Address } from '../chains/port.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import type { Account, AccountFilter, AccountPage } from './account.ts'
import { listAccounts } from './list.ts'
import { accountPayload } from './payload.ts'
import { insertAccount } from './rows.ts'
import { TRUSTING } from '../../test/support/trusting.ts'

const CHAINS = ['eip155:1', 'eip155:56'] as [ChainId, ChainId]

let harness: TestDatabase
let orgId: string
let other: string
/** As they were made: five moments, at each four accounts. */
const made: Account[] = []

beforeAll(async () => {
  harness = await openTestDatabase()
  orgId = await organization()
  other = await organization()
  for (let index = 0; index < 20; index += 1) {
    if (index % 4 === 0) await harness.clock.advance(1_000)
    made.push(await insert(orgId, index))
  }
  await insert(other, 20)
})
afterAll(() => harness.close())

describe('the list of accounts', () => {
  test('lists all accounts of the organization only, newest first [S10]', async () => {
    const all = await list({ limit: 100 })
    expect(all).toEqual(newestFirst(made))
    expect(await list({ orgId: other, limit: 100 })).toHaveLength(1)
    const peeked = await harness.database.forOrg(other, (tx) =>
      listAccounts(tx, TRUSTING, page({ orgId })),
    )
    expect(peeked.accounts).toEqual([])
  })

  test.each([1, 3, 4, 7, 20])('pages of %i join without gap or repetition [V07]', async (limit) => {
    const seen: Account[] = []
    for (;;) {
      const last = seen.at(-1)
      const after = last === undefined ? null : { createdAt: last.createdAt, id: last.id }
      const next = await list({ limit, after })
      expect(next.length).toBeLessThanOrEqual(limit)
      if (next.length === 0) break
      seen.push(...next)
    }
    expect(seen).toEqual(newestFirst(made))
  })

  test('filters narrow it, alone and together [V07]', async () => {
    const of = (filter: AccountFilter) => list({ filter, limit: 100 })
    const where = (is: (account: Account) => boolean) => newestFirst(made.filter(is))
    const [chainId] = CHAINS
    expect(await of({ chainId })).toEqual(where((one) => one.chainId === chainId))
    expect(await of({ externalUserId: 'user 3' })).toEqual(
      where((one) => one.externalUserId === 'user 3'),
    )
    expect(await of({ externalUserId: 'user 3', chainId })).toEqual(
      where((one) => one.externalUserId === 'user 3' && one.chainId === chainId),
    )
    expect(await of({ externalUserId: 'USER 3' })).toEqual([])
    expect(await of({ externalUserId: `' or true --` })).toEqual([])
  })

  test('an address is found on the chains it is asked for on [V07]', async () => {
    const [chain, elsewhere] = CHAINS
    const of = (addresses: AccountFilter['addresses']) =>
      list({ filter: addresses === undefined ? {} : { addresses }, limit: 100 })
    const wanted = { chainId: chain, address: addressOf(4) }
    expect(await of([wanted])).toEqual([made[4]])
    expect(await of([{ ...wanted, chainId: elsewhere }])).toEqual([])
    expect(await of([wanted, { ...wanted, chainId: elsewhere }])).toEqual([made[4]])
    expect(await of([])).toEqual([])
  })

  test('addresses are shown as people read them [V07]', async () => {
    const [newest] = await list({ limit: 1 })
    expect(newest?.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(newest?.address).not.toBe(newest?.address.toLowerCase())
  })
})

describe('an account on the wire', () => {
  const account: Account = {
    orgId: 'org',
    id: 'id',
    chainId: 'eip155:1' as ChainId,
    externalUserId: 'ann',
    address: '0xAbC',
    destinationTag: null,
    createdAt: 1_767_225_600_123,
    updatedAt: 1_767_225_600_123,
  }

  test('it carries what section 6.3 shows [I13]', () => {
    expect(accountPayload(account)).toEqual({
      orgId: 'org',
      chainId: 'eip155:1',
      externalUserId: 'ann',
      orgDepositAccountId: 'id',
      properties: { address: '0xAbC' },
      createdAt: '2026-01-01T00:00:00.123Z',
    })
  })

  test.each([0, 1, 4_294_967_295])('a destination tag is text, and %i is one [X04]', (tag) => {
    const { properties } = accountPayload({ ...account, destinationTag: tag })
    expect(properties).toEqual({ address: '0xAbC', destinationTag: String(tag) })
  })
})

function page(changes: Partial<AccountPage>): AccountPage {
  return { orgId, filter: {}, limit: 100, after: null, ...changes }
}

async function list(changes: Partial<AccountPage>): Promise<Account[]> {
  const asked = page(changes)
  const listed = await harness.database.forOrg(asked.orgId, (tx) =>
    listAccounts(tx, TRUSTING, asked),
  )
  return listed.accounts.flatMap(({ account }) => (account === null ? [] : [account]))
}

async function insert(owner: string, index: number): Promise<Account> {
  const chainId = CHAINS[index % 2] ?? CHAINS[0]
  const externalUserId = `user ${Math.floor(index / 2)}`
  const account = await harness.database.forOrg(owner, (tx) =>
    insertAccount(tx, {
      id: tx.ids.next(),
      destinationTag: null,
      mac: new Uint8Array(32),
      orgId: owner,
      chainId,
      externalUserId,
      address: addressOf(index),
      wallet: index % CHAINS.length,
      index,
    }),
  )
  if (account === null) throw new Error('the account is there already')
  return account
}

function newestFirst(accounts: readonly Account[]): Account[] {
  return [...accounts].sort(
    (one, two) => two.createdAt - one.createdAt || (one.id < two.id ? 1 : -1),
  )
}

function addressOf(index: number): Address {
  return `0x${'ab'.repeat(19)}${index.toString(16).padStart(2, '0')}` as Address
}

async function organization(): Promise<string> {
  const random = new SeededRandom(harness.ids.next())
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  return harness.database.transaction(async (tx) => {
    const draft = { name: 'Anna & Co', actor: 'test', random }
    return (await createOrganization(tx, serviceKey, draft)).organization.id
  })
}
