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
  type TronHouse,
  USDT,
} from '../support/tron-house.ts'

const PAYMENTS = 25
const USERS = 4

test('the audit finds no difference during 25 deposits and 25 withdrawals in 75 s', async () => {
  const house = await opened()
  house.chain.pay({ to: house.gas, amount: FUNDED })
  await deposited(house, 'ann', 500n * TRX)
  const ids: string[] = []
  for (let block = 0; block < PAYMENTS; block += 1) {
    const { address } = await house.world.issue(`user ${block % USERS}`, SHASTA)
    if (block % 2 === 0) house.chain.pay({ to: address, amount: 3n * TRX })
    else house.chain.payToken({ to: address, amount: 3n * TRX, token: CONTRACT })
    const [tokenId, amount] = block % 2 === 0 ? [USDT, 5n * TRX] : [COIN, 20n * TRX]
    const recipient = tronSender(800 + block).address
    ids.push(await created(house, { tokenId, recipient, amount: String(amount) }))
    await passBlock(house)
  }
  for (const id of ids) expect(await house.conclude(id)).toMatchObject({ status: 'Completed' })
  await expectWhole(house)
}, 400_000)

test('the audit finds missing coins while a payment of their address is pending', async () => {
  const house = await opened()
  const { chain, settlement, world } = house
  chain.endow(settlement, FUNDED - 5n * TRX)
  await house.mine(SOLID_LAG - 1)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toEqual([])
  await onItsWay(house)
  chain.lets = () => false
  await house.mine(1)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toMatchObject([
    { code: 'ledger.difference', message: expect.stringContaining('deficit of 5000000') },
  ])
})

test('an alert about missing tokens is resolved once they are back', async () => {
  const house = await opened()
  const { chain, world } = house
  await deposited(house, 'ann', 50n * TRX)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toEqual([])
  const { address } = await world.issue('ann', SHASTA)
  chain.burnTokens({ token: CONTRACT, holder: address, amount: 7n })
  await house.mine(1 + SOLID_LAG)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toMatchObject([{ code: 'ledger.difference' }])
  chain.burnTokens({ token: CONTRACT, holder: address, amount: -7n })
  await house.mine(1 + SOLID_LAG)
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toEqual([])
})

test('reconciling a gas wallet at the solid block works while its payment is pending', async () => {
  const house = await opened()
  const { chain, gas, world } = house
  await house.mine(SOLID_LAG)
  chain.endow(gas, FUNDED - 5n * TRX)
  await house.mine(1 + SOLID_LAG)
  await onItsWay(house)
  const { database, catalogue, orgId } = world
  const word = { catalogue, orgId, entry: world.entry(SHASTA), actor: 'cli:test', reason: 'test' }
  const before = await gasOf(house)
  const corrected = await correctGas(database, world.adapter(SHASTA), word)
  expect(corrected).toMatchObject({ ledger: FUNDED, chain: FUNDED - 5n * TRX })
  expect(before - (await gasOf(house))).toBe(5n * TRX)
  chain.lets = () => true
  await house.mine(2 + SOLID_LAG)
  await expectWhole(house)
})

/** The audit runs while the broadcast transaction waits for the next block. */
async function passBlock(house: TronHouse): Promise<void> {
  await house.spend()
  await expectNoDifference(house)
  await house.mine(1)
}

async function expectNoDifference({ world }: TronHouse): Promise<void> {
  await world.auditCycle(SHASTA)
  const alerts = await world.alerts()
  expect(alerts.filter(({ code }) => code === 'ledger.difference')).toEqual([])
}

/** A withdrawal that is broadcast and not included. */
async function onItsWay(house: TronHouse): Promise<void> {
  house.chain.lets = () => false
  const recipient = tronSender(799).address
  const id = await created(house, { recipient, amount: String(20n * TRX) })
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
}
