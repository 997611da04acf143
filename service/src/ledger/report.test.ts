import type { ChainId, TokenId } from '@sluice/wire'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom, TEST_START } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import type { Address } from '../chains/port.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { CLAIM, type LedgerAccount, place } from './account.ts'
import { readBalances } from './balance.ts'
import { post } from './post.ts'
import type { Posting } from './posting.ts'
import { readDays, readStatement } from './read-report.ts'
import { type TokenMonth, monthOf } from './report.ts'
import { withdrawalHeld, withdrawalPaid, feePaid, reversalOf } from './spend-postings.ts'

const CHAIN = 'eip155:1' as ChainId
const ETHER = 'eip155:1/slip44:60' as TokenId
const TOKENS = [ETHER, 'eip155:1/erc20:0xab' as TokenId]
const SETTLEMENT = `0x${'b'.repeat(40)}` as Address
const HOME = place('settlement', SETTLEMENT)
const HOUR = 3_600_000
const SHARED = { min: 1, max: 100 }

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
})
afterAll(() => harness.close())

test.each([
  ['2026-01', '2026-01-01', '2026-02-01'],
  ['2026-12', '2026-12-01', '2027-01-01'],
  ['2028-02', '2028-02-01', '2028-03-01'],
])('the month %s begins and ends at midnight UTC', (month, from, to) => {
  const end = Date.parse(to)
  expect(monthOf(month, end)).toEqual({ from: Date.parse(from), to: end, isComplete: false })
  expect(monthOf(month, end + 60_000).isComplete).toBe(true)
})

/** One change of the books: its cause, and how the credited balance moves. */
const CHANGES = ['deposit', 'held', 'funding', 'withdrawal', 'fee', 'undone', 'corrected'] as const
const anyChange = fc.record({
  kind: fc.constantFrom(...CHANGES),
  tokenId: fc.constantFrom(...TOKENS),
  amount: fc.integer(SHARED),
  afterHours: fc.integer({ min: 1, max: 300 }),
})
type Change = typeof anyChange extends fc.Arbitrary<infer Value> ? Value : never

describe('statements', () => {
  test('of any history add up, are contiguous, and equal the sums of their days [I1]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 25 }), async (changes) => {
        harness.clock.set(TEST_START)
        const orgId = await organization()
        for (const change of changes) await apply(orgId, change)
        const until = new Date(harness.clock.now())
        const months = Array.from({ length: monthsUntil(until) }, (_, at) => {
          const first = new Date(Date.UTC(2026, at)).toISOString()
          return monthOf(first.slice(0, 7), harness.clock.now())
        })
        const before = new Map<TokenId, bigint>()
        for (const { from, to } of months) {
          const lines = await read(orgId, (tx) => readStatement(tx, { orgId, from, to }))
          for (const line of lines) {
            expect(line.opening + net(line)).toBe(line.closing)
            expect(line.opening).toBe(before.get(line.tokenId) ?? 0n)
            before.set(line.tokenId, line.closing)
            const days = await read(orgId, (tx) =>
              readDays(tx, { orgId, from, to: to - 1, tokenId: line.tokenId }),
            )
            expect(days.reduce((all, day) => all + net(day), 0n)).toBe(net(line))
            expect(days.at(-1)?.closing ?? line.opening).toBe(line.closing)
          }
        }
        for (const tokenId of TOKENS)
          expect(before.get(tokenId) ?? 0n).toBe(await owned(orgId, tokenId))
      }),
      { numRuns: 15 },
    )
  })

  test('attribute each cause, and net what a reorg took back', async () => {
    harness.clock.set(TEST_START)
    const orgId = await organization()
    const changes = [
      { kind: 'funding', amount: 100 },
      { kind: 'deposit', amount: 50 },
      { kind: 'held', amount: 9 },
      { kind: 'withdrawal', amount: 20 },
      { kind: 'fee', amount: 3 },
      { kind: 'undone', amount: 10 },
      { kind: 'corrected', amount: 1 },
    ] as const
    for (const change of changes) await apply(orgId, { ...change, tokenId: ETHER, afterHours: 1 })
    const [line] = await read(orgId, (tx) =>
      readStatement(tx, { orgId, ...monthOf('2026-01', harness.clock.now()) }),
    )
    expect(line).toEqual({
      chainId: CHAIN,
      tokenId: ETHER,
      opening: 0n,
      deposits: 50n,
      fundings: 133n,
      withdrawals: 20n,
      fees: 3n,
      corrections: 1n,
      closing: 161n,
    })
    const [day] = await read(orgId, (tx) =>
      readDays(tx, { orgId, from: TEST_START, to: harness.clock.now() }),
    )
    expect(day).toMatchObject({
      day: '2026-01-01',
      depositCount: 1,
      withdrawalCount: 1,
      closing: 161n,
    })
  })

  test("of another organization's postings are empty", async () => {
    harness.clock.set(TEST_START)
    const orgId = await organization()
    const change = { kind: 'deposit', amount: 5, tokenId: ETHER, afterHours: 1 } as const
    await apply(orgId, change)
    const other = await organization()
    const month = monthOf('2026-01', harness.clock.now())
    expect(await read(other, (tx) => readStatement(tx, { orgId, ...month }))).toEqual([])
    expect(await read(other, (tx) => readDays(tx, { orgId, ...month }))).toEqual([])
  })
})

type Read<T> = Parameters<TestDatabase['database']['forOrg']>[1] extends (tx: infer Tx) => unknown
  ? (tx: Tx) => Promise<T>
  : never

/** As the API's login reads. */
function read<T>(orgId: string, work: Read<T>): Promise<T> {
  return harness.database.forOrg(orgId, work)
}

function net(line: Omit<TokenMonth, 'opening' | 'closing' | 'chainId' | 'tokenId'>): bigint {
  return line.deposits + line.fundings - line.withdrawals - line.fees + line.corrections
}

/** Funds the balances first, so that no change overdraws them. */
async function apply(orgId: string, change: Change): Promise<void> {
  await harness.clock.advance(change.afterHours * HOUR)
  await harness.database.transaction((tx) => post(tx, postingsOf(orgId, change, tx.ids.next())))
}

function postingsOf(
  orgId: string,
  { kind, tokenId, amount }: Change,
  referenceId: string,
): Posting[] {
  const moved = {
    orgId,
    chainId: CHAIN,
    tokenId,
    amount: BigInt(amount),
    referenceId,
    blockHeight: 9,
  }
  const book = (debit: LedgerAccount, credit: LedgerAccount, reason: string): Posting => ({
    ...moved,
    debit,
    credit,
    reason,
    reversal: false,
  })
  const credited = (purpose: 'deposit' | 'funding') => [
    book(HOME, CLAIM.unconfirmed, `${purpose}.detected`),
    book(CLAIM.unconfirmed, CLAIM.available, `${purpose}.confirmed`),
  ]
  const paid = [withdrawalHeld(moved), withdrawalPaid(moved, SETTLEMENT)]
  const sender = { kind: 'settlement', address: SETTLEMENT } as const
  const postings: Record<Change['kind'], Posting[]> = {
    deposit: credited('deposit'),
    funding: credited('funding'),
    held: [
      book(HOME, CLAIM.unconfirmed, 'deposit.detected'),
      book(CLAIM.unconfirmed, CLAIM.held, 'deposit.held'),
    ],
    withdrawal: [...credited('funding'), ...paid],
    undone: [...credited('funding'), ...paid, ...paid.toReversed().map(reversalOf)],
    fee: [
      ...credited('funding'),
      book(CLAIM.available, CLAIM.gas, 'withdrawal.fee-held'),
      feePaid(moved, sender),
    ],
    corrected: [book(HOME, CLAIM.gas, 'gas.corrected')],
  }
  return postings[kind]
}

/** What the organization may use now. */
async function owned(orgId: string, tokenId: TokenId): Promise<bigint> {
  const balances = await read(orgId, (tx) => readBalances(tx, { orgId, tokenId }))
  const credited: LedgerAccount[] = [CLAIM.available, CLAIM.reserved, CLAIM.gas]
  return balances.reduce(
    (all, { account, amount }) => all + (credited.includes(account) ? amount : 0n),
    0n,
  )
}

function monthsUntil(end: Date): number {
  return (end.getUTCFullYear() - 2026) * 12 + end.getUTCMonth() + 1
}

let organizations = 0

function organization(): Promise<string> {
  organizations += 1
  const random = new SeededRandom(`report ${organizations}`)
  const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })
  return harness.database.transaction(async (tx) => {
    const options = { name: `Reports ${organizations}`, actor: 'test', random }
    return (await createOrganization(tx, serviceKey, options)).organization.id
  })
}
