import type { ChainId } from '@sluice/wire'
import type { Tx } from '../../store/database.ts'
import { selectPaying } from '../core/foreign-rows.ts'
import { selectSpend } from '../core/spend-rows.ts'
import type { Spend } from '../core/spend.ts'
import { selectSpendIds } from '../core/transaction-rows.ts'
import { coinsAt } from './coin-rows.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { type Input, selectInputs } from './input-rows.ts'
import { selectTakenUpTo } from './origin-rows.ts'

/** Blocks for which a replacement may still be made without a coin that never comes back: a day. */
const REPLACEABLE_BLOCKS = 144

/**
 * Which of these spends of coins, of which no block has a transaction, can never be included, by
 * their ids: of a coin that all their transactions spend, a block at or below a height has proved
 * that none of them ever can. A transaction that is none of them has spent it; or the coin itself
 * can never come back, since its own transaction can never follow one that the block has. While
 * another coin of theirs is there, a replacement may do without that one, and is waited for. One of
 * whose coins somebody has taken who pays the same people is left for an operator to judge: to pay
 * them again would be to pay twice.
 */
export async function lostAmong(
  tx: Tx,
  { chainId, spends, upTo }: { chainId: ChainId; spends: readonly Spend[]; upTo: number },
): Promise<ReadonlySet<string>> {
  const inputs = spends.length === 0 ? [] : await selectInputs(tx, spends)
  const coins = inputs.length === 0 ? [] : await coinsAt(tx, { chainId, points: inputs })
  const own = new Set(inputs.map(({ spentBy }) => spentBy))
  const taken = coins.filter(({ spent }) => spent !== null && !own.has(spent.txnHash))
  const settled = taken.filter(({ spent }) => spent !== null && spent.height <= upTo)
  const dead = await deadFor(tx, { chainId, coins, upTo })
  if (settled.length + dead.size === 0) return new Set()
  const late = await deadFor(tx, { chainId, coins, upTo: upTo - REPLACEABLE_BLOCKS })
  const ended = new Set([...settled.map(pointKey), ...late])
  const there = new Set(coins.filter(({ block }) => block !== null).map(pointKey))
  const open = await openAmong(tx, inputs, { chainId, taken })
  const lost = new Set<string>()
  for (const [spendId, sharedInputs] of sharedInputsOf(inputs)) {
    const keys = sharedInputs.map(pointKey)
    const isWhole = keys.some((key) => there.has(key)) || !keys.some((key) => dead.has(key))
    const isLost = !isWhole || keys.some((key) => ended.has(key))
    if (isLost && !open.has(spendId)) lost.add(spendId)
  }
  return lost
}

/**
 * Which of these coins can never come back, as texts: those of strangers by what a block has, our
 * own where another transaction of their spend is in one, or none can ever be.
 */
export async function deadFor(
  tx: Tx,
  query: { chainId: ChainId; coins: readonly OwnCoin[]; upTo: number },
): Promise<ReadonlySet<string>> {
  const { chainId, upTo } = query
  const absent = query.coins.filter(({ block }) => block === null)
  if (absent.length === 0) return new Set()
  const dead = new Set(await deadAmong(tx, { chainId, coins: absent, upTo }))
  const hashes = [...new Set(absent.map(({ txnHash }) => txnHash))]
  for (const [txnHash, key] of await selectSpendIds(tx, { chainId, hashes })) {
    const spend = await selectSpend(tx, key)
    const isOther = spend?.state === 'Settled' && spend.txnHash !== txnHash
    const isDeep = isOther && (spend.block?.height ?? upTo) <= upTo
    if (!isDeep && spend?.state !== 'Displaced') continue
    for (const coin of absent) if (coin.txnHash === txnHash) dead.add(pointKey(coin))
  }
  return dead
}

/** The spends of whose coins any was taken by who pays the same people. */
async function openAmong(
  tx: Tx,
  inputs: readonly Input[],
  { chainId, taken }: { chainId: ChainId; taken: readonly OwnCoin[] },
): Promise<ReadonlySet<string>> {
  const hashes = taken.map(({ spent }) => spent?.txnHash ?? '')
  const paying = new Set(hashes.length === 0 ? [] : await selectPaying(tx, { chainId, hashes }))
  const open = taken.filter(({ spent }) => paying.has(spent?.txnHash ?? ''))
  const keys = new Set(open.map(pointKey))
  const spends = inputs.filter((input) => keys.has(pointKey(input)))
  return new Set(spends.map(({ spendId }) => spendId))
}

/**
 * The coins that every transaction of a spend spends, of each of these spends: while there is one,
 * no two of its transactions can ever be included; once it can never be spent, none of them can.
 * `inputs`: all that all transactions of the spends spend. By the ids of the spends.
 */
export function sharedInputsOf(inputs: readonly Input[]): Map<string, Input[]> {
  const signed = new Map<string, Set<string>>()
  const spending = new Map<string, { input: Input; by: Set<string> }>()
  for (const input of inputs) {
    const { spendId, spentBy } = input
    signed.set(spendId, (signed.get(spendId) ?? new Set()).add(spentBy))
    const key = `${spendId} ${pointKey(input)}`
    const known = spending.get(key) ?? { input, by: new Set() }
    known.by.add(spentBy)
    spending.set(key, known)
  }
  const sharedInputs = new Map<string, Input[]>()
  for (const { input, by } of spending.values()) {
    const { spendId } = input
    if (by.size !== signed.get(spendId)?.size) continue
    const known = sharedInputs.get(spendId)
    if (known === undefined) sharedInputs.set(spendId, [input])
    else known.push(input)
  }
  return sharedInputs
}

/**
 * Which of these coins can never come back, as texts: no block has them, and one at or below this
 * height has a transaction that theirs can never follow.
 */
export async function deadAmong(
  tx: Tx,
  { chainId, coins, upTo }: { chainId: ChainId; coins: readonly OwnCoin[]; upTo: number },
): Promise<ReadonlySet<string>> {
  const lost = coins.filter(({ block, lostHeight }) => block === null && lostHeight !== null)
  if (lost.length === 0) return new Set()
  const hashes = [...new Set(lost.map(({ txnHash }) => txnHash))]
  const taken = new Set(await selectTakenUpTo(tx, { chainId, hashes, upTo }))
  return new Set(lost.filter(({ txnHash }) => taken.has(txnHash)).map(pointKey))
}
