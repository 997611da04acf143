import { xrplWallet } from '@sluice/simulator'
import { describe, expect, test } from 'vitest'
import { SIGNED_MAX } from '../../src/transactions/nonce/expiry.ts'
import {
  asked,
  openXrplHarness,
  signedPayments,
  type XrplHarness,
} from '../support/xrpl-harness.ts'

/** Its fee may be at most ten drops, exactly the fee of the ledger. */
const SMALL = 100n
const LARGE = 2_000_000n
const NORMAL = 10n
/** For the fee of each withdrawal: ten times the current fee with its headroom. */
const SET_ASIDE = 120n
/** More ledgers than the validity of our transactions. */
const LEDGERS_PAST = 22

describe('a small payment that is not included before its last ledger', () => {
  test('an expired payment is signed again with the same fee [X10]', async () => {
    const harness = await openXrplHarness()
    const small = await lost(harness)
    await harness.spend()
    expect(await signedFee(harness, small)).toBe(NORMAL)
    await completes(harness, [small])
  })

  test('an expired payment blocks no later one when the ledger fee rises [W18]', async () => {
    const harness = await openXrplHarness()
    const small = await lost(harness)
    harness.node.chain.openFee = SET_ASIDE
    const later = await asked(harness, { recipient: recipient('later'), amount: LARGE })
    await harness.spend()
    expect(await signedFee(harness, small)).toBe(SET_ASIDE)
    await completes(harness, [small, later])
  })

  test('an expired payment uses none of the fee reserves of others [W16]', async () => {
    const harness = await openXrplHarness()
    const small = await lost(harness)
    harness.node.chain.openFee = SET_ASIDE + 1n
    const later = await asked(harness, { recipient: recipient('later'), amount: LARGE })
    await harness.spend()
    expect(await signedFee(harness, small)).toBe(NORMAL)
    expect((await harness.world.alerts()).map(({ code }) => code)).toEqual(['spend.stuck'])
    harness.node.chain.openFee = NORMAL
    await completes(harness, [small, later])
    expect(await harness.world.alerts()).toEqual([])
  })
})

test('a payment that expires four times is reported and signed again [X10]', async () => {
  const harness = await openXrplHarness()
  const small = await lost(harness)
  const told = async () => (await harness.world.alerts()).map(({ code }) => code)
  for (let signed = 2; signed <= SIGNED_MAX; signed += 1) await lostAgain(harness)
  expect(await told()).toEqual([])
  await lostAgain(harness)
  expect(await told()).toEqual(['spend.stuck'])
  expect((await harness.world.alerts())[0]?.message).toContain('4 before it have expired')
  await lostAgain(harness)
  expect(await signedPayments(harness)).toHaveLength(SIGNED_MAX + 2)
  await completes(harness, [small])
  expect(await told()).toEqual([])
})

test('a payment included before all nodes have answered is not reported [X10]', async () => {
  const harness = await openXrplHarness()
  const small = await lost(harness)
  for (let signed = 2; signed <= SIGNED_MAX; signed += 1) await lostAgain(harness)
  const { adapter } = harness.spender
  const broadcast: typeof adapter.broadcast = async (raw) => {
    const answer = await adapter.broadcast(raw)
    await harness.mine(2)
    return answer
  }
  harness.spender.adapter = { ...adapter, broadcast }
  await harness.spend()
  expect((await harness.read(small)).status).toBe('Completed')
  expect(await harness.world.alerts()).toEqual([])
})

/** It is signed again, and dropped again. */
async function lostAgain(harness: XrplHarness): Promise<void> {
  await harness.spend()
  harness.node.chain.forget()
  await harness.mine(LEDGERS_PAST)
}

function recipient(name: string): string {
  return xrplWallet(name).address
}

/** Creates a withdrawal; it is signed, and dropped until its last ledger has passed. */
async function lost(harness: XrplHarness): Promise<string> {
  const { chain } = harness.node
  chain.pay({ to: recipient('exchange'), amount: LARGE })
  await harness.mine()
  const id = await asked(harness, { recipient: recipient('exchange'), amount: SMALL })
  await harness.spend()
  expect(await signedFee(harness, id)).toBe(NORMAL)
  chain.forget()
  await harness.mine(LEDGERS_PAST)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  return id
}

/** The fee in drops of the last signed transaction of a withdrawal. */
async function signedFee(harness: XrplHarness, id: string): Promise<bigint | undefined> {
  const { txnHash } = await harness.read(id)
  return (await signedPayments(harness)).find((one) => one.txnHash === txnHash)?.fee
}

async function completes(harness: XrplHarness, ids: readonly string[]): Promise<void> {
  for (const id of ids) expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
}
