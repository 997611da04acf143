import { payingBy } from '../../src/chains/chain-adapter.ts'
import { openSpendHooks } from '../../src/app/spend-hooks.ts'
import { stillSignsBy } from '../../src/orgs/still-signs.ts'
import type { OwnCoin } from '../../src/transactions/utxo/coin.ts'
import {
  giveUpCoins,
  lockUnincludable,
  refuseIncludable,
} from '../../src/transactions/utxo/give-up-coins.ts'
import { REGTEST } from './bitcoin-chain.ts'
import { type CoinHarness, stranger } from './coin-harness.ts'
import { REQUIRED } from './world-life.ts'

/** Blocks without it after which a payment is replaced, and a lost coin is not waited for. */
export const PATIENCE = 2
/** Blocks that take a deposit from the pool to its credit. */
const CREDIT = 1 + REQUIRED
const ROUNDS_MAX = 12

let named = 0

/** Pays a user's deposit address in a separate block, and has it credited. */
export async function credit(harness: CoinHarness, user: string, amount: bigint): Promise<string> {
  const { world, chain } = harness
  const { address: to } = await world.issue(user, REGTEST)
  const txid = await chain.hand.pay({ payees: [{ to, amount }] })
  await chain.hand.mineExactly([txid])
  await harness.mineEmpty(REQUIRED)
  return txid
}

/** Requests a payment to a new recipient. */
export async function wanted(harness: CoinHarness, amount: bigint) {
  named += 1
  const name = `payee ${named}`
  return { name, amount, id: await harness.want(stranger(name, harness.chain), amount) }
}

/**
 * A reorg of some depth that removes a deposit, and an operator who resumes the chain. With
 * `isTaken`, the first new block includes a double spend. Returns its id.
 */
export async function lose(
  harness: CoinHarness,
  txid: string,
  given: { isTaken: boolean; depth?: number; blocks?: number },
): Promise<string> {
  const { isTaken, depth = CREDIT, blocks = depth + 1 } = given
  const { hand } = harness.chain
  const payees = [{ to: hand.address, amount: 1_000n }]
  const rival = hand.sign({ payees, instead: txid, fee: 90_000n })
  await hand.undo(depth)
  await hand.mineExactly(isTaken ? [rival.hex] : [])
  await harness.mineEmpty(blocks - 1)
  await goOn(harness)
  return rival.txid
}

/** A credit that left the chain has frozen it. */
export async function goOn({ world }: CoinHarness): Promise<void> {
  if ((await world.state(REGTEST)).condition === 'frozen') await world.resume(REGTEST)
  await world.settle()
}

/** Runs rounds and blocks until the spend of a withdrawal has ended; ignores its own status. */
export async function finish(harness: CoinHarness, id: string): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    const { state } = await harness.spendOf(id)
    if (state === 'Settled' || state === 'Displaced') return
    await harness.spend()
    await harness.mine(1 + REQUIRED)
    await goOn(harness)
  }
  throw new Error('the spend is never over')
}

/** The bytes of a transaction of a spend of ours, by its rank. */
export async function bytesOf(harness: CoinHarness, id: string, rank: number): Promise<string> {
  const { transactions } = await harness.spendOf(id)
  return Buffer.from(transactions[rank]?.raw ?? []).toString('hex')
}

/** The amounts of the coins of each transaction of a spend. */
export async function amountsTaken(harness: CoinHarness, id: string): Promise<bigint[][]> {
  const coins = await harness.coins()
  const { transactions } = await harness.spendOf(id)
  const adapter = harness.world.adapter(REGTEST)
  return transactions.map(({ raw }) =>
    (adapter.decode(raw).spends ?? [])
      .map(({ txnHash, vout }) => amountAt(coins, { txnHash, vout }))
      .toSorted((a, b) => (a < b ? -1 : 1)),
  )
}

function amountAt(coins: readonly OwnCoin[], point: { txnHash: string; vout: number }): bigint {
  const found = coins.find((one) => one.txnHash === point.txnHash && one.vout === point.vout)
  return found?.amount ?? 0n
}

/** The amounts of the coins that wait for a spend. */
export async function reserved(harness: CoinHarness): Promise<bigint[]> {
  const coins = await harness.coins()
  return coins
    .filter(({ spendId, spent }) => spendId !== null && spent === null)
    .map(({ amount }) => amount)
}

/** Runs `sluice spend give-up` for a person whose code was accepted. */
export async function giveUp(
  { world }: CoinHarness,
  given: { spendId: string; userId: string; despitePayment?: boolean },
): Promise<'Proposed' | 'GivenUp'> {
  const { catalogue, database, keys, orgId } = world
  const { spendId, userId, despitePayment = false } = given
  const asked = { catalogue, orgId, spendId, despitePayment }
  const unincludable = await database.transaction((tx) => lockUnincludable(tx, asked))
  const { tip } = await world.state(REGTEST)
  await refuseIncludable(payingBy(world.adapter(REGTEST), 'utxo'), { unincludable, tip })
  const rules = { hooks: openSpendHooks({ catalogue }), stillSigns: stillSignsBy(keys.serviceKey) }
  const said = { ...rules, userId, reason: 'a look at the chain' }
  const { state } = await database.transaction((tx) => giveUpCoins(tx, { ...asked, ...said }))
  return state
}
