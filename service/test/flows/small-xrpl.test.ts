import { xrplWallet } from '@sluice/simulator'
import { describe, expect, test } from 'vitest'
import { SIGNED_MAX } from '../../src/transactions/nonce/expiry.ts'
import { asked, openXrplHouse, signedPayments, type XrplHouse } from '../support/xrpl-house.ts'

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
    const house = await openXrplHouse()
    const small = await lost(house)
    await house.spend()
    expect(await signedFee(house, small)).toBe(NORMAL)
    await completes(house, [small])
  })

  test('an expired payment blocks no later one when the ledger fee rises [W18]', async () => {
    const house = await openXrplHouse()
    const small = await lost(house)
    house.node.chain.openFee = SET_ASIDE
    const later = await asked(house, { recipient: recipient('later'), amount: LARGE })
    await house.spend()
    expect(await signedFee(house, small)).toBe(SET_ASIDE)
    await completes(house, [small, later])
  })

  test('an expired payment uses none of the fee reserves of others [W16]', async () => {
    const house = await openXrplHouse()
    const small = await lost(house)
    house.node.chain.openFee = SET_ASIDE + 1n
    const later = await asked(house, { recipient: recipient('later'), amount: LARGE })
    await house.spend()
    expect(await signedFee(house, small)).toBe(NORMAL)
    expect((await house.world.alerts()).map(({ code }) => code)).toEqual(['spend.stuck'])
    house.node.chain.openFee = NORMAL
    await completes(house, [small, later])
    expect(await house.world.alerts()).toEqual([])
  })
})

test('a payment that expires four times is reported and signed again [X10]', async () => {
  const house = await openXrplHouse()
  const small = await lost(house)
  const told = async () => (await house.world.alerts()).map(({ code }) => code)
  for (let signed = 2; signed <= SIGNED_MAX; signed += 1) await lostAgain(house)
  expect(await told()).toEqual([])
  await lostAgain(house)
  expect(await told()).toEqual(['spend.stuck'])
  expect((await house.world.alerts())[0]?.message).toContain('4 before it have expired')
  await lostAgain(house)
  expect(await signedPayments(house)).toHaveLength(SIGNED_MAX + 2)
  await completes(house, [small])
  expect(await told()).toEqual([])
})

test('a payment included before all nodes have answered is not reported [X10]', async () => {
  const house = await openXrplHouse()
  const small = await lost(house)
  for (let signed = 2; signed <= SIGNED_MAX; signed += 1) await lostAgain(house)
  const { adapter } = house.spender
  const broadcast: typeof adapter.broadcast = async (raw) => {
    const answer = await adapter.broadcast(raw)
    await house.mine(2)
    return answer
  }
  house.spender.adapter = { ...adapter, broadcast }
  await house.spend()
  expect((await house.read(small)).status).toBe('Completed')
  expect(await house.world.alerts()).toEqual([])
})

/** It is signed again, and dropped again. */
async function lostAgain(house: XrplHouse): Promise<void> {
  await house.spend()
  house.node.chain.forget()
  await house.mine(LEDGERS_PAST)
}

function recipient(name: string): string {
  return xrplWallet(name).address
}

/** Creates a withdrawal; it is signed, and dropped until its last ledger has passed. */
async function lost(house: XrplHouse): Promise<string> {
  const { chain } = house.node
  chain.pay({ to: recipient('exchange'), amount: LARGE })
  await house.mine()
  const id = await asked(house, { recipient: recipient('exchange'), amount: SMALL })
  await house.spend()
  expect(await signedFee(house, id)).toBe(NORMAL)
  chain.forget()
  await house.mine(LEDGERS_PAST)
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
  return id
}

/** The fee in drops of the last signed transaction of a withdrawal. */
async function signedFee(house: XrplHouse, id: string): Promise<bigint | undefined> {
  const { txnHash } = await house.read(id)
  return (await signedPayments(house)).find((one) => one.txnHash === txnHash)?.fee
}

async function completes(house: XrplHouse, ids: readonly string[]): Promise<void> {
  for (const id of ids) expect(await house.conclude(id)).toMatchObject({ status: 'Completed' })
}
