import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveAlert } from '../../src/alerts/raise-alert.ts'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import {
  type BitcoinTestChain,
  REGTEST,
  startSimulatedBitcoin,
  TBTC,
} from '../support/bitcoin-chain.ts'
import { openCoinHarness, stranger } from '../support/coin-harness.ts'
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
  const harness = await openWithdrawingWorld(anvil)
  await move(harness.settlement, -LOST)
  await harness.mine()
  await harness.world.auditCycle()
  const id = await asked(harness)
  for (let rounds = 0; rounds < 3; rounds += 1) await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
  const subject = `${COIN} ${harness.settlement}`
  expect(await harness.world.alerts()).toMatchObject([{ code: 'ledger.difference', subject }])
  await move(harness.settlement, LOST)
  await harness.mine()
  await harness.world.auditCycle()
  expect(await harness.world.alerts()).toEqual([])
  expect((await harness.conclude(id)).status).toBe('Completed')
})

test('withdrawals go on once an operator closes the alert about missing coins [I3]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  await move(harness.settlement, -LOST)
  await harness.mine()
  await harness.world.auditCycle()
  const id = await asked(harness)
  await harness.spend()
  expect((await harness.read(id)).status).toBe('Pending')
  await looked(harness, COIN, harness.settlement)
  expect((await harness.conclude(id)).status).toBe('Completed')
})

test('a deficit of a gas wallet, which users do not own, delays no withdrawal [I3]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  await move(harness.gas, -LOST)
  await harness.mine()
  await harness.world.auditCycle()
  const subject = `${COIN} ${harness.gas}`
  expect(await harness.world.alerts()).toMatchObject([{ code: 'ledger.difference', subject }])
  expect((await harness.conclude(await asked(harness))).status).toBe('Completed')
})

test('no withdrawal is paid after an output was spent outside [I3 B11]', async () => {
  const harness = await openCoinHarness(chain)
  const { world } = harness
  const address = await harness.deposit('ann', 40_000n, 300_000n)
  const [coin] = (await harness.coins()).filter(({ amount }) => amount === 40_000n)
  if (coin === undefined) throw new Error('there is no such coin')
  const payees = [{ to: chain.hand.address, amount: coin.amount - 5_000n }]
  await spendSecretly(world, chain, { coins: [coin], payees })
  await world.settle()
  await world.auditCycle(REGTEST)
  // The sender is halted too; another part of the test covers that.
  const sender = { chainId: REGTEST, address: harness.settlement, chainNonce: 0 }
  const word = { actor: 'cli:test', reason: 'a test' }
  await world.database.transaction((tx) => resumeSender(tx, { ...sender, ...word }))
  const id = await harness.want(stranger('one who is not robbed', chain), 100_000n)
  for (let rounds = 0; rounds < 3; rounds += 1) await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
  await looked(harness, TBTC, address)
  expect((await harness.conclude(id)).status).toBe('Completed')
})

/** Changes the balance at once, without a transaction. */
async function move(address: string, by: bigint): Promise<void> {
  const held = BigInt(await anvil.rpc<string>('eth_getBalance', [address, 'latest']))
  await anvil.rpc('anvil_setBalance', [address, `0x${(held + by).toString(16)}`])
}

async function asked(harness: WithdrawingWorld): Promise<string> {
  const operator = await harness.colleague('operator')
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
