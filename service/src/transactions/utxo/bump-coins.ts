import { payingBy } from '../../chains/chain-adapter.ts'
import { assert } from '../../base/assert.ts'
import { meets } from '../../chains/named-rate.ts'
import type { CoinsReservation } from '../../chains/port.ts'
import {
  type CoinTerms,
  coinTermsAt,
  coinTermsOf,
  feeCapOf,
  type FeeRate,
  priceOf,
  rateWithin,
} from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import type { Stored } from '../core/commit-spend.ts'
import { jointIntent, type SpendDeps } from '../core/payment-request.ts'
import {
  ABOVE_CAP,
  capOf,
  commitReplacement,
  raiseStuck,
  type Replacing,
  Unreplaced,
} from '../core/replacing.ts'
import { reuseSigned, storeReplacement } from '../core/store.ts'
import { chargeFee } from './charge-fee.ts'
import { freeCoins } from './coin-rows.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { insertInputs } from './input-rows.ts'
import { reserveCoins } from './reserve.ts'
import { sendChild } from './send-child.ts'
import { feeOf, signUnique } from './sign-coins.ts'
import { ownCoins } from './store-coins.ts'
import { readStuck, type StuckCoins } from './stuck-coins.ts'

/**
 * Replaces a Bitcoin transaction by one with a higher fee that pays the same and spends all its
 * inputs, so that at most one of them can be included (W18). Adds inputs if the change does not
 * cover the fee. Leaves out inputs that a reorg removed, as long as it shares an input with every
 * earlier transaction (R03). If no replacement is possible, sends a child once. Returns false if
 * neither is possible (with an alert), needed or worth its fee.
 */
export async function bumpCoins(deps: SpendDeps, replacing: Replacing): Promise<boolean> {
  const { spend } = replacing
  const replaced = await commitReplacement(deps, spend, (tx) => replace(tx, deps, replacing))
  if (!(replaced instanceof Unreplaced)) return true
  const { why } = replaced
  if (why === null) return false
  if (why === WHY.noCoins && (await sendChild(deps, replacing))) return true
  return raiseStuck(deps, spend, why)
}

/** Reasons shown to operators (docs/runbooks/stuck-bitcoin-payment.md). */
const WHY = {
  noCoins: 'the balance covers neither a replacement nor a child',
  coinGone: 'one of its inputs left the chain, and free outputs cannot replace it',
  allGone: 'all inputs that its transactions share have left the chain',
} as const

async function replace(tx: Tx, deps: SpendDeps, replacing: Replacing): Promise<Stored> {
  const stuck = await readStuck(tx, deps, replacing)
  if (stuck === null || isTooExpensive(deps, { ...replacing, stuck })) throw new Unreplaced(null)
  const objection = await objectionTo(tx, deps, stuck)
  if (objection !== null) throw new Unreplaced(objection)
  const { lockedSender, spend: now, bytes } = stuck
  const { intent } = bytes
  const { sender, height } = lockedSender
  const { orgId, chainId } = sender
  const { terms, coins, more, change, fee } = await chooseAgain(tx, deps, { ...replacing, stuck })
  const paid = { ...terms, maxFee: fee }
  const { id, purpose } = now
  const signing = {
    id,
    purpose,
    payments: stuck.payments,
    sender,
    intent,
    terms: paid,
    coins,
    change,
  }
  const signed = await signUnique(tx, deps, signing)
  deps.crash?.('bump.signed')
  const { txnHash, raw } = signed
  const known = stuck.signed.find((one) => one.txnHash === txnHash)
  const number = stuck.signed.length + 1
  const storing = { spend: now, number, signed, terms: paid, height }
  const replaced = known
    ? await reuseSigned(tx, deps, { spend: now, known, height })
    : await storeReplacement(tx, deps, storing)
  if (!known) await insertInputs(tx, { orgId, chainId, txnHash, coins })
  await reserveCoins(tx, { orgId, chainId, spendId: now.id, coins: more })
  tx.beforeCommit(async () => deps.crash?.('bump.stored'))
  return { spend: replaced, raw, height }
}

/**
 * The objection of the requesting module to any of the payments. If rows of the shared inputs were
 * deleted, a replacement would pay a second time.
 */
async function objectionTo(
  tx: Tx,
  { hooks, keys: { serviceKey } }: SpendDeps,
  { spend, payments }: StuckCoins,
): Promise<string | null> {
  const { chainId, tokenId, sender: from, purpose } = spend
  for (const payment of payments) {
    const { subjectId, to: recipient, amount } = payment
    const part = { ...spend, subjectId, recipient, amount }
    const intent = jointIntent({ chainId, tokenId, from }, [payment])
    const asked = { spend: part, intent, showsMemo: false, serviceKey }
    const objection = (await hooks[purpose].objection?.(tx, asked)) ?? null
    if (objection !== null) return objection
  }
  return null
}

interface Choosing extends Replacing {
  stuck: StuckCoins
}

/** Contents of a replacement. */
interface Chosen {
  terms: CoinTerms
  coins: readonly OwnCoin[]
  /** Coins that are not reserved yet. */
  more: readonly OwnCoin[]
  change: CoinsReservation['change']
  fee: bigint
}

/** The first way to pay again that the coins and the balance suffice for; throws Unreplaced. */
async function chooseAgain(tx: Tx, deps: SpendDeps, choosing: Choosing): Promise<Chosen> {
  const { stuck, named } = choosing
  const { lockedSender, inputs } = stuck
  const { coins: before, gone, others, shared } = inputs
  const { orgId, chainId } = lockedSender.sender
  const kept = before.filter((coin) => !gone.has(pointKey(coin)))
  if (!kept.some((coin) => shared.has(pointKey(coin)))) throw new Unreplaced(WHY.allGone)
  const free = await freeCoins(tx, { orgId, chainId })
  // A released input is free and still spent by the current bytes.
  const known = new Set(kept.map(pointKey))
  const offered = [...others, ...free].filter((coin) => !known.has(pointKey(coin)))
  for (const chosen of choices(deps, { ...choosing, kept, offered })) {
    if (chosen === null) continue
    if (!meets(chosen.terms, named)) throw new Unreplaced(ABOVE_CAP)
    if (await chargeMore(tx, deps, { stuck, fee: chosen.fee })) return chosen
  }
  throw new Unreplaced(gone.size > 0 ? WHY.coinGone : WHY.noCoins)
}

/** Inputs that a replacement must spend, and those it may. */
interface Offered {
  stuck: StuckCoins
  kept: readonly OwnCoin[]
  offered: readonly OwnCoin[]
}

/**
 * Candidates, in order: the current rate, the highest rate within the cap for this size, the lowest
 * rate above the former one. If an input is gone, pools have probably dropped the former
 * transaction, so the current rate is enough.
 */
function* choices(deps: SpendDeps, choosing: Choosing & Offered): Generator<Chosen | null> {
  const { spend, last, rate, stuck } = choosing
  const absolute = feeCapOf(spend, { ...deps.caps, ...capOf(spend) })
  const dearerAt = (wished: FeeRate) => {
    const terms = deps.adapter.bump(last.terms, wished, { absolute })
    if (terms === null) return null
    return choose(deps, { ...choosing, terms: coinTermsOf(terms), above: stuck.bytes.fee })
  }
  yield dearerAt(rate)
  const least = dearerAt(coinTermsOf(last.terms))
  if (least !== null) yield dearerAt(rateWithin(rate, least))
  yield least
  if (stuck.inputs.gone.size === 0) return
  yield choose(deps, { ...choosing, terms: coinTermsAt(rate, absolute), above: 0n })
}

/**
 * All that is kept of the one before is spent again: with it a coin that every transaction of the
 * spend needs, so that no two of them can ever be included. `above`: the fee to be exceeded.
 */
function choose(
  { adapter }: SpendDeps,
  { stuck, terms, above, kept, offered }: Offered & { terms: CoinTerms; above: bigint },
): Chosen | null {
  const { lockedSender, bytes, inputs } = stuck
  const { intent, vsize } = bytes
  const offer = { coins: offered, change: lockedSender.sender.address }
  const again = { coins: kept, fee: above, vsize }
  const reservation = payingBy(adapter, 'utxo').choose(intent, terms, { ...offer, stuck: again })
  if (reservation === null) return null
  const coins = ownCoins(reservation, [...kept, ...offered])
  const keys = new Set(coins.map(pointKey))
  const isWhole = kept.every((coin) => keys.has(pointKey(coin)))
  const shares = [...inputs.shared].some((key) => keys.has(key))
  assert(isWhole && shares, 'replacement leaves inputs out', { id: stuck.spend.id })
  const more = coins.filter(({ spendId }) => spendId === null)
  const { change } = reservation
  return { terms, coins, more, change, fee: feeOf({ coins, change, intent }) }
}

/** Charges the balance for the increase of the fee; false if it is too low. */
async function chargeMore(
  tx: Tx,
  { catalogue }: SpendDeps,
  { stuck, fee }: { stuck: StuckCoins; fee: bigint },
): Promise<boolean> {
  const { lockedSender, spend, payments } = stuck
  const isOwn = payments.length === 0
  const referenceId = payments[0]?.subjectId ?? spend.id
  const more = { fee: fee - spend.maxFee, referenceId, isOwn }
  return (await chargeFee(tx, { catalogue, sender: lockedSender.sender, ...more })) === null
}

/**
 * Whether a replacement of a consolidation would cost more than it is worth: always if
 * consolidation is disabled. Other transactions, such as a child, are bounded by the caps only.
 */
function isTooExpensive(
  { adapter, caps, joining }: SpendDeps,
  { last, rate, stuck }: Pick<Replacing, 'last' | 'rate'> & { stuck: StuckCoins },
): boolean {
  if (!stuck.isJoining) return false
  const limit = joining?.belowPerKvb ?? 0n
  const terms = adapter.bump(last.terms, rate, caps)
  return priceOf(rate) >= limit || (terms !== null && coinTermsOf(terms).perKvb >= limit)
}
