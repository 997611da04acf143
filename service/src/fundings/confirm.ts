import { readBaseAccount } from '../accounts/base-account.ts'
import type { RowVerifier } from '../accounts/row-mac.ts'
import { raiseTampered, tamperedWatch } from '../accounts/tampered.ts'
import { matchAddresses } from '../accounts/watch.ts'
import { assert } from '../base/assert.ts'
import { type ChainEntry, depositPlace } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { watchScope } from '../catalogue/scope.ts'
import { readSuspended, suspendToken } from '../catalogue/token-check.ts'
import { creditCoins } from '../transactions/utxo/follow-coins.ts'
import { NOT_GENUINE } from '../deposits/genuine.ts'
import { SUSPENDED, type Verdict } from '../deposits/verdict.ts'
import { raiseAlert } from '../journal/raise-alert.ts'
import { CLAIM } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import { post } from '../ledger/post.ts'
import { fundingConfirmed, fundingHeld } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import { appendFundingEvent } from './balance-event.ts'
import { type Funding, MOVES, splitOf } from './funding.ts'
import { movedOf } from './moved.ts'
import { lockByIds, moveRow } from './rows.ts'

export interface JudgedFunding {
  funding: Funding
  verdict: Verdict
}

/**
 * Moves judged fundings on: good ones become available, or gas, or in parts both, and are told with
 * `balance.updated`; doubtful ones are held, and so those whose token was suspended meanwhile. One
 * that moved or changed its block since it was judged is left for the next time. Answers with how
 * many moved.
 */
export async function confirmFundings(
  tx: Tx,
  {
    serviceKey,
    catalogue,
    entry,
    judged,
  }: {
    serviceKey: RowVerifier
    catalogue: Catalogue
    entry: ChainEntry
    judged: readonly JudgedFunding[]
  },
): Promise<number> {
  if (judged.length === 0) return 0
  const locked = await lockByIds(
    tx,
    judged.map(({ funding }) => funding.id),
  )
  const suspended = await readSuspended(tx)
  const tampered = await tamperedAmong(tx, { serviceKey, entry }, locked)
  let moved = 0
  for (const { funding, verdict } of judged) {
    const now = locked.find(({ id }) => id === funding.id)
    if (now?.status !== 'Detected' || now.block.hash !== funding.block.hash) continue
    if (tampered.has(now.id)) await hold(tx, now, NOT_GENUINE)
    else if (!verdict.credit) await hold(tx, now, verdict)
    else if (suspended.has(now.tokenId) && !now.cleared) await hold(tx, now, SUSPENDED)
    else await credit(tx, catalogue, now)
    moved += 1
  }
  return moved
}

/** Ids of those whose own address is not as the service wrote it; raises the alert for each. */
async function tamperedAmong(
  tx: Tx,
  { serviceKey, entry }: { serviceKey: RowVerifier; entry: ChainEntry },
  fundings: readonly Funding[],
): Promise<ReadonlySet<string>> {
  const asked = { scope: watchScope(entry), addresses: fundings.map(({ address }) => address) }
  const watched = await matchAddresses(tx, serviceKey, asked)
  const wrong = fundings.filter(({ address, orgId, purpose }) => {
    const own = watched.get(address)
    return own?.proof !== 'genuine' || own.orgId !== orgId || own.purpose !== purpose
  })
  await raiseTampered(tx, wrong.map(tamperedWatch))
  return new Set(wrong.map(({ id }) => id))
}

async function credit(tx: Tx, catalogue: Catalogue, funding: Funding): Promise<void> {
  const { gas, available } = splitOf(funding, await shortOf(tx, funding))
  const booked = available > 0n ? 'available' : 'gas'
  const parts = [
    { amount: gas, claim: CLAIM.gas },
    { amount: available, claim: CLAIM.available },
  ].filter(({ amount }) => amount > 0n)
  const moved = movedOf(funding)
  await post(
    tx,
    parts.map(({ amount, claim }) => fundingConfirmed({ ...moved, amount }, claim)),
  )
  const setApart = booked === 'available' ? gas : 0n
  const now = await moveRow(tx, { funding, move: MOVES.confirm, booked, setApart })
  assert(now, 'a locked funding that was not to be confirmed', { id: funding.id })
  await creditCoins(tx, { chainId: funding.chainId, arrivals: [funding] })
  await appendFundingEvent(tx, { catalogue, funding: now, sign: 1n })
}

/**
 * What an account that all users of an organization share is to keep apart and does not; nothing
 * where no account is shared, null where nobody has asked the chain yet.
 */
async function shortOf(tx: Tx, { orgId, chainId, tokenId }: Funding): Promise<bigint | null> {
  if (depositPlace(chainId) !== 'settlement') return 0n
  const base = await readBaseAccount(tx, { orgId, chainId })
  if (base === null || base.keep === null) return null
  const gas = await readBalance(tx, { orgId, chainId, tokenId, account: CLAIM.gas })
  const short = base.keep - gas
  return short > 0n ? short : 0n
}

async function hold(
  tx: Tx,
  funding: Funding,
  { cause, suspendToken: isLying }: Exclude<Verdict, { credit: true }>,
): Promise<void> {
  const { id, address, chainId, tokenId, txnHash } = funding
  await post(tx, [fundingHeld(movedOf(funding))])
  await moveRow(tx, { funding, move: MOVES.hold, booked: 'held', cause })
  await raiseAlert(tx, {
    code: 'funding.held',
    subject: id,
    message: `Money that reached ${address} is held: ${cause}.`,
    details: { chainId, tokenId, txnHash },
  })
  if (!isLying) return
  await suspendToken(tx, { tokenId, chainId, cause })
  await raiseAlert(tx, {
    code: 'token.suspended',
    subject: tokenId,
    message: `The token ${tokenId} is suspended: ${cause}.`,
    details: { txnHash },
  })
}
