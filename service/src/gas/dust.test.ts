import { expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  type SpendHarness,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import type { Address } from '../chains/port.ts'
import { CLAIM } from '../ledger/account.ts'
import { post } from '../ledger/post.ts'
import { feePaid, swept, toppedUp } from '../ledger/spend-postings.ts'
import { fundingConfirmed, fundingDetected } from '../../test/support/funding-postings.ts'
import { openDustBook } from './dust.ts'

const nativeFee = 100n

test('dust is the remainder of top-ups and sweeps below the sweep limit [A02]', async () => {
  const made = await harness()
  const { topUp, deposit, sweep } = hands(made)
  expect(await dustOf(made)).toBe(0n)
  // A top-up of which something is left.
  await topUp(stranger(100), 199n)
  // An untouched deposit, and a remainder above the dust limit.
  await deposit(stranger(101), 50n)
  await topUp(stranger(102), 200n)
  expect(await dustOf(made)).toBe(199n)
  // Remainder of the fee of a native sweep.
  await deposit(stranger(103), 900n)
  await sweep(stranger(103), { amount: 800n, fee: 60n })
  expect(await dustOf(made)).toBe(239n)
})

test('dust is counted once in two minutes [A02]', async () => {
  const made = await harness()
  const { topUp } = hands(made)
  const book = openDustBook()
  expect(await dustOf(made, book)).toBe(0n)
  await topUp(stranger(100), 150n)
  await made.harness.clock.advance(119_999)
  expect(await dustOf(made, book)).toBe(0n)
  await made.harness.clock.advance(1)
  expect(await dustOf(made, book)).toBe(150n)
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('gas', NATIVE, 1_000_000n)
  return made
}

function dustOf({ database, orgId }: SpendHarness, book = openDustBook()): Promise<bigint> {
  return database.transaction((tx) =>
    book.dustOf(tx, { orgId, chainId: CHAIN, native: NATIVE, nativeFee }),
  )
}

/** Postings of deposit addresses. */
function hands({ database, orgId, gas, settlement }: SpendHarness) {
  const whose = { orgId, chainId: CHAIN, tokenId: NATIVE, blockHeight: 1 }
  const at = (address: Address) => ({ kind: 'deposits', address }) as const
  const book = (amount: bigint, of: (moved: Parameters<typeof swept>[0]) => Posted) =>
    database.transaction((tx) => post(tx, of({ ...whose, amount, referenceId: tx.ids.next() })))
  return {
    topUp: (address: Address, amount: bigint) =>
      book(amount, (moved) => [toppedUp(moved, { from: gas, to: at(address) })]),
    deposit: (address: Address, amount: bigint) =>
      book(amount, (moved) => [
        fundingDetected(moved, at(address)),
        fundingConfirmed(moved, CLAIM.available),
      ]),
    sweep: (from: Address, { amount, fee }: { amount: bigint; fee: bigint }) =>
      book(amount, (moved) => [
        swept(moved, { from, to: settlement }),
        feePaid({ ...moved, amount: fee }, at(from)),
      ]),
  }
}

type Posted = ReturnType<typeof swept>[]
