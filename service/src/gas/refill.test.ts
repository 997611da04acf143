import { expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  type SpendHarness,
  TOKEN,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import { Bug } from '../base/assert.ts'
import { CLAIM, place } from '../ledger/account.ts'
import { post } from '../ledger/post.ts'
import { type Moved, feePaid, toppedUp } from '../ledger/spend-postings.ts'
import { fundingConfirmed, fundingDetected } from '../../test/support/funding-postings.ts'
import { keepGas } from './tick.ts'

const RICH = 10n ** 18n
const FEE = 1_000n
const CLIENTS = 100_000n
const DUST = 800n
const PAID = 60

test('clients’ coins pay no fees for any amount of gas on deposit addresses [A02]', async () => {
  const made = await harness()
  await leaveDust(made, 50)
  for (let paid = 0; paid < PAID; paid += 1) {
    await payFee(made)
    await keep(made)
  }
  expect(await held(made)).toBeGreaterThan(CLIENTS)
  expect(await made.balance(NATIVE, CLAIM.gas)).toBe(RICH - BigInt(PAID) * FEE)
})

test('coins that fees took are repaid when clients withdraw [A02]', async () => {
  const made = await harness()
  await leaveDust(made, 50)
  for (let paid = 0; paid < 45; paid += 1) await payFee(made)
  // The wallet keeps all its gas for sweeps while no withdrawal waits.
  const lowAt = 10 ** 15
  expect(await keep(made, { lowAt })).toBe(15n * FEE)
  const given = await keep(made, { lowAt, missing: CLIENTS - (await held(made)) })
  expect(given).toBe(40n * FEE)
  expect(await held(made)).toBeGreaterThan(CLIENTS)
  expect(await keep(made, { lowAt })).toBe(0n)
})

test('small unswept deposits are not advanced [A02]', async () => {
  const made = await harness()
  await made.float(10n * FEE)
  await book(made, 50, (moved, address) => [
    fundingDetected(moved, { kind: 'deposits', address }),
    fundingConfirmed(moved, CLAIM.available),
  ])
  expect(await keep(made, { missing: 40_000n })).toBe(0n)
})

test('an uncredited transfer is not float [A02]', async () => {
  const made = await harness()
  await leaveDust(made, 50)
  const at = { kind: 'settlement', address: made.settlement } as const
  await made.database.transaction((tx) => {
    const moved = { ...whose(made), amount: 50_000n, referenceId: tx.ids.next() }
    return post(tx, [fundingDetected(moved, at)])
  })
  expect(await keep(made, { unsettled: 50_000n })).toBe(10n * FEE)
})

test('a Bug with one organization does not keep others from their gas', async () => {
  const made = await harness()
  const orgIds = [made.orgId, await neighbour(made)]
  const asked: string[] = []
  const round = keepGas(made.deps, {
    fees: { feeOf: async () => FEE },
    lowAt: 20,
    demands: [],
    unsettled: async () => [],
    send: async (_deps, { orgId }) => {
      asked.push(orgId)
      if (asked.length === 1) throw new Bug('an own address was changed in the database')
      return { outcome: 'declined' }
    },
  })
  await expect(round).rejects.toThrow('an own address was changed')
  expect(asked.toSorted()).toEqual(orgIds.toSorted())
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('gas', NATIVE, RICH)
  await made.fund('settlement', TOKEN, 5n)
  await made.fund('settlement', NATIVE, CLIENTS)
  return made
}

/** Another organization, which has gas and something to withdraw. */
async function neighbour(made: SpendHarness): Promise<string> {
  const { orgId, settlement, gas } = await made.foundAnother()
  await made.database.transaction(async (tx) => {
    const moved = { orgId, chainId: CHAIN, blockHeight: null, referenceId: tx.ids.next() }
    const coins = { ...moved, tokenId: NATIVE, amount: RICH }
    const tokens = { ...moved, tokenId: TOKEN, amount: 5n }
    await post(tx, [
      fundingDetected(coins, { kind: 'gas', address: gas }),
      fundingConfirmed(coins, CLAIM.gas),
      fundingDetected(tokens, { kind: 'settlement', address: settlement }),
      fundingConfirmed(tokens, CLAIM.available),
    ])
  })
  return orgId
}

/** Remainders of top-ups, each below the fee of a transfer. */
function leaveDust(made: SpendHarness, count: number): Promise<void> {
  return book(made, count, (moved, address) => [
    toppedUp(moved, { from: made.gas, to: { kind: 'deposits', address } }),
  ])
}

async function book(
  made: SpendHarness,
  count: number,
  postingsOf: (moved: Moved, address: ReturnType<typeof stranger>) => ReturnType<typeof toppedUp>[],
): Promise<void> {
  await made.database.transaction(async (tx) => {
    for (let number = 0; number < count; number += 1) {
      const moved = { ...whose(made), amount: DUST, referenceId: tx.ids.next() }
      await post(tx, postingsOf(moved, stranger(100 + number)))
    }
  })
}

async function payFee(made: SpendHarness): Promise<void> {
  const sender = { kind: 'settlement', address: made.settlement } as const
  await made.database.transaction((tx) =>
    post(tx, [feePaid({ ...whose(made), amount: FEE, referenceId: tx.ids.next() }, sender)]),
  )
}

/** One look; a top-up that it sends is in a block at once. Answers with what was given. */
async function keep(
  made: SpendHarness,
  given: { missing?: bigint; lowAt?: number; unsettled?: bigint } = {},
): Promise<bigint> {
  const { missing = 0n, lowAt = 20, unsettled = 0n } = given
  let sent = 0n
  await keepGas(made.deps, {
    fees: { feeOf: async () => FEE },
    lowAt,
    demands: missing > 0n ? [{ orgId: made.orgId, tokenId: NATIVE, missing }] : [],
    unsettled: async (_tx, { addresses }) =>
      addresses.includes(made.settlement) ? [{ tokenId: NATIVE, amount: unsettled }] : [],
    send: async (_deps, { intent }) => {
      sent = intent.amount
      const to = { kind: 'settlement', address: made.settlement } as const
      await made.database.transaction((tx) => {
        const moved = { ...whose(made), amount: sent, referenceId: tx.ids.next() }
        return post(tx, [toppedUp(moved, { from: made.gas, to })])
      })
      return { outcome: 'declined' }
    },
  })
  return sent
}

function held(made: SpendHarness): Promise<bigint> {
  return made.balance(NATIVE, place('settlement', made.settlement))
}

function whose({ orgId }: SpendHarness) {
  return { orgId, chainId: CHAIN, tokenId: NATIVE, blockHeight: 1 }
}
