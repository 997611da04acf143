import { maySpend, readChainState } from '../catalogue/chain-state.ts'
import { raisedTo } from '../chains/named-rate.ts'
import type { Address } from '../chains/port.ts'
import { type FeeRate, hasExpired } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import { assertLease } from '../store/lease.ts'
import { broadcastStored } from './core/broadcast.ts'
import type { SpendDeps } from './core/payment-request.ts'
import { selectSendersAmong } from './core/sender-rows.ts'
import type { Sender } from './core/sender.ts'
import { selectSpeedUps } from './core/speed-up-rows.ts'
import { selectUnmined } from './core/spend-rows.ts'
import type { Spend } from './core/spend.ts'
import { selectTransactions } from './core/transaction-rows.ts'
import type { SpendTransaction } from './core/transaction.ts'
import { bumpSpend } from './nonce/bump.ts'
import { fillHoles } from './nonce/fill.ts'
import { numbersOf } from './nonce/numbers-of.ts'
import { bumpCoins } from './utxo/bump-coins.ts'

/** The first in line of a sender is handed to the nodes again after so many blocks. */
const AGAIN_AFTER_BLOCKS = 3

/** Senders looked after at once. */
const LANES = 8

/** Counts of one round. */
export interface Resent {
  again: number
  bumped: number
  filled: number
}

/** When spends are replaced, and where the chain is. */
interface ResendRules {
  /** Blocks after which the first in line is replaced. */
  bumpAfterBlocks: number
  /** Our tip. */
  height: number
  /** Highest block of ours that is final; null if unknown. */
  final: number | null
}

/** A spend that no block has, and all that was signed for it. */
interface Waiting {
  spend: Spend
  last: SpendTransaction
  /** Whether a user asked to replace it without the wait. */
  isRequested: boolean
}

/**
 * Looks after unmined spends, sender by sender. Rebroadcasts at once bytes that no node knows, to
 * close gaps in the nonces (W15), and the first in line after a few blocks; after `bumpAfterBlocks`
 * replaces the first by one with a higher fee under the same nonce (W18), without that wait if a
 * user requested it. Bytes that all nodes refused for a named fee rate are replaced in the next
 * round, within the caps. Nonces that the chain has passed are left to the scanner, whatever nodes
 * answer (W14, W19). Skips halted senders and chains that are not running. Throws an Outage if no
 * node answers.
 */
export async function resendSpends(deps: SpendDeps, rules: ResendRules): Promise<Resent> {
  const lines = await deps.database.transaction((tx) => readLines(tx, deps))
  const resent = { again: 0, bumped: 0, filled: 0 }
  const queue = [...lines]
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (deps.term?.aborted) return
      const [sender, waiting] = next
      const tended = await tendLine(deps, rules, { sender, waiting })
      resent.again += tended.again
      resent.bumped += tended.bumped
      resent.filled += tended.filled
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return resent
}

async function readLines(
  tx: Tx,
  { lease, entry }: SpendDeps,
): Promise<Map<Sender, readonly Waiting[]>> {
  await assertLease(tx, lease)
  const chainId = entry.id
  const lines = new Map<Sender, readonly Waiting[]>()
  const state = await readChainState(tx, chainId)
  const spends = maySpend(state) ? await selectUnmined(tx, { chainId }) : []
  if (spends.length === 0) return lines
  const last = new Map<string, SpendTransaction>()
  const named = new Set(spends.map(({ txnHash }) => txnHash))
  for (const one of await selectTransactions(tx, spends)) {
    // The current transaction is rebroadcast, even if another was signed after it.
    if (!named.has(last.get(one.spendId)?.txnHash ?? '')) last.set(one.spendId, one)
  }
  const requested = new Set((await selectSpeedUps(tx, spends)).map(({ txnHash }) => txnHash))
  const addresses = [...new Set(spends.map(({ sender }) => sender))]
  for (const sender of await selectSendersAmong(tx, { chainId, addresses })) {
    if (sender.haltedAt !== null) continue
    lines.set(sender, lineOf(sender.address, { spends, last, requested }))
  }
  return lines
}

/** The unmined spends of a chain, with their current transactions by spend. */
interface Unmined {
  spends: readonly Spend[]
  last: ReadonlyMap<string, SpendTransaction>
  /** Hashes of the transactions to be replaced without a wait. */
  requested: ReadonlySet<string>
}

/** By nonce, lowest first. */
function lineOf(address: Address, { spends, last, requested }: Unmined): Waiting[] {
  return spends
    .filter(({ sender }) => sender === address)
    .flatMap((spend) => {
      const transaction = last.get(spend.id)
      if (transaction === undefined) return []
      return [{ spend, last: transaction, isRequested: requested.has(transaction.txnHash) }]
    })
}

async function tendLine(
  deps: SpendDeps,
  rules: ResendRules,
  { sender, waiting }: { sender: Sender; waiting: readonly Waiting[] },
): Promise<Resent> {
  const { height, final, bumpAfterBlocks } = rules
  const { line, latest, isUnknown } = await orderLine(deps, { sender, waiting })
  const bump = deps.entry.paymentModel === 'utxo' ? bumpCoins : bumpSpend
  const resent = { again: 0, bumped: 0, filled: 0 }
  if (line.length === 0) return resent
  const highest = line.findLast(({ spend }) => !spend.ticket)?.spend.nonce
  if (latest !== null && highest !== undefined) {
    resent.filled = await fillHoles(deps, { sender, from: latest, to: highest })
  }
  let current: FeeRate | null = null
  for (const { spend, last, isRequested } of line) {
    if (deps.term?.aborted) break
    const isFirst = latest === null || spend.ticket || spend.nonce === latest
    const named = deps.adapter.rateNamed(last.terms, last.lastAnswer)
    const after = isRequested ? 0 : bumpAfterBlocks
    if (named !== null || isStuck(last, { isFirst, bumpAfterBlocks: after, height, final })) {
      current ??= await deps.adapter.feeRate()
      const rate = named === null ? current : raisedTo(current, named)
      const replacing = { spend, last, rate, named, patience: bumpAfterBlocks }
      if (await bump(deps, replacing)) {
        resent.bumped += 1
        continue
      }
    }
    if (!isUnknown(spend) && !isDue(last, { isFirst, height })) continue
    if (await broadcastStored(deps, { ...last, height }, 'resend')) resent.again += 1
  }
  return resent
}

/** The unmined spends of a sender, with the chain's and the nodes' progress. */
interface Line {
  line: readonly Waiting[]
  /** The next nonce on the chain; null without nonces. */
  latest: number | null
  /** Whether no node seems to know a transaction under the number of a spend. */
  isUnknown: (spend: Spend) => boolean
}

async function orderLine(
  deps: SpendDeps,
  { sender, waiting }: { sender: Sender; waiting: readonly Waiting[] },
): Promise<Line> {
  const { adapter, entry } = deps
  if (entry.accountNumbers === 'none')
    return { line: waiting, latest: null, isUnknown: () => false }
  const { latest, pending } = await numbersOf(deps, sender.address)
  // Spends with a ticket have no order.
  const line = waiting.filter(({ spend }) => spend.ticket || spend.nonce >= latest)
  const hasTickets = line.some(({ spend }) => spend.ticket)
  const account =
    hasTickets && adapter.paymentModel === 'ticket'
      ? await adapter.accountState(sender.address)
      : null
  const unused = new Set(account?.tickets)
  const isUnknown = ({ nonce, ticket }: Spend) => (ticket ? unused.has(nonce) : nonce >= pending)
  return { line, latest, isUnknown }
}

/**
 * Whether a replacement is due: for the first in line after some blocks; for bytes that expire once
 * their last block was scanned and none includes them.
 */
function isStuck(last: SpendTransaction, chain: ResendRules & { isFirst: boolean }): boolean {
  const { isFirst, bumpAfterBlocks, height } = chain
  const expired = hasExpired(last.terms, chain)
  if (expired !== null) return expired
  return isFirst && height - last.signedHeight >= bumpAfterBlocks
}

/** Whether bytes go out again: never handed over, or long ago and still first. */
function isDue(
  last: SpendTransaction,
  { isFirst, height }: { isFirst: boolean; height: number },
): boolean {
  if (last.broadcastHeight === null) return true
  return isFirst && height - last.broadcastHeight >= AGAIN_AFTER_BLOCKS
}
