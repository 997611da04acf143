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
 * Ids of the unmined spends that can never be included: a block at or below `upTo` proves that an
 * input of all their transactions is unspendable. Another transaction has spent it, or its own
 * transaction conflicts with the block. While another input is available, a replacement without the
 * lost one is awaited. A spend whose inputs were taken by a transaction that pays the same
 * recipients is left to an operator, since paying again could pay twice.
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
 * Coins that can never return, as `pointKey` texts: foreign ones that a block conflicts with, and
 * our own if another transaction of their spend is settled or the spend is displaced.
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
 * Inputs that every transaction of a spend spends, by spend id. While one exists, at most one of
 * its transactions can be included; once it is unspendable, all of them are invalid. `inputs` holds
 * the inputs of all transactions of these spends.
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
async function deadAmong(
  tx: Tx,
  { chainId, coins, upTo }: { chainId: ChainId; coins: readonly OwnCoin[]; upTo: number },
): Promise<ReadonlySet<string>> {
  const lost = coins.filter(({ block, lostHeight }) => block === null && lostHeight !== null)
  if (lost.length === 0) return new Set()
  const hashes = [...new Set(lost.map(({ txnHash }) => txnHash))]
  const taken = new Set(await selectTakenUpTo(tx, { chainId, hashes, upTo }))
  return new Set(lost.filter(({ txnHash }) => taken.has(txnHash)).map(pointKey))
}
