import type { ChainId, TokenId } from '@sluice/wire'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, countWaiting, openTestDatabase } from '../../test/support/database.ts'
import type { Address } from '../chains/port.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { CLAIM, type LedgerAccount, place } from './account.ts'
import { readBalances, readBalancesOf } from './balance.ts'
import { Overdrawn, post } from './post.ts'
import { type Posting, movementsOf } from './posting.ts'
import { findDrift } from './recompute.ts'

const CHAIN = 'eip155:1' as ChainId
const NATIVE = 'eip155:1/slip44:60' as TokenId
const OTHER = 'eip155:1/slip44:61' as TokenId
const TOKENS = [NATIVE, OTHER]
const [FIRST, SECOND, THIRD] = [homeOf('a'), homeOf('b'), homeOf('c')]
const HOMES = [FIRST, SECOND, THIRD]
const ACCOUNTS = [CLAIM.unconfirmed, CLAIM.available, CLAIM.held, ...HOMES] as const

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
})
afterAll(() => harness.close())

const anyPosting = fc
  .record({
    org: fc.nat(1),
    token: fc.constantFrom(...TOKENS),
    debit: fc.constantFrom(...ACCOUNTS),
    credit: fc.constantFrom(...ACCOUNTS),
    amount: fc.bigInt({ min: 1n, max: 20n }),
    reversal: fc.boolean(),
  })
  .filter(({ debit, credit }) => debit !== credit)

describe('postings of one statement', () => {
  test('have the effect of single postings, or none [I4]', async () => {
    const steps = fc.array(fc.array(anyPosting, { minLength: 1, maxLength: 30 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(steps, async (asked) => {
        const orgs = [await organization(), await organization()]
        // Not every large step is to be refused, and some balances are to exist and others to be
        // new.
        const model = new Model()
        const endowment = orgs.flatMap((orgId) =>
          TOKENS.map((tokenId) => posting({ orgId, tokenId, amount: 100n })),
        )
        for (const step of [endowment, ...asked.map((one) => one.map((p) => fill(orgs, p)))]) {
          const allowed = model.book(step)
          const booked = await book(step).then(
            () => true,
            (error: unknown) => !(error instanceof Overdrawn),
          )
          expect(booked).toBe(allowed)
        }
        for (const orgId of orgs) expect(await standing(orgId)).toEqual(model.of(orgId))
        expect(await harness.database.snapshot(findDrift)).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  test('credit 400 deposits at once [I1]', async () => {
    const orgId = await organization()
    const homes = Array.from({ length: 400 }, (_, at) => homeOf(at.toString(16)))
    await book(homes.map((debit) => posting({ orgId, debit, credit: CLAIM.unconfirmed })))
    await book(homes.map(() => posting({ orgId, debit: CLAIM.unconfirmed })))
    const balances = await standing(orgId)
    expect(balances[`${NATIVE} claim:available`]).toBe('400')
    expect(balances[`${NATIVE} claim:unconfirmed`]).toBe('0')
    expect(Object.values(balances).filter((amount) => amount === '1')).toHaveLength(400)
  })

  test('readBalancesOf reads many balances by key [I1]', async () => {
    const orgId = await organization()
    await book([posting({ orgId, amount: 3n }), posting({ orgId, tokenId: OTHER, amount: 4n })])
    const keys = TOKENS.flatMap((tokenId) =>
      [CLAIM.available, CLAIM.held].map((account) => ({ orgId, chainId: CHAIN, tokenId, account })),
    )
    const read = await harness.database.transaction((tx) => readBalancesOf(tx, keys))
    expect(read.map(({ tokenId, account, amount }) => [tokenId, account, amount])).toEqual([
      [NATIVE, CLAIM.available, 3n],
      [OTHER, CLAIM.available, 4n],
    ])
    expect(await harness.database.transaction((tx) => readBalancesOf(tx, []))).toEqual([])
  })
})

describe('a balance created by two concurrent transactions', () => {
  test('contains both amounts [O05]', async () => {
    const orgId = await organization()
    await afterRivals(
      [posting({ orgId, amount: 5n })],
      [posting({ orgId, amount: 7n }), posting({ orgId, debit: SECOND, amount: 1n })],
    )
    expect(await standing(orgId)).toEqual({
      [`${NATIVE} claim:available`]: '13',
      [`${NATIVE} ${FIRST}`]: '12',
      [`${NATIVE} ${SECOND}`]: '1',
    })
  })

  test('stays overdrawn if the second amount is too small [R04]', async () => {
    const orgId = await organization()
    await book([posting({ orgId, credit: CLAIM.held, amount: 50n })])
    await afterRivals([overdraft(orgId, 50n)], [posting({ orgId, amount: 20n })])
    const balances = await harness.database.transaction((tx) => readBalances(tx, { orgId }))
    expect(balances.find(({ account }) => account === CLAIM.available)).toMatchObject({
      amount: -30n,
      overdrawn: true,
    })
  })

  test('refuses the second if it would become negative [I4]', async () => {
    const orgId = await organization()
    await book([posting({ orgId, credit: CLAIM.held, amount: 50n })])
    const taking = [
      posting({ orgId, amount: 20n }),
      posting({ orgId, debit: CLAIM.available, credit: CLAIM.reserved, amount: 10n }),
    ]
    await expect(afterRivals([overdraft(orgId, 50n)], taking)).rejects.toThrow(Overdrawn)
    expect(await standing(orgId)).toMatchObject({ [`${NATIVE} claim:available`]: '-50' })
  })

  test('transactions that change the same balances in any order all commit [O05]', async () => {
    const orgId = await organization()
    const orders = [HOMES, [THIRD, SECOND, FIRST], [SECOND, FIRST, THIRD]]
    const steps = Array.from({ length: 30 }, (_, at) =>
      book((orders[at % 3] ?? []).map((debit) => posting({ orgId, debit, amount: 2n }))),
    )
    await Promise.all(steps)
    expect(await standing(orgId)).toEqual({
      [`${NATIVE} claim:available`]: '180',
      ...Object.fromEntries(HOMES.map((home) => [`${NATIVE} ${home}`, '60'])),
    })
  })
})

/**
 * Books the second while the first, booked in a transaction that is still open, holds its balances;
 * then lets the first commit.
 */
async function afterRivals(first: readonly Posting[], second: readonly Posting[]): Promise<void> {
  let rival: Promise<unknown> = Promise.resolve()
  await harness.database.transaction(async (tx) => {
    await post(tx, first)
    rival = book(second)
    rival.catch(() => undefined)
    await untilSomebodyWaits()
  })
  await rival
}

async function untilSomebodyWaits(): Promise<void> {
  while ((await countWaiting(harness)) === 0) continue
}

/** Takes from `available`, which has no row yet, by a reversal. */
function overdraft(orgId: string, amount: bigint): Posting {
  const back = posting({ orgId, debit: CLAIM.available, credit: FIRST, amount })
  return { ...back, reversal: true }
}

function posting(changes: Partial<Posting> & { orgId: string }): Posting {
  return {
    chainId: CHAIN,
    tokenId: NATIVE,
    debit: FIRST,
    credit: CLAIM.available,
    amount: 1n,
    reason: 'test',
    reversal: false,
    referenceId: changes.orgId,
    blockHeight: 1,
    ...changes,
  }
}

function homeOf(digits: string): LedgerAccount {
  return place('deposits', `0x${digits.padStart(40, '0')}` as Address)
}

type Drawn = typeof anyPosting extends fc.Arbitrary<infer One> ? One : never

function fill(orgs: readonly string[], { org, token, ...rest }: Drawn): Posting {
  return posting({ orgId: orgs[org] ?? '', tokenId: token, ...rest })
}

function book(postings: readonly Posting[]): Promise<void> {
  return harness.database.transaction((tx) => post(tx, postings))
}

/** Balances by token and account; as text, since a diff of them is read by people. */
async function standing(orgId: string): Promise<Record<string, string>> {
  const balances = await harness.database.transaction((tx) => readBalances(tx, { orgId }))
  return Object.fromEntries(
    balances.map(({ tokenId, account, amount }) => [`${tokenId} ${account}`, String(amount)]),
  )
}

/** The law in plain code: each posting after the other, judged when all are booked. */
class Model {
  #balances = new Map<string, bigint>()

  book(postings: readonly Posting[]): boolean {
    const after = new Map(this.#balances)
    const spent = new Set<string>()
    for (const one of postings) {
      for (const { orgId, tokenId, account, amount } of movementsOf(one)) {
        const key = `${orgId} ${tokenId} ${account}`
        after.set(key, (after.get(key) ?? 0n) + amount)
        if (amount < 0n && !one.reversal) spent.add(key)
      }
    }
    const touched = postings.flatMap(movementsOf)
    const isRefused = touched.some(({ orgId, tokenId, account }) => {
      const key = `${orgId} ${tokenId} ${account}`
      const isShort = (after.get(key) ?? 0n) < 0n
      return isShort && (account !== CLAIM.available || spent.has(key))
    })
    if (!isRefused) this.#balances = after
    return !isRefused
  }

  of(orgId: string): Record<string, string> {
    const own = [...this.#balances].filter(([key]) => key.startsWith(`${orgId} `))
    return Object.fromEntries(own.map(([key, amount]) => [key.slice(37), String(amount)]))
  }
}

async function organization(): Promise<string> {
  const random = new SeededRandom('ledger')
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  const keyRandom = new SeededRandom(harness.ids.next())
  return harness.database.transaction(async (tx) => {
    const draft = { name: 'Anna & Co', actor: 'test', random: keyRandom }
    return (await createOrganization(tx, serviceKey, draft)).organization.id
  })
}
