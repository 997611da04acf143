import type { ChainId, TokenId } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SeededRandom } from '../../../test/support/clock.ts'
import {
  type TestDatabase,
  countWaiting,
  openTestDatabase,
} from '../../../test/support/database.ts'
import { openCatalogue } from '../../catalogue/find.ts'
import type { Address } from '../../chains/port.ts'
import { openServiceKey } from '../../keys/service-key.ts'
import { CLAIM, type LedgerAccount, place } from '../../ledger/account.ts'
import { readBalances } from '../../ledger/balance.ts'
import { post } from '../../ledger/post.ts'
import { createOrganization } from '../../orgs/create-organization.ts'
import { unclaimedGas } from '../../transactions/core/funds.ts'
import { feeHoldsOf, releaseHeldFee } from './held-fee.ts'

const CHAIN = 'xrpl:testnet' as ChainId
const XRP = `${CHAIN}/slip44:144` as TokenId
const BASE = place('settlement', 'rBase' as Address)
const catalogue = openCatalogue({ chains: [{ id: CHAIN }], tokens: [] })

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
})
afterAll(() => harness.close())

describe('the amount held for the fee of a withdrawal', () => {
  test('X10 what was not paid of it comes back, once', async () => {
    const orgId = await fundedOrganization(1_000n)
    const one = { ...withdrawal(orgId), fee: 12n }
    await harness.database.transaction((tx) => post(tx, feeHoldsOf(one, 120n)))
    await book(orgId, CLAIM.gas, BASE, 12n)
    expect(await release(one)).toBe(108n)
    expect(await release(one)).toBe(0n)
    expect(await amounts(orgId)).toEqual({ available: 988n, gas: 0n })
  })

  test('a fee above the held amount still settles every withdrawal [X10]', async () => {
    const orgId = await fundedOrganization(1_000n)
    const [dear, other] = [{ ...withdrawal(orgId), fee: 150n }, withdrawal(orgId)]
    await harness.database.transaction((tx) => post(tx, feeHoldsOf(dear, 120n)))
    await harness.database.transaction((tx) => post(tx, feeHoldsOf(other, 120n)))
    await book(orgId, CLAIM.gas, BASE, 150n)
    expect(await release(other)).toBe(90n)
    expect(await release(dear)).toBe(0n)
    expect(await amounts(orgId)).toEqual({ available: 850n, gas: 0n })
  })
})

test('I3 what is set aside for a payment while its rest is counted comes back too', async () => {
  const orgId = await fundedOrganization(1_000n)
  const paid = { ...withdrawal(orgId), fee: 10n }
  await harness.database.transaction((tx) => post(tx, feeHoldsOf(paid, 10n)))
  await book(orgId, CLAIM.gas, BASE, 10n)
  const releasing: Promise<bigint>[] = []
  await harness.database.transaction(async (tx) => {
    await unclaimedGas(tx, { orgId, chainId: CHAIN, native: XRP })
    releasing.push(release(paid))
    await vi.waitFor(async () => expect(await countWaiting(harness)).toBe(1))
    // Another one is called off: what this one had taken of it is this one's own from now on.
    await post(tx, feeHoldsOf(paid, 40n))
  })
  expect(await Promise.all(releasing)).toEqual([40n])
  expect(await amounts(orgId)).toEqual({ available: 990n, gas: 0n })
})

type Held = ReturnType<typeof withdrawal>

function withdrawal(orgId: string) {
  return { orgId, id: harness.ids.next(), chainId: CHAIN, tokenId: XRP, fee: null as bigint | null }
}

function release(one: Held): Promise<bigint> {
  return harness.database.transaction((tx) => releaseHeldFee(tx, { catalogue, withdrawal: one }))
}

async function book(
  orgId: string,
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: bigint,
): Promise<void> {
  const moved = { orgId, chainId: CHAIN, tokenId: XRP, debit, credit, amount }
  const told = { reason: 'test', reversal: false, referenceId: orgId, blockHeight: null }
  await harness.database.transaction((tx) => post(tx, [{ ...moved, ...told }]))
}

async function amounts(orgId: string): Promise<Record<string, bigint>> {
  const balances = await harness.database.transaction((tx) => readBalances(tx, { orgId }))
  const of = (account: LedgerAccount) =>
    balances.find((balance) => balance.account === account)?.amount ?? 0n
  return { available: of(CLAIM.available), gas: of(CLAIM.gas) }
}

async function fundedOrganization(amount: bigint): Promise<string> {
  const random = new SeededRandom(harness.ids.next())
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  const { organization } = await harness.database.transaction((tx) =>
    createOrganization(tx, serviceKey, { name: 'Anna & Co', actor: 'test', random }),
  )
  await book(organization.id, BASE, CLAIM.available, amount)
  return organization.id
}
