import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveAlert } from '../../src/journal/raise-alert.ts'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import {
  type BitcoinTestChain,
  REGTEST,
  startSimulatedBitcoin,
  TBTC,
} from '../support/bitcoin-chain.ts'
import { openCoinHouse, stranger } from '../support/coin-house.ts'
import { spendSecretly } from '../support/coin-thief.ts'
import { COIN } from '../support/money-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { idIn } from '../support/withdrawal-desk.ts'
import { openWithdrawingWorld, type WithdrawingWorld } from '../support/withdrawing-world.ts'
import { SEPOLIA } from '../support/world-life.ts'

const [AMOUNT, LOST] = [10n ** 15n, 10n ** 16n]

let anvil: AnvilChain
let chain: BitcoinTestChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
  chain = await startSimulatedBitcoin()
})
afterAll(async () => {
  await anvil?.stop()
  await chain?.stop()
})

test('withdrawals wait while coins of users are missing, and go on afterwards [I3]', async () => {
  const house = await openWithdrawingWorld(anvil)
  await move(house.settlement, -LOST)
  await house.mine()
  await house.world.auditCycle()
  const id = await asked(house)
  for (let rounds = 0; rounds < 3; rounds += 1) await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
  const subject = `${COIN} ${house.settlement}`
  expect(await house.world.alerts()).toMatchObject([{ code: 'ledger.difference', subject }])
  await move(house.settlement, LOST)
  await house.mine()
  await house.world.auditCycle()
  expect(await house.world.alerts()).toEqual([])
  expect((await house.conclude(id)).status).toBe('Completed')
})

test('withdrawals go on once an operator closes the alert about missing coins [I3]', async () => {
  const house = await openWithdrawingWorld(anvil)
  await move(house.settlement, -LOST)
  await house.mine()
  await house.world.auditCycle()
  const id = await asked(house)
  await house.spend()
  expect((await house.read(id)).status).toBe('Pending')
  await looked(house, COIN, house.settlement)
  expect((await house.conclude(id)).status).toBe('Completed')
})

test('a deficit of a gas wallet, which users do not own, delays no withdrawal [I3]', async () => {
  const house = await openWithdrawingWorld(anvil)
  await move(house.gas, -LOST)
  await house.mine()
  await house.world.auditCycle()
  const subject = `${COIN} ${house.gas}`
  expect(await house.world.alerts()).toMatchObject([{ code: 'ledger.difference', subject }])
  expect((await house.conclude(await asked(house))).status).toBe('Completed')
})

test('no withdrawal is paid after an output was spent outside [I3 B11]', async () => {
  const house = await openCoinHouse(chain)
  const { world } = house
  const address = await house.deposit('ann', 40_000n, 300_000n)
  const [coin] = (await house.coins()).filter(({ amount }) => amount === 40_000n)
  if (coin === undefined) throw new Error('there is no such coin')
  const payees = [{ to: chain.hand.address, amount: coin.amount - 5_000n }]
  await spendSecretly(world, chain, { coins: [coin], payees })
  await world.settle()
  await world.auditCycle(REGTEST)
  // The sender is halted too; another part of the test covers that.
  const sender = { chainId: REGTEST, address: house.settlement, chainNonce: 0 }
  const word = { actor: 'cli:test', reason: 'a test' }
  await world.database.transaction((tx) => resumeSender(tx, { ...sender, ...word }))
  const id = await house.want(stranger('one who is not robbed', chain), 100_000n)
  for (let rounds = 0; rounds < 3; rounds += 1) await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
  await looked(house, TBTC, address)
  expect((await house.conclude(id)).status).toBe('Completed')
})

/** Changes the balance at once, without a transaction. */
async function move(address: string, by: bigint): Promise<void> {
  const held = BigInt(await anvil.rpc<string>('eth_getBalance', [address, 'latest']))
  await anvil.rpc('anvil_setBalance', [address, `0x${(held + by).toString(16)}`])
}

async function asked(house: WithdrawingWorld): Promise<string> {
  const operator = await house.colleague('operator')
  const answer = await operator.ask('POST', '/withdrawals', {
    chainId: SEPOLIA,
    tokenId: COIN,
    amount: `${AMOUNT}`,
    recipient: randomWallet('anybody'),
    reference: 'one that is asked for',
  })
  expect(answer).toMatchObject({ status: 201 })
  return idIn(answer.json['withdrawal'])
}

/** An operator closes the alert. */
async function looked({ world }: WithdrawingWorld, token: string, address: string): Promise<void> {
  const alert = { code: 'ledger.difference', subject: `${token} ${address}` } as const
  expect(await world.database.transaction((tx) => resolveAlert(tx, alert))).toBe(true)
}
