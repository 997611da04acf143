import { readBaseAccount } from '../accounts/base-account.ts'
import type { RowVerifier } from '../accounts/row-mac.ts'
import { type ChainEntry, depositPlace } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import { suspendWithAlert } from '../alerts/suspend-token.ts'
import type { BlockRef } from '../chains/port.ts'
import { CLAIM } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../store/database.ts'
import { creditCoins } from '../transactions/utxo/follow-coins.ts'
import {
  type Deposit,
  type Funding,
  type IncomingTransfer,
  MOVES,
  gasOf,
  isDeposit,
  isFunding,
} from './deposit.ts'
import { emitBalances, emitConfirmed, emitHeld } from './emit.ts'
import { NOT_GENUINE, attributeAnew, tamperedAmong } from './authentic.ts'
import { raiseHeld, releasedAmong } from './hold.ts'
import { type MinimumSplit, splitByMinimum } from './minimum.ts'
import { confirmedPostings, heldPosting, setAsidePosting } from './postings.ts'
import { lockBelowMinimum, lockPresent, moveRows } from './rows.ts'
import { type Doubt, SUSPENDED, type Verdict } from './verdict.ts'

export interface Judged {
  transfer: IncomingTransfer
  verdict: Verdict
}

/** The tip at which transfers are confirmed, and the deposits already recorded as Confirmed. */
interface Confirmation {
  serviceKey: RowVerifier
  catalogue: Catalogue
  entry: ChainEntry
  tip: BlockRef
  judged: readonly Judged[]
  /** Recorded and booked as Confirmed by this transaction; only their events are missing. */
  fresh?: readonly Deposit[]
}

/**
 * Confirms judged transfers. Credited deposits become Confirmed, or BelowMinimum until their sum
 * reaches the minimum; fundings become available, gas, or both in parts. Doubtful transfers are
 * Held, as are those whose token was suspended since the judgement. A transfer that changed its
 * state or block since then is left to the next step. Returns the number of deposits that moved.
 */
export async function confirmTransfers(tx: Tx, confirmation: Confirmation): Promise<number> {
  const { serviceKey, catalogue, entry, tip, judged, fresh = [] } = confirmation
  if (judged.length + fresh.length === 0) return 0
  const unchanged = await stillAsJudged(tx, judged)
  const proved = await withAuthentic(tx, { serviceKey, entry }, unchanged)
  const good = proved.filter(({ verdict }) => verdict.credit).map(({ transfer }) => transfer)
  const credit = { catalogue, chainId: entry.id, tip }
  await creditDeposits(tx, { ...credit, good: good.filter(isDeposit), fresh })
  await creditFundings(tx, { ...credit, fundings: good.filter(isFunding) })
  for (const { transfer, verdict } of proved) {
    if (!verdict.credit) await holdDoubtful(tx, { catalogue, tip }, transfer, verdict)
  }
  return fresh.length + proved.filter(({ transfer }) => isDeposit(transfer)).length
}

async function stillAsJudged(tx: Tx, judged: readonly Judged[]): Promise<Judged[]> {
  if (judged.length === 0) return []
  const transfers = judged.map(({ transfer }) => transfer)
  const [present, suspended] = await Promise.all([lockPresent(tx, transfers), readSuspended(tx)])
  const byId = new Map(present.map((row) => [row.id, row]))
  const isUnchanged = ({ transfer }: Judged) => {
    const row = byId.get(transfer.id)
    return row?.status === 'Detected' && row.blockHash === transfer.block.hash
  }
  return withoutSuspended(tx, judged.filter(isUnchanged), suspended)
}

/** Only an operator's release credits a suspended token. */
async function withoutSuspended(
  tx: Tx,
  judged: readonly Judged[],
  suspended: ReadonlySet<string>,
): Promise<Judged[]> {
  const isDoubted = ({ transfer, verdict }: Judged) =>
    verdict.credit && suspended.has(transfer.tokenId)
  const cleared = judged.filter(isDoubted).filter(({ transfer }) => transfer.cleared)
  const ids = cleared.map(({ transfer }) => transfer.id)
  const released = await releasedAmong(tx, ids)
  return judged.map((item) =>
    isDoubted(item) && !released.has(item.transfer.id) ? { ...item, verdict: SUSPENDED } : item,
  )
}

/** Holds what would be credited to a tampered account or address, even if it was released. */
async function withAuthentic(
  tx: Tx,
  { serviceKey, entry }: { serviceKey: RowVerifier; entry: ChainEntry },
  judged: readonly Judged[],
): Promise<Judged[]> {
  const good = judged.filter(({ verdict }) => verdict.credit).map(({ transfer }) => transfer)
  const tampered = await tamperedAmong(tx, { serviceKey, entry }, good)
  const proved: Judged[] = []
  for (const item of judged) {
    const { transfer } = item
    if (!tampered.has(transfer.id)) proved.push(item)
    else {
      // Released after the repair, it goes to the account that its address has.
      const isMended = isDeposit(transfer) && transfer.cleared
      const mended = isMended ? await attributeAnew(tx, serviceKey, transfer) : null
      proved.push(
        mended === null ? { transfer, verdict: NOT_GENUINE } : { ...item, transfer: mended },
      )
    }
  }
  return proved
}

interface Credit {
  catalogue: Catalogue
  chainId: Deposit['chainId']
  tip: BlockRef
}

async function creditDeposits(
  tx: Tx,
  { good, ...credit }: Credit & { good: readonly Deposit[]; fresh: readonly Deposit[] },
): Promise<void> {
  if (good.length + credit.fresh.length === 0) return
  await bookSplit(tx, credit, await splitGood(tx, credit, good))
}

/** Moves, books and emits what is credited; moves and books what is set aside. */
export async function bookSplit(
  tx: Tx,
  credit: Credit & { fresh: readonly Deposit[] },
  split: MinimumSplit,
): Promise<void> {
  const postings = split.credited.flatMap((deposit) => confirmedPostings(deposit))
  // The events are prepared while the database books.
  await Promise.all([
    post(tx, [...split.setAside.map(setAsidePosting), ...postings]),
    moveAndEmit(tx, credit, split),
  ])
}

async function moveAndEmit(
  tx: Tx,
  { catalogue, chainId, tip, fresh }: Credit & { fresh: readonly Deposit[] },
  split: MinimumSplit,
): Promise<void> {
  await moveRows(tx, { transfers: split.setAside, move: MOVES.setAside })
  const moved = await moveRows(tx, { transfers: split.credited, move: MOVES.confirm, tip })
  const credited = [...moved, ...fresh]
  await creditCoins(tx, { chainId, arrivals: credited })
  for (const deposit of credited) emitConfirmed(tx, catalogue, deposit, tip)
  await emitBalances(tx, { catalogue, reason: 'deposit', transfers: credited })
}

async function splitGood(
  tx: Tx,
  { catalogue, chainId }: Credit,
  good: readonly Deposit[],
): Promise<MinimumSplit> {
  if (good.length === 0) return { credited: [], setAside: [] }
  const minimumOf = (tokenId: string) => catalogue.token(tokenId)?.minimumAmount ?? 1n
  const waiting = await lockBelowMinimum(tx, { chainId, deposits: good })
  return splitByMinimum({ arriving: good, waiting, minimumOf })
}

async function creditFundings(
  tx: Tx,
  { catalogue, chainId, tip, fundings }: Credit & { fundings: readonly Funding[] },
): Promise<void> {
  if (fundings.length === 0) return
  const gas = await gasAmong(tx, fundings)
  await post(
    tx,
    fundings.flatMap((funding) => confirmedPostings(funding, gas.get(funding.id))),
  )
  const moved = await moveRows(tx, { transfers: fundings, move: MOVES.confirm, tip, gas })
  await creditCoins(tx, { chainId, arrivals: moved })
  await emitBalances(tx, { catalogue, reason: 'funding', transfers: moved })
}

/** Base units of each funding that become gas, by id, in order: earlier ones fill the reserve. */
async function gasAmong(tx: Tx, fundings: readonly Funding[]): Promise<Map<string, bigint>> {
  const gas = new Map<string, bigint>()
  const filled = new Map<string, bigint>()
  for (const funding of fundings) {
    const key = `${funding.orgId} ${funding.tokenId}`
    const short = await shortOf(tx, funding, filled.get(key) ?? 0n)
    const part = gasOf(funding, short)
    gas.set(funding.id, part)
    filled.set(key, (filled.get(key) ?? 0n) + part)
  }
  return gas
}

/**
 * Base units that a base account must still keep as gas; 0 on chains without base accounts, null
 * before the chain was asked for its reserve.
 */
async function shortOf(
  tx: Tx,
  { orgId, chainId, tokenId }: Funding,
  filled: bigint,
): Promise<bigint | null> {
  if (depositPlace(chainId) !== 'settlement') return 0n
  const base = await readBaseAccount(tx, { orgId, chainId })
  if (base === null || base.keep === null) return null
  const gas = await readBalance(tx, { orgId, chainId, tokenId, account: CLAIM.gas })
  const short = base.keep - gas - filled
  return short > 0n ? short : 0n
}

/** Holds a doubtful transfer until an operator or the audit releases it. */
async function holdDoubtful(
  tx: Tx,
  { catalogue, tip }: Pick<Credit, 'catalogue' | 'tip'>,
  transfer: IncomingTransfer,
  { cause, suspendToken: isLying }: Doubt,
): Promise<void> {
  await post(tx, [heldPosting(transfer)])
  const [held] = await moveRows(tx, { transfers: [transfer], move: MOVES.hold, cause })
  if (held === undefined) return
  if (isDeposit(held)) emitHeld(tx, catalogue, held, tip)
  await raiseHeld(tx, held)
  if (!isLying) return
  const { tokenId, chainId, txnHash } = held
  await suspendWithAlert(tx, { tokenId, chainId, cause }, { txnHash })
}
