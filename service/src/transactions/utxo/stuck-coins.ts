import type { ChainId } from '@sluice/wire'
import { assert, Bug } from '../../base/assert.ts'
import type { Decoded, Intent } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { selectPaying } from '../core/foreign-rows.ts'
import { type LockedSender, lockSender } from '../core/lock-sender.ts'
import { jointIntent, type Payment, type SpendDeps } from '../core/payment-request.ts'
import type { Replacing } from '../core/replacing.ts'
import { SpendMismatch } from '../core/mismatch.ts'
import { lockSpends } from '../core/spend-rows.ts'
import type { Spend } from '../core/spend.ts'
import { selectSubjects } from '../core/subject-rows.ts'
import { selectTransactions } from '../core/transaction-rows.ts'
import type { SpendTransaction } from '../core/transaction.ts'
import { coinsAt } from './coin-rows.ts'
import { isFree, type OwnCoin, pointKey } from './coin.ts'
import { type Input, selectInputs, selectSpenders } from './input-rows.ts'
import { sharedInputsOf } from './judge-coins.ts'
import { missingAmong } from './missing-coins.ts'

/** A Bitcoin spend that no block includes, read from its signed bytes. */
export interface StuckCoins {
  lockedSender: LockedSender
  spend: Spend
  payments: readonly Payment[]
  /** All transactions that were signed for the spend, oldest first. */
  signed: readonly SpendTransaction[]
  /** Whether it consolidates: its first transaction has several inputs. A child has one. */
  isJoining: boolean
  inputs: StuckInputs
  bytes: StuckBytes
}

/** Coins of the spend; sets hold `pointKey` texts. */
interface StuckInputs {
  /** Inputs of the transaction signed last. */
  coins: readonly OwnCoin[]
  /** Inputs that a replacement must do without. */
  gone: ReadonlySet<string>
  /** Inputs of every transaction of the spend; never empty. */
  shared: ReadonlySet<string>
  /** Reserved inputs of its other transactions that may be spent again. */
  others: readonly OwnCoin[]
}

/** Contents of the transaction signed last. */
interface StuckBytes {
  intent: Intent
  fee: bigint
  vsize: number
  /** Our change output; null without change. */
  change: OwnCoin | null
}

/**
 * Locks the sender and reads from its signed bytes what a Bitcoin transaction pays. Null if no
 * replacement is needed or allowed now: a block includes it, its inputs were spent by others, a
 * lost input may return soon, or a payment of ours depends on its change. Throws SpendMismatch if
 * rows and bytes differ.
 */
export async function readStuck(
  tx: Tx,
  deps: SpendDeps,
  { spend, last, patience }: Pick<Replacing, 'spend' | 'last' | 'patience'>,
): Promise<StuckCoins | null> {
  const lockedSender = await lockSender(tx, deps, spend.sender)
  if ('outcome' in lockedSender) return null
  deps.crash?.('bump.locked')
  const [now] = await lockSpends(tx, [spend])
  if (now?.state !== 'Sent' || now.txnHash !== last.txnHash) return null
  const { chainId } = now
  const recorded = await selectInputs(tx, [now])
  const known = await coinsAt(tx, { chainId, points: recorded })
  const shared = new Set(sharedInputsOf(recorded).get(now.id)?.map(pointKey))
  if (await areSpentByOthers(tx, known, { chainId, shared })) return null
  const { coins, others } = split(known, recorded, last)
  const { height } = lockedSender
  const { gone, isWaiting } = await missingAmong(tx, { chainId, coins, height, patience })
  if (isWaiting) return null
  const signed = await selectTransactions(tx, [now])
  if (gone.size > 0) proveInputs(deps, { signed, recorded, known })
  else if (await hasDependents(tx, { chainId, signed })) return null
  const payments = await selectSubjects(tx, now)
  const bytes = readBytes(deps, { spend: now, last, coins, payments })
  const reusable = others.filter((coin) => {
    return coin.spendId === now.id && isFree({ ...coin, spendId: null })
  })
  const inputs = { coins, gone, shared, others: reusable }
  const first = recorded.filter(({ spentBy }) => spentBy === signed[0]?.txnHash)
  const isJoining = now.purpose === 'consolidation' && first.length > 1
  return { lockedSender, spend: now, payments, signed, isJoining, inputs, bytes }
}

/** Rows of a spend's inputs, and the coins that they name. */
interface Recorded {
  recorded: readonly Input[]
  known: readonly OwnCoin[]
}

/** Signed bytes, and what the rows say that they spend and pay. */
interface StoredBytes {
  spend: Spend
  last: SpendTransaction
  coins: readonly OwnCoin[]
  payments: readonly Payment[]
}

/** Before inputs are left out, the input rows must equal the signed bytes. */
function proveInputs(
  { adapter }: SpendDeps,
  { signed, recorded, known }: Recorded & { signed: readonly SpendTransaction[] },
): void {
  for (const one of signed) {
    const { coins } = split(known, recorded, one)
    const { txnHash } = decodeOwn(adapter, { last: one, coins })
    if (txnHash !== one.txnHash) {
      throw new SpendMismatch('stored transaction was altered', { txnHash, row: one.txnHash })
    }
  }
}

/**
 * Whether others have spent a shared input, or any input to pay the same recipients: the spend's
 * outcome must be decided first.
 */
async function areSpentByOthers(
  tx: Tx,
  coins: readonly OwnCoin[],
  { chainId, shared }: { chainId: ChainId; shared: ReadonlySet<string> },
): Promise<boolean> {
  const taken = coins.filter(({ spent }) => spent !== null)
  if (taken.length === 0) return false
  if (taken.some((coin) => shared.has(pointKey(coin)))) return true
  const hashes = taken.map(({ spent }) => spent?.txnHash ?? '')
  return (await selectPaying(tx, { chainId, hashes })).length > 0
}

/** Inputs of one transaction, and those of the spend's other transactions only. */
function split(known: readonly OwnCoin[], inputs: readonly Input[], last: SpendTransaction) {
  const points = inputs.filter(({ spentBy }) => spentBy === last.txnHash).map(pointKey)
  const own = new Set(points)
  return {
    coins: known.filter((coin) => own.has(pointKey(coin))),
    others: known.filter((coin) => !own.has(pointKey(coin))),
  }
}

async function hasDependents(
  tx: Tx,
  { chainId, signed }: { chainId: ChainId; signed: readonly SpendTransaction[] },
): Promise<boolean> {
  const resting = await lockSpends(tx, await selectSpenders(tx, { chainId, coins: signed }))
  return resting.some(({ state }) => state !== 'Displaced')
}

function readBytes(
  { adapter }: SpendDeps,
  { spend, last, coins, payments }: StoredBytes,
): StuckBytes {
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
  if (!same) throw new SpendMismatch('stored spend was altered', { spend, decoded, payments })
  assert(vsize !== undefined, 'transaction has no size', { id: spend.id })
  const intent = jointIntent({ chainId, tokenId, from }, payments)
  if (returned === undefined) return { intent, fee: decoded.maxFee, vsize, change: null }
  const point = { txnHash: last.txnHash, vout: payments.length }
  const coin = { ...point, address: from, amount: returned.amount, orgId, chainId }
  const nowhere = { block: null, lostHeight: null, spendId: null, spent: null }
  const change = { ...coin, ...nowhere, place: 'settlement', spendable: true } as const
  return { intent, fee: decoded.maxFee, vsize, change }
}

/** Decodes bytes for exactly these coins; bytes that our keys did not sign are a mismatch. */
function decodeOwn(
  adapter: SpendDeps['adapter'],
  { last, coins }: { last: SpendTransaction; coins: readonly OwnCoin[] },
): Decoded {
  try {
    return adapter.decode(last.raw, coins)
  } catch (error) {
    if (!(error instanceof Bug)) throw error
    const { txnHash } = last
    throw new SpendMismatch('stored bytes were not signed by our keys', {
      txnHash,
      reason: error.message,
    })
  }
}
