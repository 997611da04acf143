import type { RowVerifier } from '../accounts/row-mac.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readSuspended, suspendToken } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import { creditCoins } from '../transactions/utxo/follow-coins.ts'
import { raiseAlert } from '../journal/raise-alert.ts'
import { post } from '../ledger/post.ts'
import { confirmed, held, setAside } from '../ledger/posting.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import { appendBalanceEvents } from './balance-events.ts'
import { type Deposit, MOVES } from './deposit.ts'
import { NOT_GENUINE, attributeAnew, tamperedAmong } from './genuine.ts'
import { type MinimumSplit, splitByMinimum } from './minimum.ts'
import { depositPayload } from './payload.ts'
import { releasedAmong } from './released.ts'
import { lockBelowMinimum, lockStanding, moveRows } from './rows.ts'
import { SUSPENDED, type Verdict } from './verdict.ts'
import { iso } from '../base/clock.ts'

export interface Judged {
  deposit: Deposit
  verdict: Verdict
}

/**
 * Moves judged deposits on: credited ones to Confirmed (or BelowMinimum, until what arrived adds
 * up), doubtful ones to Held, and so those whose token was suspended meanwhile. A deposit that
 * moved or changed its block since it was judged is left for the next time. Those of `fresh` were
 * recorded and booked as Confirmed by this very transaction, and are told with the others. Answers
 * with how many moved.
 */
export async function confirmDeposits(
  tx: Tx,
  given: {
    serviceKey: RowVerifier
    catalogue: Catalogue
    chainId: Deposit['chainId']
    tip: BlockRef
    judged: readonly Judged[]
    fresh?: readonly Deposit[]
  },
): Promise<number> {
  const { fresh = [] } = given
  if (given.judged.length + fresh.length === 0) return 0
  const standing = await withGenuine(tx, given.serviceKey, await stillAsJudged(tx, given.judged))
  const good = standing.filter(({ verdict }) => verdict.credit).map(({ deposit }) => deposit)
  const moved = await creditDeposits(tx, { ...given, good, fresh })
  for (const { deposit, verdict } of standing) {
    if (!verdict.credit) await holdDeposit(tx, { ...given, deposit, verdict })
  }
  return moved + standing.length - good.length
}

/** Nothing is credited to an account whose row is changed, whoever released the deposit. */
async function withGenuine(
  tx: Tx,
  serviceKey: RowVerifier,
  judged: readonly Judged[],
): Promise<Judged[]> {
  const good = judged.filter(({ verdict }) => verdict.credit).map(({ deposit }) => deposit)
  const tampered = await tamperedAmong(tx, serviceKey, good)
  const proved: Judged[] = []
  for (const one of judged) {
    const { deposit } = one
    if (!tampered.has(deposit.id)) proved.push(one)
    else {
      // Released after the repair, it goes to the account that its address has.
      const mended = deposit.cleared ? await attributeAnew(tx, serviceKey, deposit) : null
      proved.push(mended === null ? { deposit, verdict: NOT_GENUINE } : { ...one, deposit: mended })
    }
  }
  return proved
}

async function stillAsJudged(tx: Tx, judged: readonly Judged[]): Promise<Judged[]> {
  if (judged.length === 0) return []
  const deposits = judged.map(({ deposit }) => deposit)
  const [standing, suspended] = await Promise.all([lockStanding(tx, deposits), readSuspended(tx)])
  const byId = new Map(standing.map((row) => [row.id, row]))
  const isStanding = ({ deposit }: Judged) => {
    const row = byId.get(deposit.id)
    return row?.status === 'Detected' && row.blockHash === deposit.block.hash
  }
  return withoutSuspended(tx, judged.filter(isStanding), suspended)
}

/**
 * What was judged good is held where its token is suspended by now, be it by the commit before this
 * one or since the audit let it go (E08). What an operator let go is credited.
 */
async function withoutSuspended(
  tx: Tx,
  judged: readonly Judged[],
  suspended: ReadonlySet<string>,
): Promise<Judged[]> {
  const isDoubted = ({ deposit, verdict }: Judged) =>
    verdict.credit && suspended.has(deposit.tokenId)
  const cleared = judged.filter(isDoubted).filter(({ deposit }) => deposit.cleared)
  const released = await releasedAmong(
    tx,
    cleared.map(({ deposit }) => deposit),
  )
  return judged.map((one) =>
    isDoubted(one) && !released.has(one.deposit.id) ? { ...one, verdict: SUSPENDED } : one,
  )
}

async function creditDeposits(
  tx: Tx,
  given: Credit & { good: readonly Deposit[] },
): Promise<number> {
  const { good, fresh } = given
  if (good.length + fresh.length === 0) return 0
  await bookSplit(tx, given, await splitGood(tx, given))
  return good.length + fresh.length
}

/** At which tip it is credited, and what was recorded as Confirmed by the same transaction. */
interface Credit {
  catalogue: Catalogue
  chainId: Deposit['chainId']
  tip: BlockRef
  fresh: readonly Deposit[]
}

/** Moves, books and tells what is credited, and moves and books what is set aside. */
export async function bookSplit(tx: Tx, given: Credit, split: MinimumSplit): Promise<void> {
  // While the database books, what is told of it is put together.
  await Promise.all([
    post(tx, [...split.setAside.map(setAside), ...split.credited.map(confirmed)]),
    moveAndTell(tx, given, split),
  ])
}

async function moveAndTell(tx: Tx, given: Credit, split: MinimumSplit): Promise<void> {
  const { catalogue, chainId, tip, fresh } = given
  await moveRows(tx, { deposits: split.setAside, move: MOVES.setAside })
  const moved = await moveRows(tx, { deposits: split.credited, move: MOVES.confirm, tip })
  const credited = [...moved, ...fresh]
  await creditCoins(tx, { chainId, arrivals: credited })
  for (const deposit of credited) {
    const token = catalogue.summary(deposit.tokenId)
    const payload = depositPayload(deposit, { token, tipHeight: tip.height })
    appendEvent(tx, {
      orgId: deposit.orgId,
      type: 'deposit.confirmed',
      subjectId: deposit.id,
      payload: { ...payload, confirmedAt: iso(deposit.confirmedAt ?? tx.clock.now()) },
    })
  }
  await appendBalanceEvents(tx, { catalogue, reason: 'deposit', deposits: credited })
}

async function splitGood(
  tx: Tx,
  given: { catalogue: Catalogue; chainId: Deposit['chainId']; good: readonly Deposit[] },
): Promise<MinimumSplit> {
  const { catalogue, chainId, good } = given
  if (good.length === 0) return { credited: [], setAside: [] }
  const minimumOf = (tokenId: string) => catalogue.token(tokenId)?.minimumAmount ?? 1n
  const waiting = await lockBelowMinimum(tx, { chainId, deposits: good })
  return splitByMinimum({ arriving: good, waiting, minimumOf })
}

/** A doubtful deposit stands under `held` until an operator or the audit lets it go. */
async function holdDeposit(
  tx: Tx,
  given: {
    catalogue: Catalogue
    tip: BlockRef
    deposit: Deposit
    verdict: Exclude<Verdict, { credit: true }>
  },
): Promise<void> {
  const { deposit, verdict, catalogue, tip } = given
  await post(tx, [held(deposit)])
  const [row] = await moveRows(tx, { deposits: [deposit], move: MOVES.hold, cause: verdict.cause })
  if (row === undefined) return
  const token = catalogue.summary(deposit.tokenId)
  const payload = depositPayload(row, { token, tipHeight: tip.height })
  appendEvent(tx, {
    orgId: deposit.orgId,
    type: 'deposit.held',
    subjectId: deposit.id,
    payload: { ...payload, reason: verdict.cause },
  })
  await raiseAlert(tx, {
    code: 'deposit.held',
    subject: deposit.id,
    message: `A deposit to ${deposit.address} is held: ${verdict.cause}.`,
    details: { chainId: deposit.chainId, tokenId: deposit.tokenId, txnHash: deposit.txnHash },
  })
  if (!verdict.suspendToken) return
  const { tokenId, chainId } = deposit
  await suspendToken(tx, { tokenId, chainId, cause: verdict.cause })
  await raiseAlert(tx, {
    code: 'token.suspended',
    subject: tokenId,
    message: `The token ${tokenId} is suspended: ${verdict.cause}.`,
    details: { txnHash: deposit.txnHash },
  })
}
