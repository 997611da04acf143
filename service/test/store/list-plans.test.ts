import type { TokenId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageQuery as accountPage } from '../../src/accounts/rows.ts'
import { pageQuery as alertPage } from '../../src/alerts/list-rows.ts'
import { pageQuery as auditPage } from '../../src/audit-log/list-rows.ts'
import { iso } from '../../src/base/clock.ts'
import { parseAddress } from '../../src/chains/format-address.ts'
import type { Address } from '../../src/chains/port.ts'
import { withSession } from '../../src/store/connection.ts'
import { type DepositFilter, pageQuery as depositPage } from '../../src/deposits/list-rows.ts'
import { pageQuery as keyPage } from '../../src/orgs/key-rows.ts'
import { pageQuery as peoplePage } from '../../src/orgs/people-rows.ts'
import { type EntryFilter, pageQuery as entryPage } from '../../src/ledger/list-rows.ts'
import { tokensQuery } from '../../src/ledger/rows.ts'
import { type SweepFilter, pageQuery as sweepPage } from '../../src/sweeps/list-rows.ts'
import {
  type WithdrawalFilter,
  pageQuery as withdrawalPage,
} from '../../src/withdrawals/list-rows.ts'
import { historyQuery, similarQuery } from '../../src/withdrawals/estimate/history-rows.ts'
import { openQuery } from '../../src/withdrawals/open-rows.ts'
import { parseChain } from '../adapters/brands.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  ACTION,
  ACTOR,
  ALERT_CODE,
  CHAIN,
  fillLists,
  LEFT_CHAIN,
  LEFT_TOKENS,
  ORG,
  RARE_CHAIN,
  RARE_COIN,
  ROWS,
  TOKENS,
  USER,
} from './long-lists.ts'
import { expectCheapIn } from './plan.ts'

const LIMIT = 50
/** Tokens of a chain are read one after the other, each for a page: this many stand on `CHAIN`. */
const KINDS = TOKENS.length
const CHAINS = [
  CHAIN,
  LEFT_CHAIN,
  RARE_CHAIN,
  parseChain('bip122:000000000019d6689c085ae165831e93'),
]
/** An estimate reads a thousand payments: so many pages. */
const RECENT_PAGES = 20
const HASH = `0x${'0'.repeat(59)}00777`
/** The address of every deposit and the recipient of every withdrawal. */
const PAID = '0x01'
const TRANSACTION = { hashes: [HASH, HASH.slice(2)], chainIds: CHAINS }

const FILL_MS_MAX = 300_000

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
  await fillLists(harness.database)
  // Autovacuum does this sooner or later.
  await withSession(harness.adminUrl, (session) => session.script('vacuum analyze'))
}, FILL_MS_MAX)
afterAll(() => harness.close())

/** The top of a list, its middle and its end: the rows are a second apart. */
const PLACES = [
  ['first', null],
  ['middle', ROWS / 2],
  ['last', LIMIT],
] as const
const placeOf = (second: number | null) =>
  second === null ? null : { createdAt: second * 1_000, id: '01990000-0000-7000-8000-000000000000' }

describe.each(PLACES)('a page at the %s row reads no more than itself', (_name, second) => {
  const after = placeOf(second)
  const page = { orgId: ORG, after, limit: LIMIT }
  const time = { from: 0, to: ROWS * 1_000 }

  const deposits: [string, DepositFilter, kinds?: number][] = [
    ['no filter', {}],
    ['userId', { externalUserId: USER }],
    ['chainId', { chainId: CHAIN }, KINDS],
    ['chainId, a rare one', { chainId: RARE_CHAIN }],
    ['chainId, one that was left', { chainId: LEFT_CHAIN }, LEFT_TOKENS.length],
    ['tokenId', { tokenId: TOKENS[0] ?? '' }],
    ['tokenId, one that was left', { tokenId: LEFT_TOKENS[1] }],
    ['tokenId, a rare one', { tokenId: TOKENS[1] ?? '' }],
    ['chainId and tokenId', { chainId: CHAIN, tokenId: TOKENS[1] ?? '' }],
    ['status Confirmed', { status: 'Confirmed' }],
    ['status Held', { status: 'Held' }],
    ['status BelowMinimum, of old', { status: 'BelowMinimum' }],
    ['status Orphaned, without rows', { status: 'Orphaned' }],
    ['status and userId', { status: 'Held', externalUserId: USER }],
    ['status and chainId', { status: 'Held', chainId: CHAIN }],
    ['txnHash', { transaction: TRANSACTION }],
    ['q', { search: { text: USER, transaction: TRANSACTION } }, 2],
    ['q, an address', { search: { text: PAID, addresses: [PAID] } }, 2],
    ['q, an address that was never paid', { search: { text: HASH, addresses: [HASH] } }, 2],
    ['txnHash and chainId', { transaction: TRANSACTION, chainId: CHAIN }],
    ['from and to', time],
    ['userId, from and to', { externalUserId: USER, ...time }],
    ['chainId, from and to', { chainId: CHAIN, ...time }, KINDS],
    ['tokenId, status, from and to', { tokenId: TOKENS[0] ?? '', status: 'Confirmed', ...time }],
  ]
  test.each(deposits)('GET /payments by %s', async (_filter, filter, kinds = 1) => {
    await expectCheap(depositPage({ ...page, filter }), kinds)
  })

  const withdrawals: [string, WithdrawalFilter, parts?: number][] = [
    ['no filter', {}],
    ['status Completed', { statuses: ['Completed'] }],
    ['status Pending', { statuses: ['Pending'] }],
    ['status Cancelled, of old', { statuses: ['Cancelled'] }],
    ['status Failed, without rows', { statuses: ['Failed'] }],
    ['chainId', { chainId: CHAIN }],
    ['chainId, a rare one', { chainId: RARE_CHAIN }],
    ['chainId, one that was left', { chainId: LEFT_CHAIN }],
    ['reference', { reference: 'reference-777' }],
    ['externalUserId', { externalUserId: USER }],
    ['externalUserId, unknown', { externalUserId: 'nobody' }],
    ['status and chainId', { statuses: ['Completed'], chainId: CHAIN }],
    ['several statuses', { statuses: ['Pending', 'Failed'] }, 2],
    ['several statuses, Completed among them', { statuses: ['Pending', 'Completed'] }, 2],
    ['tokenId', { tokenId: TOKENS[0] ?? '' }],
    ['tokenId, a rare one', { tokenId: TOKENS[1] ?? '' }],
    ['recipient', { recipient: { addresses: [HASH] } }],
    ['recipient, paid often', { recipient: { addresses: [PAID] } }],
    ['txnHash', { hashes: TRANSACTION.hashes }],
    ['q', { search: { text: USER, recipient: { addresses: [HASH] }, ...TRANSACTION } }, 4],
    ['from and to', time],
  ]
  test.each(withdrawals)('GET /withdrawals by %s', async (_filter, filter, parts = 1) => {
    await expectCheap(withdrawalPage({ ...page, filter }), parts)
  })

  test('GET /api-keys', async () => {
    await expectCheap(keyPage({ ...page, filter: {} }, 0))
  })

  test('GET /users', async () => {
    // Each person is listed with the invitation.
    await expectCheap(peoplePage({ ...page, filter: {} }), 2)
  })

  test.each([
    ['no filter', {}],
    ['open', { open: true }],
    ['resolved', { open: false }],
    ['code', { code: ALERT_CODE }],
    ['code, open', { open: true, code: ALERT_CODE }],
  ])('GET /alerts by %s', async (_filter, filter) => {
    await expectCheap(alertPage({ ...page, filter }))
  })

  // Ids of entries and postings are numbers.
  const numbered = { ...page, after: after === null ? null : { ...after, id: '0' } }

  test.each([
    ['no filter', {}],
    ['actor', { actor: ACTOR }],
    ['action', { action: ACTION }],
    ['object', { object: 'withdrawal 777' }],
    ['object, unknown', { object: 'withdrawal x' }],
    ['from and to', time],
    ['actor, action, from and to', { actor: ACTOR, action: ACTION, ...time }],
  ])('GET /audit-log by %s', async (_filter, filter) => {
    await expectCheap(auditPage({ ...numbered, ...filter }))
  })

  const allKinds = TOKENS.length + LEFT_TOKENS.length + 1
  const entries: [string, EntryFilter, kinds?: number][] = [
    ['no filter', {}, allKinds],
    ['chainId', { chainId: CHAIN }, KINDS],
    ['chainId, a rare one', { chainId: RARE_CHAIN }],
    ['chainId, one that was left', { chainId: LEFT_CHAIN }, LEFT_TOKENS.length],
    ['tokenId', { tokenId: TOKENS[0] }],
    ['tokenId, a rare one', { tokenId: TOKENS[1] }],
    ['account, a claim', { account: 'claim:available' }, allKinds],
    ['account, a kind of place', { account: 'place:deposits' }, allKinds],
    ['referenceId', { referenceId: '01990000-0000-7000-9000-000000000309' }],
    ['referenceId, unknown', { referenceId: ORG }],
    ['from and to', time, allKinds],
    [
      'chainId, tokenId, account, from and to',
      { chainId: CHAIN, tokenId: TOKENS[0], account: 'claim:available', ...time },
    ],
  ]
  test.each(entries)('GET /ledger-entries by %s', async (_filter, filter, kinds = 1) => {
    await expectCheap(entryPage({ ...numbered, filter }), kinds)
  })

  const sweeps: [string, SweepFilter][] = [
    ['no filter', {}],
    ['chainId', { chainId: CHAIN }],
    ['chainId, a rare one', { chainId: RARE_CHAIN }],
    ['chainId, one that was left', { chainId: LEFT_CHAIN }],
    ['tokenId', { tokenId: TOKENS[0] }],
    ['tokenId, a rare one', { tokenId: RARE_COIN }],
    ['tokenId, one that was left', { tokenId: LEFT_TOKENS[0] }],
    ['state Done', { state: 'Done' }],
    ['state Failed', { state: 'Failed' }],
    ['state Waiting', { state: 'Waiting' }],
    ['state Sent, without rows', { state: 'Sent' }],
    ['state and chainId', { state: 'Failed', chainId: CHAIN }],
    ['from and to', time],
    ['chainId, tokenId, from and to', { chainId: CHAIN, tokenId: TOKENS[0], ...time }],
  ]
  test.each(sweeps)('GET /sweeps by %s', async (_filter, filter) => {
    await expectCheap(sweepPage({ ...page, filter }))
  })

  const address = parseAddress(CHAIN, `0x${'0'.repeat(37)}777`)
  const addresses = CHAINS.flatMap((chainId) => (address === null ? [] : [{ chainId, address }]))
  test.each([
    ['no filter', {}],
    ['userId', { externalUserId: USER }],
    ['chainId', { chainId: CHAIN }],
    ['chainId, a rare one', { chainId: RARE_CHAIN }],
    ['chainId, one that was left', { chainId: LEFT_CHAIN }],
    ['userId and chainId', { externalUserId: USER, chainId: CHAIN }],
    ['address', { addresses }],
  ])('GET /accounts by %s', async (_filter, filter) => {
    await expectCheap(accountPage({ ...page, filter }))
  })
})

test('GET /portfolio finds tokens with postings without reading every balance', async () => {
  await expectCheap(tokensQuery(ORG))
  const found = await harness.database.forOrg(ORG, (tx) => tx.many(tokensQuery(ORG)))
  const ids = found.map(({ token_id }) => token_id)
  expect(ids).toEqual(ids.toSorted())
  expect(ids).toEqual(expect.arrayContaining([...TOKENS, ...LEFT_TOKENS]))
  expect(ids).toHaveLength(TOKENS.length + LEFT_TOKENS.length + 1)
})

test('metrics count open withdrawals without reading closed ones', async () => {
  await expectCheap(openQuery([ORG]))
  const found = await harness.database.transaction((tx) => tx.many(openQuery([ORG])))
  expect(found.map(({ chainId, status, count }) => [chainId, status, count])).toEqual([
    [CHAIN, 'Pending', 7],
    [LEFT_CHAIN, 'Pending', 3],
  ])
})

test('an estimate reads the newest payments of a recipient that was paid very often', async () => {
  const [paid] = await oftenPaid()
  if (paid === undefined) throw new Error('no withdrawal')
  const query = historyQuery({
    ...paid,
    orgId: ORG,
    chainId: CHAIN,
    amount: 1n,
    memo: null,
    hasTags: false,
    since: 0,
    until: ROWS * 1_000,
    existing: null,
  })
  await expectCheap(query, RECENT_PAGES)
  const [found] = await harness.database.forOrg(ORG, (tx) => tx.many(query))
  expect(found).toMatchObject({ isKnown: true, hadMemo: false })
})

test('look-alikes are found without reading each payment of a recipient', async () => {
  const query = similarQuery({ orgId: ORG, ends: { prefix: '0x', suffix: '01' }, limit: 5 })
  await expectCheap(query)
  const found = await harness.database.forOrg(ORG, (tx) => tx.many(query))
  expect(found).toEqual((await oftenPaid()).map(({ recipient: address }) => ({ address })))
})

test('the queries of the tested pages return rows', async () => {
  const found = await harness.database.forOrg(ORG, async (tx) => {
    const page = { orgId: ORG, after: null, limit: LIMIT }
    const count = async (query: RawBuilder<unknown>) => (await tx.many(query)).length
    return {
      chain: await count(depositPage({ ...page, filter: { chainId: CHAIN } })),
      rareChain: await count(depositPage({ ...page, filter: { chainId: RARE_CHAIN } })),
      rareToken: await count(depositPage({ ...page, filter: { tokenId: TOKENS[1] ?? '' } })),
      hash: await count(depositPage({ ...page, filter: { transaction: TRANSACTION } })),
      held: await count(depositPage({ ...page, filter: { status: 'Held' } })),
    }
  })
  expect(found).toEqual({ chain: LIMIT, rareChain: 8, rareToken: 7, hash: 1, held: 10 })
})

test('deposits of a chain with several tokens are listed in one order', async () => {
  const listed = await harness.database.forOrg(ORG, (tx) => {
    const filter = { chainId: CHAIN, from: 6_300_000, to: 6_400_000 }
    return tx.many(depositPage({ orgId: ORG, filter, after: placeOf(6_390), limit: 500 }))
  })
  const times = listed.map(({ created_at }) => created_at)
  expect(new Set(listed.map(({ token_id }) => token_id)).size).toBe(KINDS)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(times[0]).toBe(6_389_000)
  expect(iso(times.at(-1) ?? 0)).toBe(iso(6_300_000))
})

/** The recipient and the token of every withdrawal. */
const oftenPaid = () =>
  harness.database.forOrg(ORG, (tx) =>
    tx.many(sql<{ recipient: Address; tokenId: TokenId }>`
      select distinct recipient, token_id as "tokenId"
        from withdrawals
       where token_id = ${TOKENS[0]}`),
  )

function expectCheap(query: RawBuilder<unknown>, kinds = 1): Promise<void> {
  return expectCheapIn(harness.database, query, { rows: LIMIT, kinds })
}
