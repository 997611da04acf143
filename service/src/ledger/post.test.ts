import type { ChainId, TokenId } from '@sluice/wire'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import type { Address } from '../chains/port.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { withSession } from '../store/connection.ts'
import { CLAIM, type LedgerAccount, isPlace, place } from './account.ts'
import { readBalances, sumClaims, sumPlaces } from './balance.ts'
import { Overdrawn, post } from './post.ts'
import { type Posting, movementsOf } from './posting.ts'
import { recentlyMoved } from './placed-on.ts'
import { findDrift, recomputeBalances } from './recompute.ts'

const CHAIN = 'eip155:1' as ChainId
const TOKEN = 'eip155:1/slip44:60' as TokenId
const HOME = place('deposits', `0x${'a'.repeat(40)}` as Address)
const SAFE = place('settlement', `0x${'b'.repeat(40)}` as Address)

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
})
afterAll(() => harness.close())

describe('the ledger in the database', () => {
  test('balances follow the postings of a deposit [I1]', async () => {
    const orgId = await organization()
    await book(posting(orgId, HOME, CLAIM.unconfirmed, 70n))
    await book(posting(orgId, CLAIM.unconfirmed, CLAIM.available, 70n))
    expect(await amounts(orgId)).toEqual({
      'claim:available': 70n,
      'claim:unconfirmed': 0n,
      [HOME]: 70n,
    })
    await book({ ...posting(orgId, CLAIM.available, HOME, 70n), reversal: true })
    expect(await amounts(orgId)).toEqual({
      'claim:available': 0n,
      'claim:unconfirmed': 0n,
      [HOME]: 0n,
    })
  })

  test('amounts up to 2^256-1 are added exactly [I1]', async () => {
    const orgId = await organization()
    const most = 2n ** 256n - 1n
    for (let times = 0; times < 3; times += 1) {
      await book(posting(orgId, HOME, CLAIM.available, most))
    }
    expect(await amounts(orgId)).toEqual({ 'claim:available': 3n * most, [HOME]: 3n * most })
  })

  test('postings of one transaction are inserted together or not at all [I1]', async () => {
    const orgId = await organization()
    const good = posting(orgId, HOME, CLAIM.available, 5n)
    const bad = posting(orgId, CLAIM.reserved, SAFE, 1n)
    await expect(book(good, bad)).rejects.toThrow(Overdrawn)
    expect(await amounts(orgId)).toEqual({})
    await harness.database.transaction((tx) => post(tx, []))
    expect(await amounts(orgId)).toEqual({})
  })

  test('each organization has its own balance of a token [S10]', async () => {
    const [one, other] = [await organization(), await organization()]
    await book(posting(one, HOME, CLAIM.available, 5n), posting(other, SAFE, CLAIM.available, 9n))
    expect(await amounts(one)).toEqual({ 'claim:available': 5n, [HOME]: 5n })
    expect(await amounts(other)).toEqual({ 'claim:available': 9n, [SAFE]: 9n })
    const seen = await harness.database.forOrg(one, (tx) => readBalances(tx, {}))
    expect(new Set(seen.map(({ orgId }) => orgId))).toEqual(new Set([one]))
  })

  test('recentlyMoved finds addresses [I2]', async () => {
    const orgId = await organization()
    const chainId = 'eip155:137' as ChainId
    const since = harness.clock.now()
    await book({ ...posting(orgId, HOME, CLAIM.unconfirmed, 5n), chainId })
    await book({ ...posting(orgId, CLAIM.unconfirmed, CLAIM.available, 5n), chainId })
    const moved = (from: number, limit: number) =>
      harness.database.transaction((tx) => recentlyMoved(tx, { chainId, since: from, limit }))
    expect(await moved(since, 1)).toEqual([{ orgId, address: `0x${'a'.repeat(40)}` }])
    expect(await moved(since + 1, 1)).toEqual([])
  })
})

describe('balances that must not become negative', () => {
  test('available is never spent twice by concurrent requests [I4]', async () => {
    const orgId = await organization()
    await book(posting(orgId, HOME, CLAIM.available, 100n))
    const asked = Array.from({ length: 30 }, () =>
      book(posting(orgId, CLAIM.available, CLAIM.reserved, 10n)),
    )
    const outcomes = await Promise.allSettled(asked)
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toHaveLength(20)
    expect(refused.every((reason) => reason instanceof Overdrawn)).toBe(true)
    expect(await amounts(orgId)).toEqual({
      'claim:available': 0n,
      'claim:reserved': 100n,
      [HOME]: 100n,
    })
  })

  test('Overdrawn names the balances [I4]', async () => {
    const orgId = await organization()
    await book(posting(orgId, HOME, CLAIM.available, 1n))
    const spend = posting(orgId, CLAIM.available, CLAIM.reserved, 2n)
    const fault: unknown = await book(spend).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Overdrawn)
    const key = { orgId, chainId: CHAIN, tokenId: TOKEN, account: CLAIM.available }
    expect(fault).toMatchObject({ balances: [key] })
    expect(String(fault)).toContain('claim:available')
  })

  test('a reversal may overdraw available until it is covered [R04]', async () => {
    const orgId = await organization()
    await book(posting(orgId, HOME, CLAIM.available, 70n))
    await book(posting(orgId, CLAIM.available, CLAIM.reserved, 50n))
    await book({ ...posting(orgId, CLAIM.available, HOME, 70n), reversal: true })
    expect(await available(orgId)).toEqual({ amount: -50n, overdrawn: true })

    await expect(book(posting(orgId, CLAIM.available, CLAIM.reserved, 1n))).rejects.toThrow(
      Overdrawn,
    )
    await book(posting(orgId, HOME, CLAIM.available, 30n))
    expect(await available(orgId)).toEqual({ amount: -20n, overdrawn: true })
    await expect(book(posting(orgId, CLAIM.available, CLAIM.reserved, 1n))).rejects.toThrow(
      Overdrawn,
    )
    await book({ ...posting(orgId, CLAIM.available, HOME, 5n), reversal: true })
    expect(await available(orgId)).toEqual({ amount: -25n, overdrawn: true })
    await book(posting(orgId, HOME, CLAIM.available, 26n))
    expect(await available(orgId)).toEqual({ amount: 1n, overdrawn: false })
    await book(posting(orgId, CLAIM.available, CLAIM.reserved, 1n))
    expect(await available(orgId)).toEqual({ amount: 0n, overdrawn: false })
  })

  test('a spend is refused also beside a reversal or a credit [R04]', async () => {
    const orgId = await organization()
    await book(posting(orgId, HOME, CLAIM.available, 10n))
    const reversal = { ...posting(orgId, CLAIM.available, HOME, 10n), reversal: true }
    const spend = posting(orgId, CLAIM.available, CLAIM.reserved, 1n)
    await expect(book(reversal, spend)).rejects.toThrow(Overdrawn)
    await expect(book(spend, reversal)).rejects.toThrow(Overdrawn)
    const missing = posting(orgId, CLAIM.held, CLAIM.available, 1n)
    await expect(book(reversal, missing)).rejects.toThrow(Overdrawn)
    expect(await available(orgId)).toEqual({ amount: 10n, overdrawn: false })
  })

  test('only available and gas may become negative by a reversal [I4]', async () => {
    const orgId = await organization()
    const others: LedgerAccount[] = [...Object.values(CLAIM), HOME, SAFE].filter(
      (account) => account !== CLAIM.available && account !== CLAIM.gas,
    )
    for (const account of others) {
      const taking = isPlace(account)
        ? posting(orgId, CLAIM.available, account, 1n)
        : posting(orgId, account, CLAIM.available, 1n)
      await expect(book({ ...taking, reversal: true })).rejects.toThrow(Overdrawn)
    }
  })

  test('transactions that change balances in opposite orders do not deadlock [O05]', async () => {
    const orgId = await organization()
    await book(posting(orgId, HOME, CLAIM.available, 1_000n))
    await book(posting(orgId, SAFE, CLAIM.reserved, 1_000n))
    const there = posting(orgId, CLAIM.available, CLAIM.reserved, 3n)
    const back = posting(orgId, CLAIM.reserved, CLAIM.available, 3n)
    let runs = 0
    const steps = Array.from({ length: 40 }, (_, at) =>
      harness.database.transaction((tx) => {
        runs += 1
        return post(tx, [at % 2 === 0 ? there : back])
      }),
    )
    await Promise.all(steps)
    expect(runs).toBe(40)
    expect(await amounts(orgId)).toMatchObject({
      'claim:available': 1_000n,
      'claim:reserved': 1_000n,
    })
  })
})

const ACCOUNTS = [CLAIM.unconfirmed, CLAIM.available, CLAIM.held, HOME, SAFE] as const

const anyStep = fc.array(
  fc
    .record({
      debit: fc.constantFrom(...ACCOUNTS),
      credit: fc.constantFrom(...ACCOUNTS),
      amount: fc.bigInt({ min: 1n, max: 20n }),
      reversal: fc.boolean(),
    })
    .filter(({ debit, credit }) => debit !== credit),
  { minLength: 1, maxLength: 4 },
)

describe('the database against a model', () => {
  test('database and model agree on balances and refusals [I4]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
        const orgId = await organization()
        const model = new Map<string, bigint>()
        for (const step of steps) {
          const postings = step.map((one) => ({
            ...posting(orgId, one.debit, one.credit, one.amount),
            reversal: one.reversal,
          }))
          const allowed = bookInModel(model, postings)
          const booked = await book(...postings).then(
            () => true,
            (error: unknown) => !(error instanceof Overdrawn),
          )
          expect(booked).toBe(allowed)
        }
        expect(await amounts(orgId)).toEqual(Object.fromEntries(model))
        await expectWhole(orgId)
      }),
      { numRuns: 25 },
    )
  })

  test('findDrift returns every balance that differs from its postings [I1]', async () => {
    const orgId = await organization()
    await book(posting(orgId, HOME, CLAIM.available, 7n))
    expect(await harness.database.snapshot(findDrift)).toEqual([])
    const tamper = (text: string) =>
      withSession(harness.adminUrl, (session) => session.script(text))
    await tamper(`update balances set amount = 8 where org_id = '${orgId}' and account = '${HOME}'`)
    await tamper(`delete from balances where org_id = '${orgId}' and account = 'claim:available'`)
    const key = { orgId, chainId: CHAIN, tokenId: TOKEN }
    expect(await harness.database.snapshot(findDrift)).toEqual([
      { ...key, account: CLAIM.available, stored: 0n, posted: 7n },
      { ...key, account: HOME, stored: 8n, posted: 7n },
    ])
    await tamper(`update balances set amount = 7 where org_id = '${orgId}' and account = '${HOME}'`)
    await tamper(`insert into balances values ('${orgId}', '${CHAIN}', '${TOKEN}',
      'claim:available', 7, false, now())`)
    expect(await harness.database.snapshot(findDrift)).toEqual([])
  })
})

describe('rights of the roles', () => {
  const FORBIDDEN = [
    ['change a posting', 'update postings set amount = amount'],
    ['delete a posting', 'delete from postings'],
    ['empty the postings', 'truncate postings'],
    ['change a balance', 'update balances set amount = 1'],
    [
      'make a balance',
      `insert into balances
      values (gen_random_uuid(), 'c', 't', 'claim:available', 1, false, now())`,
    ],
    ['delete a balance', 'delete from balances'],
    ['empty the balances', 'truncate balances'],
    ['take the triggers off', 'alter table postings disable trigger all'],
  ] as const

  test.each(FORBIDDEN)('the engine cannot %s [I1]', async (_name, statement) => {
    await organization()
    const done = harness.database.transaction((tx) => tx.run(sql.raw(statement)))
    await expect(done).rejects.toMatchObject({ code: '42501' })
  })

  test.each(FORBIDDEN)('the API cannot %s [I1]', async (_name, statement) => {
    const orgId = await organization()
    const done = harness.database.forOrg(orgId, (tx) => tx.run(sql.raw(statement)))
    await expect(done).rejects.toMatchObject({ code: '42501' })
  })

  test('the API cannot post for another organization [S10]', async () => {
    const [one, other] = [await organization(), await organization()]
    const good = posting(other, HOME, CLAIM.available, 1n)
    const done = harness.database.forOrg(one, (tx) => post(tx, [good]))
    await expect(done).rejects.toMatchObject({ code: '42501' })
  })

  test.each(['update postings set amount = amount', 'delete from postings', 'truncate postings'])(
    'I1 not even the owner can rewrite history: %s',
    async (statement) => {
      const orgId = await organization()
      await book(posting(orgId, HOME, CLAIM.available, 1n))
      const done = withSession(harness.urls.owner, (session) =>
        session.script(`set role sluice_owner; ${statement}`),
      )
      await expect(done).rejects.toThrow('append-only')
    },
  )

  test.each([
    'claim:savings',
    'claim:',
    'Claim:available',
    'place:deposits:',
    'place:deposits',
    'place:elsewhere:0x1',
    'place:deposits:0x1:0x2',
    ' claim:available',
    'claim:available ',
    '',
  ])('a posting with the unknown account "%s" is refused [I1]', async (account) => {
    const orgId = await organization()
    const unknown = account as LedgerAccount
    for (const one of [
      posting(orgId, unknown, CLAIM.available, 1n),
      posting(orgId, HOME, unknown, 1n),
    ]) {
      await expect(book(one)).rejects.toMatchObject({ constraint: 'postings_accounts' })
    }
  })

  test('a posting of an unknown organization is refused [I1]', async () => {
    const done = book(posting(harness.ids.next(), HOME, CLAIM.available, 1n))
    await expect(done).rejects.toMatchObject({ code: '23503' })
  })

  test('a posting of zero or to itself never reaches the database [I1]', async () => {
    const orgId = await organization()
    await expect(book(posting(orgId, HOME, CLAIM.available, 0n))).rejects.toThrow(
      'without a positive amount',
    )
    await expect(book(posting(orgId, HOME, HOME, 1n))).rejects.toThrow('itself')
  })
})

async function organization(): Promise<string> {
  const random = new SeededRandom('ledger')
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  const keyRandom = new SeededRandom(harness.ids.next())
  return harness.database.transaction(async (tx) => {
    const draft = { name: 'Anna & Co', actor: 'test', random: keyRandom }
    return (await createOrganization(tx, serviceKey, draft)).organization.id
  })
}

function posting(
  orgId: string,
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: bigint,
): Posting {
  return {
    orgId,
    chainId: CHAIN,
    tokenId: TOKEN,
    debit,
    credit,
    amount,
    reason: 'test',
    reversal: false,
    referenceId: orgId,
    blockHeight: 1,
  }
}

function book(...postings: readonly Posting[]): Promise<void> {
  return harness.database.transaction((tx) => post(tx, postings))
}

async function amounts(orgId: string): Promise<Record<string, bigint>> {
  const balances = await harness.database.transaction((tx) => readBalances(tx, { orgId }))
  return Object.fromEntries(balances.map(({ account, amount }) => [account, amount]))
}

async function available(orgId: string) {
  const filter = { orgId, chainId: CHAIN, tokenId: TOKEN, account: CLAIM.available }
  const [row] = await harness.database.transaction((tx) => readBalances(tx, filter))
  return { amount: row?.amount, overdrawn: row?.overdrawn }
}

async function expectWhole(orgId: string): Promise<void> {
  const { stored, posted } = await harness.database.snapshot(async (tx) => ({
    stored: await readBalances(tx, { orgId }),
    posted: await recomputeBalances(tx, { orgId }),
  }))
  const bare = stored.map(({ overdrawn: _flag, updatedAt: _at, ...rest }) => rest)
  expect(posted).toEqual(bare)
  expect(sumPlaces(stored)).toBe(sumClaims(stored))
}

/** The rules in plain code: posts to the model and returns true if all postings are allowed. */
function bookInModel(model: Map<string, bigint>, postings: readonly Posting[]): boolean {
  const after = new Map(model)
  const spent = new Set<string>()
  for (const one of postings) {
    for (const { account, amount } of movementsOf(one)) {
      after.set(account, (after.get(account) ?? 0n) + amount)
      if (amount < 0n && !one.reversal) spent.add(account)
    }
  }
  for (const account of new Set(postings.flatMap(({ debit, credit }) => [debit, credit]))) {
    const short = (after.get(account) ?? 0n) < 0n
    if (short && (account !== CLAIM.available || spent.has(account))) return false
  }
  for (const [account, amount] of after) model.set(account, amount)
  return true
}
