import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { type ChainEntry, nativeTokenId } from '../catalogue/chains.ts'
import { suspendWithAlert } from '../alerts/suspend-token.ts'
import type { Address, Block, Transfer } from '../chains/port.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { CLAIM } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import { feePaid } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import type { SpendPoint } from './core/crash-points.ts'
import type { MatchedTransaction, HooksByPurpose } from './core/hooks.ts'
import { isInBlock, selectForeign, upsertForeign } from './core/foreign-rows.ts'
import { haltSender } from './core/halt.ts'
import { recordOwnTransaction } from './core/own.ts'
import { hasSenders, selectSendersAmong } from './core/sender-rows.ts'
import { placeKindOf, type Sender } from './core/sender.ts'
import { postShown } from './core/shown.ts'
import { concludeRow, includeRow, lockNonce, lockSpends, selectUnmined } from './core/spend-rows.ts'
import { isConcluded, type Spend } from './core/spend.ts'
import { selectSpendIds } from './core/transaction-rows.ts'
import { gainTickets } from './ticket/gain-tickets.ts'
import { bookCoinSpend, coinSpendOf } from './utxo/book-coins.ts'
import { matchCoins, twinOfCoins } from './utxo/match-coins.ts'

/** An alert names at most so many transactions; `sluice sender list` names all. */
const NAMED_MAX = 100

interface Following {
  entry: ChainEntry
  blocks: readonly Block[]
  hooks: HooksByPurpose
  crash?: ((point: SpendPoint) => void) | undefined
}

/**
 * Finds our spends in these blocks, in the commit that connects them: each becomes `Included`, its
 * fee is posted and its hook is called. Any transaction ever signed for a spend counts (W18). A
 * transaction of our sender that we did not sign or have forgotten halts the sender (W19, W25).
 * Returns the number of spends found.
 */
export async function trackSpends(tx: Tx, following: Following): Promise<number> {
  const matches = await matchSpends(tx, following)
  let found = 0
  for (const matched of matches) {
    const { spend } = matched
    found +=
      spend === null
        ? await handleUnknown(tx, following, matched)
        : await includeOwn(tx, following, { ...matched, spend })
  }
  if (found > 0) following.crash?.('track.tracked')
  return found
}

/** In the order of the chain. */
async function matchSpends(tx: Tx, { entry, blocks }: Following): Promise<MatchedTransaction[]> {
  const chainId = entry.id
  const outcomes = blocks.flatMap(({ transactions }) => transactions)
  // Without senders the search is skipped; this speeds up catching up.
  if (outcomes.length === 0 || !(await hasSenders(tx, chainId))) return []
  if (entry.paymentModel === 'utxo') return matchCoins(tx, { entry, blocks })
  const named = outcomes.flatMap(({ sender }) => (sender === '' ? [] : [sender]))
  const addresses = [...new Set(named)]
  const senders = new Map<string, Sender>()
  for (const one of await selectSendersAmong(tx, { chainId, addresses })) {
    senders.set(one.address, one)
  }
  const ours = outcomes.filter(({ sender }) => senders.has(sender))
  if (ours.length === 0) return []
  const hashes = ours.map(({ txnHash }) => txnHash)
  const keys = await selectSpendIds(tx, { chainId, hashes })
  const spends = new Map((await lockSpends(tx, [...keys.values()])).map((one) => [one.id, one]))
  return blocks.flatMap((block) =>
    block.transactions
      .filter(({ sender }) => senders.has(sender))
      .flatMap((outcome, rank): MatchedTransaction[] => {
        const sender = senders.get(outcome.sender)
        const spend = spends.get(keys.get(outcome.txnHash)?.id ?? '') ?? null
        return sender === undefined ? [] : [{ block, rank, outcome, sender, spend }]
      }),
  )
}

/** Its spend is read again: one before it in the same blocks may have paid in its place. */
async function includeOwn(
  tx: Tx,
  following: Following,
  matched: MatchedTransaction & { spend: Spend },
): Promise<number> {
  const [spend] = await lockSpends(tx, [matched.spend])
  assert(spend, 'locked spend is missing', { id: matched.spend.id })
  return (await include(tx, following, { ...matched, spend })) ? 1 : 0
}

async function include(
  tx: Tx,
  { entry, hooks, crash }: Following,
  matched: MatchedTransaction & { spend: Spend },
): Promise<boolean> {
  const { block, rank, outcome, sender, spend } = matched
  if (spend.block !== null && spend.txnHash !== outcome.txnHash) {
    return recordSecond(tx, entry, { ...matched, spend })
  }
  // Scanning that begins again from below reads blocks twice.
  if (spend.block?.hash === block.hash) return concludeReread(tx, { entry, hooks }, matched)
  assert(spend.block === null, 'spend is in two blocks', { spend, block: block.hash })
  if (spend.state === 'Displaced') return raiseReturned(tx, spend)
  const transfers = transfersOf(matched)
  const succeeded = verdictOn(entry, matched)
  const { txnHash, fee } = outcome
  const at = { height: block.height, hash: block.hash, time: block.time }
  const now = await includeRow(tx, { spend, txnHash, succeeded, fee, block: at, rank })
  assert(now, 'locked spend cannot be included', { spend })
  if (entry.paymentModel === 'utxo')
    await bookCoinSpend(tx, coinSpendOf(now, nativeTokenId(entry), at))
  await bookFee(tx, entry, { spend: now, sender, fee, height: block.height })
  await resolveAlert(tx, { code: 'spend.stuck', subject: spend.id })
  await gainTickets(tx, now)
  if (now.txnHash !== spend.txnHash) await hooks[spend.purpose].onReplaced(tx, now)
  if (isConcluded(now)) {
    const seen = { ...now, transfers, block: at }
    await hooks[spend.purpose].onIncluded(tx, seen)
  } else await raiseUnproven(tx, now, nativeTokenId(entry))
  crash?.('track.included')
  return true
}

/** Transfers of its transaction. */
function transfersOf({ block, outcome }: MatchedTransaction): readonly Transfer[] {
  return block.transfers.filter(({ txnHash }) => txnHash === outcome.txnHash)
}

/** Whether it has paid; null if it should have and the block does not show it. */
function verdictOn(
  entry: ChainEntry,
  matched: MatchedTransaction & { spend: Spend },
): boolean | null {
  const { outcome, spend } = matched
  if (entry.paymentModel === 'utxo' || !outcome.succeeded || spend.amount === 0n)
    return outcome.succeeded
  return shows(transfersOf(matched), spend) ? true : null
}

/**
 * Handles a block that is read again. Changes nothing if the outcome is known. If the block did not
 * show the payment before (a node left it out, or its token was not read), sets the outcome now.
 * The token stays suspended until an operator resumes it.
 */
async function concludeReread(
  tx: Tx,
  { entry, hooks }: Pick<Following, 'entry' | 'hooks'>,
  matched: MatchedTransaction & { spend: Spend },
): Promise<false> {
  const { block, spend } = matched
  const succeeded = spend.state === 'Included' ? verdictOn(entry, matched) : null
  if (spend.succeeded !== null || succeeded === null) return false
  const now = await concludeRow(tx, { spend, succeeded })
  assert(now !== null && isConcluded(now), 'locked spend has an outcome already', { spend })
  const at = { height: block.height, hash: block.hash, time: block.time }
  await hooks[now.purpose].onIncluded(tx, { ...now, transfers: transfersOf(matched), block: at })
  await resolveAlert(tx, { code: 'spend.unproven', subject: spend.id })
  return false
}

/**
 * Whether the block shows the payment of the spend. A sweep may show less than its amount; the
 * sweep hook posts what has moved.
 */
function shows(transfers: readonly Transfer[], spend: Spend): boolean {
  return transfers.some(
    ({ from, to, tokenId, amount }) =>
      from === spend.sender &&
      to === spend.recipient &&
      tokenId === spend.tokenId &&
      (amount === spend.amount || spend.purpose === 'sweep'),
  )
}

/**
 * Posts the fee even if it exceeds the gas claim: after a reorg the claim may fall below zero, as
 * by a reversal.
 */
async function bookFee(
  tx: Tx,
  entry: ChainEntry,
  { spend, sender, fee, height }: { spend: Spend; sender: Sender; fee: bigint; height: number },
): Promise<void> {
  if (fee === 0n) return
  const { orgId, chainId, id: referenceId } = spend
  const tokenId = nativeTokenId(entry)
  const gas = await readBalance(tx, { orgId, chainId, tokenId, account: CLAIM.gas })
  const moved = { orgId, chainId, tokenId, amount: fee, referenceId, blockHeight: height }
  const place = { kind: placeKindOf(sender), address: sender.address }
  await postShown(tx, { ...feePaid(moved, place), reversal: gas < fee })
}

/** It cost us and did not move what it should have: nothing follows until that is understood. */
async function raiseUnproven(tx: Tx, spend: Spend, native: TokenId): Promise<void> {
  const { id: subject, chainId, tokenId, txnHash, purpose, subjectId } = spend
  const message = `${txnHash} succeeded, but its block does not show its transfer.`
  const details = { chainId, tokenId, purpose, subjectId }
  await raiseAlert(tx, { code: 'spend.unproven', subject, message, details })
  if (tokenId === native) return
  const cause = `the transaction ${txnHash} succeeded without its transfer`
  await suspendWithAlert(tx, { tokenId, chainId, cause })
}

/** A reorg reached below a settled block. */
async function raiseReturned(tx: Tx, { id, txnHash, purpose, subjectId }: Spend): Promise<false> {
  const message = `${txnHash} was given up, but a block includes it.`
  const details = { purpose, subjectId }
  await raiseAlert(tx, { code: 'spend.unproven', subject: id, message, details })
  return false
}

/**
 * A block includes a second transaction of a spend, which is possible only on chains without
 * nonces: our own beside a foreign one that counts as ours (W25). It pays no subject.
 */
async function recordSecond(
  tx: Tx,
  entry: ChainEntry,
  matched: MatchedTransaction & { spend: Spend },
): Promise<false> {
  if (!(await wasRead(tx, matched))) {
    await recordForeign(tx, entry, { ...matched, pays: false })
  }
  return false
}

/** Answers with how many spends it turned out to be. */
async function handleUnknown(
  tx: Tx,
  following: Following,
  matched: MatchedTransaction,
): Promise<number> {
  const { entry } = following
  // A block that is read again changes nothing.
  if (await wasRead(tx, matched)) return 0
  const { twin, pays } =
    entry.paymentModel === 'utxo'
      ? await twinOfCoins(tx, matched, entry.id)
      : { twin: await twinOf(tx, matched), pays: false }
  if (twin !== null) return includeTwin(tx, following, { ...matched, spend: twin })
  await recordForeign(tx, entry, { ...matched, pays })
  return 0
}

/**
 * The withdrawal of ours that an unknown transaction pays: it used the nonce and paid the recipient
 * the amount. This happens if a backup is older than a replacement (W25); releasing the amount
 * would pay it twice.
 */
async function twinOf(
  tx: Tx,
  { block, outcome, sender }: MatchedTransaction,
): Promise<Spend | null> {
  if (!outcome.succeeded) return null
  const { chainId, address } = sender
  const { nonce, txnHash } = outcome
  const transfers = block.transfers.filter((one) => one.txnHash === txnHash)
  if (nonce === null) return lockShown(tx, { chainId, sender: address, transfers })
  const spend = await lockNonce(tx, { chainId, sender: address, nonce })
  if (spend?.purpose !== 'withdrawal' || spend.state === 'Displaced') return null
  return shows(transfers, spend) ? spend : null
}

/** Without nonces, the first unmined withdrawal with this payment. */
async function lockShown(
  tx: Tx,
  payment: { chainId: ChainId; sender: Address; transfers: readonly Transfer[] },
): Promise<Spend | null> {
  const waiting = await selectUnmined(tx, payment)
  const meant = waiting.find((one) => one.purpose === 'withdrawal' && shows(payment.transfers, one))
  const [locked] = meant === undefined ? [] : await lockSpends(tx, [meant])
  return locked?.state === 'Sent' ? locked : null
}

/** Counts as the spend's own transaction; an operator must find out who signed it. */
async function includeTwin(
  tx: Tx,
  following: Following,
  matched: MatchedTransaction & { spend: Spend },
): Promise<number> {
  const { outcome, sender, spend, block } = matched
  const { chainId, address, orgId } = sender
  const { txnHash, nonce } = outcome
  if (!(await include(tx, following, matched))) return 0
  await recordOwnTransaction(tx, { chainId, txnHash, orgId, purpose: spend.purpose })
  const message =
    `Block ${block.height} of ${following.entry.name} has ${txnHash}${withNonce(nonce)} of ` +
    `${address}, which is not in our records; it makes the payment of our ${spend.txnHash}.`
  const details = { txnHash, nonce, height: block.height, spendId: spend.id }
  await haltSender(tx, { chainId, address, code: 'spend.foreign', message, details })
  return 1
}

/** Whether the same block had it before: an operator may have looked, and resumed the sender. */
function wasRead(tx: Tx, { block, outcome, sender }: MatchedTransaction): Promise<boolean> {
  const { chainId } = sender
  return isInBlock(tx, { chainId, txnHash: outcome.txnHash, block })
}

/** Posts nothing: the amount shows as a difference until an operator has looked. */
async function recordForeign(
  tx: Tx,
  entry: ChainEntry,
  { block, outcome, sender, spend, pays }: MatchedTransaction & { pays: boolean },
): Promise<void> {
  const { chainId, address, orgId } = sender
  const { txnHash, nonce } = outcome
  const at = { height: block.height, hash: block.hash }
  await upsertForeign(tx, { chainId, txnHash, orgId, sender: address, nonce, pays, block: at })
  const known = await selectForeign(tx, { chainId, sender: address })
  const isForgotten = nonce === null || nonce >= sender.nextNonce
  const code = isForgotten ? 'spend.forgotten' : 'spend.foreign'
  const unknown = isForgotten ? 'which is not in our records' : 'which we did not sign'
  const message =
    `Block ${block.height} of ${entry.name} has ${txnHash}${withNonce(nonce)} of ${address}, ` +
    `${spend === null ? unknown : `beside ${spend.txnHash} for the same payment`}.`
  const all = known.slice(-NAMED_MAX)
  const details = { txnHash, nonce, height: block.height, spendId: spend?.id ?? null, all }
  await haltSender(tx, { chainId, address, code, message, details })
}

function withNonce(nonce: number | null): string {
  return nonce === null ? '' : ` with nonce ${nonce}`
}
