import { Bug, assert } from '../base/assert.ts'
import type { Decoded, Intent } from '../chains/port.ts'
import { type OwnCoin, pointKey } from '../coins/coin.ts'
import { coinsAt } from '../coins/find.ts'
import type { Tx } from '../store/database.ts'
import { selectInputs, selectSpenders } from './input-rows.ts'
import { jointIntent } from './joint-intent.ts'
import type { Payment, SpendMeans } from './mandate.ts'
import { type Office, enterOffice } from './office.ts'
import { SpendMismatch } from './sign.ts'
import type { Spend } from './spend.ts'
import { lockSpends } from './spend-rows.ts'
import { selectSubjects } from './subject-rows.ts'
import type { SpendTransaction } from './transaction.ts'
import { selectTransactions } from './transaction-rows.ts'

/** A transaction of coins that no block has, as its own bytes say. */
export interface StuckCoins {
  office: Office
  spend: Spend
  payments: readonly Payment[]
  intent: Intent
  /** What it spends. */
  coins: readonly OwnCoin[]
  /** What the first transaction of the spend spends: every other spends it too. */
  firsts: readonly OwnCoin[]
  fee: bigint
  vsize: number
  /** What returns to us; null where nothing does. */
  change: OwnCoin | null
  /** How many transactions were signed for the spend. */
  count: number
}

/**
 * Enters the sender's office and reads what a transaction of coins pays from its bytes, which only
 * we can have signed. Null where there is no need of it any more, or nothing may be signed: a block
 * has it, somebody spent its coins, or a payment of ours rests on what it returns. Throws
 * SpendMismatch where the rows say something else than the bytes.
 */
export async function readStuck(
  tx: Tx,
  means: SpendMeans,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<StuckCoins | null> {
  const office = await enterOffice(tx, means, spend.sender)
  if ('outcome' in office) return null
  means.crash?.('bump.locked')
  const [now] = await lockSpends(tx, [spend])
  if (now?.state !== 'Sent' || now.txnHash !== last.txnHash) return null
  const { chainId } = now
  const inputs = await selectInputs(tx, [now])
  const coins = await coinsAt(tx, { chainId, points: inputs })
  if (coins.some(({ spent }) => spent !== null)) return null
  const signed = await selectTransactions(tx, [now])
  const rests = await selectSpenders(tx, { chainId, coins: signed })
  const resting = await lockSpends(tx, rests)
  if (resting.some(({ state }) => state !== 'Displaced')) return null
  const known = new Map(coins.map((coin) => [pointKey(coin), coin]))
  const spentBy = (wanted: (input: (typeof inputs)[number]) => boolean) =>
    inputs.filter(wanted).flatMap((input) => known.get(pointKey(input)) ?? [])
  const spends = spentBy((input) => input.spentBy === last.txnHash)
  const firsts = spentBy(({ number }) => number === 1)
  const payments = await selectSubjects(tx, now)
  const read = readBytes(means, { spend: now, last, coins: spends, payments })
  return { office, spend: now, payments, coins: spends, firsts, count: signed.length, ...read }
}

function readBytes(
  { adapter }: SpendMeans,
  given: {
    spend: Spend
    last: SpendTransaction
    coins: readonly OwnCoin[]
    payments: readonly Payment[]
  },
): Pick<StuckCoins, 'intent' | 'fee' | 'vsize' | 'change'> {
  const { spend, last, coins, payments } = given
  const { orgId, chainId, tokenId, sender: from } = spend
  const decoded = decodeOwn(adapter, { last, coins })
  const { outputs = [], vsize } = decoded
  const [returned, ...others] = outputs.slice(payments.length)
  const same =
    decoded.txnHash === last.txnHash &&
    decoded.chainId === chainId &&
    payments.every(({ to, amount }, at) => {
      const output = outputs[at]
      return output?.address === to && output.amount === amount
    }) &&
    others.length === 0 &&
    (returned === undefined || returned.address === from)
  if (!same) throw new SpendMismatch('a stored spend was changed', { spend, decoded, payments })
  assert(vsize !== undefined, 'a transaction of coins without a size', { id: spend.id })
  const intent = jointIntent({ chainId, tokenId, from }, payments)
  if (returned === undefined) return { intent, fee: decoded.maxFee, vsize, change: null }
  const point = { txnHash: last.txnHash, vout: payments.length }
  const coin = { ...point, address: from, amount: returned.amount, orgId, chainId }
  const change = { ...coin, place: 'settlement', block: null, spendId: null, spent: null } as const
  return { intent, fee: decoded.maxFee, vsize, change: { ...change, spendable: true } }
}

/** What bytes say that our keys have signed for just these coins; others are a mismatch. */
function decodeOwn(
  adapter: SpendMeans['adapter'],
  { last, coins }: { last: SpendTransaction; coins: readonly OwnCoin[] },
): Decoded {
  try {
    return adapter.decode(last.raw, coins)
  } catch (error) {
    if (!(error instanceof Bug)) throw error
    const { txnHash } = last
    throw new SpendMismatch('stored bytes are none of ours', { txnHash, reason: error.message })
  }
}
