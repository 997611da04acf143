import { expect, test } from 'vitest'
import { correctGas } from '../../src/gas/correct.ts'
import { tronSender } from '../adapters/tron-world.ts'
import {
  COIN,
  CONTRACT,
  created,
  deposited,
  expectWhole,
  FUNDED,
  gasOf,
  opened,
  SHASTA,
  SOLID_LAG,
  TRX,
  type TronHarness,
  USDT,
} from '../support/tron-harness.ts'

const PAYMENTS = 25
const USERS = 4

test('the audit finds no difference during 25 deposits and 25 withdrawals in 75 s', async () => {
  const harness = await opened()
  harness.chain.pay({ to: harness.gas, amount: FUNDED })
  await deposited(harness, 'ann', 500n * TRX)
  const ids: string[] = []
  for (let block = 0; block < PAYMENTS; block += 1) {
    const { address } = await harness.world.issue(`user ${block % USERS}`, SHASTA)
    if (block % 2 === 0) harness.chain.pay({ to: address, amount: 3n * TRX })
    else harness.chain.payToken({ to: address, amount: 3n * TRX, token: CONTRACT })
    const [tokenId, amount] = block % 2 === 0 ? [USDT, 5n * TRX] : [COIN, 20n * TRX]
    const recipient = tronSender(800 + block).address
    ids.push(await created(harness, { tokenId, recipient, amount: String(amount) }))
    await passBlock(harness)
  }
  for (const id of ids) expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  await expectWhole(harness)
}, 400_000)

test('the audit finds missing coins while a payment of their address is pending', async () => {
  const harness = await opened()
  const { chain, settlement, world } = harness
  chain.endow(settlement, FUNDED - 5n * TRX)
  await harness.mine(SOLID_LAG - 1)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toEqual([])
  await onItsWay(harness)
  chain.lets = () => false
  await harness.mine(1)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toMatchObject([
    { code: 'ledger.difference', message: expect.stringContaining('deficit of 5000000') },
  ])
})

test('an alert about missing tokens is resolved once they are back', async () => {
  const harness = await opened()
  const { chain, world } = harness
  await deposited(harness, 'ann', 50n * TRX)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toEqual([])
  const { address } = await world.issue('ann', SHASTA)
  chain.burnTokens({ token: CONTRACT, holder: address, amount: 7n })
  await harness.mine(1 + SOLID_LAG)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toMatchObject([{ code: 'ledger.difference' }])
  chain.burnTokens({ token: CONTRACT, holder: address, amount: -7n })
  await harness.mine(1 + SOLID_LAG)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toEqual([])
})

test('reconciling a gas wallet at the solid block works while its payment is pending', async () => {
  const harness = await opened()
  const { chain, gas, world } = harness
  await harness.mine(SOLID_LAG)
  chain.endow(gas, FUNDED - 5n * TRX)
  await harness.mine(1 + SOLID_LAG)
  await onItsWay(harness)
  const { database, catalogue, orgId } = world
  const word = { catalogue, orgId, entry: world.entry(SHASTA), actor: 'cli:test', reason: 'test' }
  const before = await gasOf(harness)
  const corrected = await correctGas(database, world.adapter(SHASTA), word)
  expect(corrected).toMatchObject({ ledger: FUNDED, chain: FUNDED - 5n * TRX })
  expect(before - (await gasOf(harness))).toBe(5n * TRX)
  chain.lets = () => true
  await harness.mine(2 + SOLID_LAG)
  await expectWhole(harness)
})

/** The audit runs while the broadcast transaction waits for the next block. */
async function passBlock(harness: TronHarness): Promise<void> {
  await harness.spend()
  await expectNoDifference(harness)
  await harness.mine(1)
}

async function expectNoDifference({ world }: TronHarness): Promise<void> {
  await world.auditCycle(SHASTA)
  const alerts = await world.alerts()
  expect(alerts.filter(({ code }) => code === 'ledger.difference')).toEqual([])
}

/** A withdrawal that is broadcast and not included. */
async function onItsWay(harness: TronHarness): Promise<void> {
  harness.chain.lets = () => false
  const recipient = tronSender(799).address
  const id = await created(harness, { recipient, amount: String(20n * TRX) })
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
}
