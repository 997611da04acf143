import { payingBy } from '../chains/chain-adapter.ts'
import { sum } from '../base/amount.ts'
import { assert } from '../base/assert.ts'
import type { Address, CoinsReservation, Intent } from '../chains/port.ts'
import { coinTermsOf, feeCapOf, type Terms } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import { commitAndBroadcast, type Stored, Unsent } from './core/commit-spend.ts'
import { type LockedSender, lockSender } from './core/lock-sender.ts'
import {
  jointIntent,
  type JointPaymentRequest,
  type Payment,
  type Sent,
  type SpendDeps,
} from './core/payment-request.ts'
import { type Sender, UNMINED_MAX } from './core/sender.ts'
import { selectSpend, selectUnmined } from './core/spend-rows.ts'
import { selectStandingFor } from './core/subject-rows.ts'
import { readUnstored } from './core/unstored.ts'
import { prepareSender } from './prepare.ts'
import { chargeFee } from './utxo/charge-fee.ts'
import { freeCoins } from './utxo/coin-rows.ts'
import { coinsIn, type OwnCoin } from './utxo/coin.ts'
import { type Fit, fitPayments } from './utxo/fit-payments.ts'
import { feeOf } from './utxo/sign-coins.ts'
import { ownCoins, storeCoins } from './utxo/store-coins.ts'

/** The coins would suffice, and what they cost to spend is more than may be paid for it. */
export type SentJoint = Sent | { outcome: 'too-dear' }

/** No node knows the transaction whose outputs are spent again, so that it sets no lower bound. */
const UNSENT = { fee: 0n, vsize: 1 }

/** Carries that out of a transaction that is to have no effect. */
class TooExpensive extends Error {
  override readonly name = 'TooExpensive'
}

/**
 * Makes several payments in one Bitcoin transaction, each once, as `sendSpend` does with a nonce.
 * Leaves out payments that are no longer wanted or that the free coins do not cover; the outcome is
 * `short-of-native` if they cover none.
 */
export async function sendJoint(deps: SpendDeps, request: JointPaymentRequest): Promise<SentJoint> {
  const { orgId, from: address, payments } = request
  if (!(await prepareSender(deps, address))) return { outcome: 'busy' }
  deps.crash?.('send.prepared')
  const [first] = payments
  assert(first !== undefined, 'joint payment has no recipients', { orgId })
  const subjectIds = payments.map(({ subjectId }) => subjectId)
  try {
    return await commitAndBroadcast(deps, {
      address,
      purpose: 'withdrawal',
      subjectId: first.subjectId,
      step: 'send',
      sign: (tx) => signAndStore(tx, deps, request),
      find: async (tx) => {
        const [id] = await selectStandingFor(tx, { orgId, subjectIds })
        return id === undefined ? null : selectSpend(tx, { orgId, id })
      },
    })
  } catch (error) {
    if (error instanceof TooExpensive) return { outcome: 'too-dear' }
    throw error
  }
}

async function signAndStore(
  tx: Tx,
  deps: SpendDeps,
  request: JointPaymentRequest,
): Promise<Stored> {
  const { catalogue } = deps
  const lockedSender = await lockSender(tx, deps, request.from)
  if ('outcome' in lockedSender) throw new Unsent(lockedSender)
  const { sender } = lockedSender
  const { orgId, chainId, address } = sender
  deps.crash?.('send.locked')
  assert(orgId === request.orgId, 'sender belongs to another organization', { address })
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length >= UNMINED_MAX) throw new Unsent({ outcome: 'busy' })
  const coins = await freeCoins(tx, { orgId, chainId })
  const claimed = await claimPayments(tx, request)
  deps.crash?.('send.claimed')
  const id = tx.ids.next()
  const { wanted, kept } = await payAgainFirst(tx, deps, { sender, id, coins, claimed })
  const fitting = { lockedSender, request, wanted, coins, kept }
  const { payments, reservation, intent, terms } = fit(deps, fitting)
  const chosen = { coins: ownCoins(reservation, coins), change: reservation.change }
  const fee = feeOf({ ...chosen, intent })
  const referenceId = payments[0]?.subjectId ?? ''
  const shortage = await chargeFee(tx, { catalogue, sender, fee, referenceId })
  if (shortage !== null) throw new Unsent(shortage)
  const purpose = 'withdrawal'
  const spending = { lockedSender, id, purpose, intent, terms, payments, ...chosen } as const
  const stored = await storeCoins(tx, deps, spending)
  await request.sent(tx, stored.spend, payments)
  tx.beforeCommit(async () => deps.crash?.('send.told'))
  return stored
}

/** Runs the claim, and asserts that none of its subjects was paid before. */
async function claimPayments(tx: Tx, request: JointPaymentRequest): Promise<readonly Payment[]> {
  const { orgId } = request
  const payments = await request.claim(tx)
  if (payments.length === 0) throw new Unsent({ outcome: 'declined' })
  const subjectIds = payments.map(({ subjectId }) => subjectId)
  const standing = await selectStandingFor(tx, { orgId, subjectIds })
  assert(standing.length === 0, 'subject already has a spend', { standing })
  return payments
}

/**
 * Payments that were signed and not stored come before all others, with the same outputs. `kept`
 * are those outputs.
 */
async function payAgainFirst(
  tx: Tx,
  deps: SpendDeps,
  choice: { sender: Sender; id: string; coins: readonly OwnCoin[]; claimed: readonly Payment[] },
): Promise<{ wanted: readonly Payment[]; kept: readonly OwnCoin[] }> {
  const { sender, id, coins, claimed } = choice
  const subjectIds = claimed.map(({ subjectId }) => subjectId)
  const again = await readUnstored(tx, deps, {
    sender,
    spend: { id, purpose: 'withdrawal', subjectIds },
    isUnused: (slot) => coinsIn(slot, coins).length > 0,
  })
  if (again === null) return { wanted: claimed, kept: [] }
  if (again.ids.length === 0) throw new Unsent({ outcome: 'declined' })
  const wanted = claimed.filter(({ subjectId }) => again.ids.includes(subjectId))
  return { wanted, kept: coinsIn(again.slot, coins) }
}

interface Fitting {
  lockedSender: LockedSender
  request: JointPaymentRequest
  wanted: readonly Payment[]
  coins: readonly OwnCoin[]
  /** Coins that must be spent. */
  kept: readonly OwnCoin[]
}

/** The payments that the coins cover, under terms capped for just these payments. */
function fit(deps: SpendDeps, fitting: Fitting): Fit & { intent: Intent; terms: Terms } {
  const { request, wanted, coins } = fitting
  const best = fitPayments(wanted, chooser(deps, fitting, termsFor(deps, request)))
  if (best !== null) {
    const intent = intentFor(deps, request, best.payments)
    return { ...best, intent, terms: termsFor(deps, request)(intent) }
  }
  const boundless = { ...coinTermsOf(request.terms), maxFee: sum(coins.map((one) => one.amount)) }
  const anyhow = fitPayments(
    wanted,
    chooser(deps, fitting, () => boundless),
  )
  if (anyhow !== null) throw new TooExpensive('coins cost more to spend than the cap allows')
  const place = sum(coins.map(({ amount }) => amount))
  const needed = wanted[0]?.amount ?? 0n
  throw new Unsent({ outcome: 'short-of-native', place, needed })
}

function chooser(
  deps: SpendDeps,
  { lockedSender, request, coins, kept }: Fitting,
  terms: (intent: Intent) => Terms,
): (payments: readonly Payment[]) => CoinsReservation | null {
  const { address: change } = lockedSender.sender
  const others = coins.filter((coin) => !kept.includes(coin))
  const offer = kept.length === 0 ? { coins } : { coins: others, stuck: { coins: kept, ...UNSENT } }
  return (payments) => {
    const intent = intentFor(deps, request, payments)
    return payingBy(deps.adapter, 'utxo').choose(intent, terms(intent), { ...offer, change })
  }
}

/** As quoted, with no higher cap than these payments by themselves would have. */
function termsFor({ caps }: SpendDeps, { terms }: JointPaymentRequest): (intent: Intent) => Terms {
  const quoted = coinTermsOf(terms)
  return (intent) => {
    const cap = feeCapOf(intent, caps)
    return { ...quoted, maxFee: cap < quoted.maxFee ? cap : quoted.maxFee }
  }
}

function intentFor(
  { catalogue, entry }: SpendDeps,
  { from }: { from: Address },
  payments: readonly Payment[],
): Intent {
  const tokenId = catalogue.nativeToken(entry.id).id
  return jointIntent({ chainId: entry.id, tokenId, from }, payments)
}
