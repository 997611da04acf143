import type { TokenId } from '@sluice/wire'
import { smaller } from '../../base/amount.ts'
import { assert } from '../../base/assert.ts'
import { meets } from '../../chains/named-rate.ts'
import {
  expires,
  feeCapOf,
  hasExpired,
  isBehind,
  maxFeeOf,
  restsOn,
  type Terms,
  windowEndOf,
} from '../../chains/spending.ts'
import { heldForFee } from '../../ledger/standing.ts'
import type { Tx } from '../../store/database.ts'
import type { Stored } from '../core/commit-spend.ts'
import type { ReplacementCheck } from '../core/hooks.ts'
import { shortageOf } from '../core/funds.ts'
import { lockSender } from '../core/lock-sender.ts'
import type { SpendDeps } from '../core/payment-request.ts'
import {
  ABOVE_CAP,
  capOf,
  commitReplacement,
  raiseStuck,
  type Replacing,
  Unreplaced,
} from '../core/replacing.ts'
import type { Sender } from '../core/sender.ts'
import { SpendMismatch } from '../core/mismatch.ts'
import { reservationOf, signIntent } from '../core/sign.ts'
import { lockSpends } from '../core/spend-rows.ts'
import type { Spend } from '../core/spend.ts'
import { storeReplacement } from '../core/store.ts'
import { selectTransactions } from '../core/transaction-rows.ts'
import { giveUp, outlookOf, SIGNED_MAX } from './expiry.ts'

/**
 * Replaces the transaction of a spend by one with a higher fee under the same nonce. The payment is
 * read from the signed bytes, not from the rows, and stored before it is broadcast; at most one of
 * the transactions can be included (W18). Returns false if no replacement is needed now, or if the
 * caps, the gas, the sender's balance or the requesting module forbid it (with an alert). Also
 * raises an alert if too many transactions of the spend have expired.
 */
export async function bumpSpend(deps: SpendDeps, stuck: Replacing): Promise<boolean> {
  const { spend, last, rate, named } = stuck
  const intent = { ...spend, from: spend.sender, to: spend.recipient, memo: null }
  const within = feeCapOf(intent, { ...deps.caps, ...capOf(spend) })
  const bump = (absolute: bigint) => deps.adapter.bump(last.terms, rate, { absolute })
  const terms = bump(within) ?? bump(await setAsideFor(deps, spend))
  if (terms !== null && !meets(terms, named)) return raiseStuck(deps, spend, ABOVE_CAP)
  if (terms === null) {
    // It is the node's doing: one that has come as far is asked in another round.
    if (isBehind(rate, last.terms)) return false
    return raiseStuck(deps, spend, 'the fee cap allows no replacement')
  }
  const outlook = await outlookOf(deps, stuck)
  if (outlook === 'open') return false
  if (outlook === 'included') return raiseStuck(deps, spend, 'a block has what was signed for it')
  if (await giveUp(deps, stuck)) return false
  const replaced = await commitReplacement(deps, spend, (tx) =>
    replace(tx, deps, { ...stuck, terms }),
  )
  if (replaced instanceof Unreplaced) {
    return replaced.why === null ? false : raiseStuck(deps, spend, replaced.why)
  }
  // Replacements may go on without end, for a reason other than the fee.
  if (expires(terms) && last.number >= SIGNED_MAX)
    await raiseStuck(deps, replaced, `${last.number} before it have expired`)
  return true
}

/**
 * The amount held for the fee of this withdrawal, up to the absolute cap. It may be spent if the
 * relative cap allows no replacement, since later payments of the sender wait for this one. 0 if
 * gas wallets pay (W16).
 */
async function setAsideFor(
  { database, entry, caps: { absolute } }: SpendDeps,
  { purpose, orgId, subjectId: referenceId }: Spend,
): Promise<bigint> {
  if (purpose !== 'withdrawal' || entry.hasGasWallets) return 0n
  const held = await database.transaction((tx) => heldForFee(tx, { orgId, referenceId }))
  return smaller(absolute, held)
}

async function replace(
  tx: Tx,
  deps: SpendDeps,
  { spend, last, terms, named }: Replacing & { terms: Terms },
): Promise<Stored> {
  const lockedSender = await lockSender(tx, deps, spend.sender)
  if ('outcome' in lockedSender) throw new Unreplaced(null)
  const { sender, height } = lockedSender
  // Bytes that nodes refused for their price are replaced at once, if a number binds them both.
  const isRefused = named !== null && windowEndOf(last.terms) === null
  if (!isRefused && hasExpired(last.terms, lockedSender) === false) throw new Unreplaced(null)
  // The terms refer to a block: it and all blocks below must have been scanned.
  if ((restsOn(terms) ?? 0n) > BigInt(height)) throw new Unreplaced(null)
  deps.crash?.('bump.locked')
  const [now] = await lockSpends(tx, [spend])
  if (now?.state !== 'Sent' || now.txnHash !== last.txnHash) throw new Unreplaced(null)
  const native = deps.catalogue.nativeToken(spend.chainId).id
  const shortage = await shortageForMore(tx, { native, spend: now, sender, terms })
  if (shortage !== null) throw new Unreplaced(shortage)
  const { intent, showsMemo } = await signedIntent(tx, deps, now)
  const { serviceKey } = deps.keys
  const asked = { spend: now, intent, showsMemo, serviceKey }
  const objection = (await deps.hooks[now.purpose].objection?.(tx, asked)) ?? null
  if (objection !== null) throw new Unreplaced(objection)
  const reservation = reservationOf(now)
  const paid = { ...now, subjectIds: [now.subjectId] }
  const signed = await signIntent(tx, deps, { sender, spend: paid, intent, terms, reservation })
  deps.crash?.('bump.signed')
  const number = last.number + 1
  const storing = { spend: now, number, signed, terms, height }
  const replaced = await storeReplacement(tx, deps, storing)
  tx.beforeCommit(async () => deps.crash?.('bump.stored'))
  return { spend: replaced, raw: signed.raw, height }
}

async function shortageForMore(
  tx: Tx,
  { spend, terms, native, sender }: { spend: Spend; terms: Terms; native: TokenId; sender: Sender },
): Promise<string | null> {
  const more = maxFeeOf(terms) - spend.maxFee
  const fee = more > 0n ? more : 0n
  const shortage = await shortageOf(tx, { sender, native, tokenId: native, amount: 0n, fee })
  return shortage === null ? null : `a replacement is ${shortage.outcome}`
}

/**
 * The payment of a spend, read from its first transaction, which only our keys can have signed.
 * Throws SpendMismatch if the row differs from the bytes.
 */
async function signedIntent(
  tx: Tx,
  deps: SpendDeps,
  spend: Spend,
): Promise<Pick<ReplacementCheck, 'intent' | 'showsMemo'>> {
  const [first] = await selectTransactions(tx, [spend])
  assert(first, 'spend has no transaction', { id: spend.id })
  const decoded = deps.adapter.decode(first.raw)
  const same =
    decoded.from === spend.sender &&
    (decoded.nonce ?? spend.nonce) === spend.nonce &&
    (decoded.ticket ?? false) === spend.ticket &&
    (decoded.tickets ?? 0) === spend.tickets &&
    decoded.chainId === spend.chainId &&
    decoded.tokenId === spend.tokenId &&
    decoded.to === spend.recipient &&
    decoded.amount === spend.amount
  if (!same) throw new SpendMismatch('stored spend was altered', { spend, decoded })
  const { chainId, tokenId, sender: from, recipient: to, amount } = spend
  const made = decoded.tickets === undefined ? {} : { tickets: decoded.tickets }
  const lends = decoded.delegation === undefined ? {} : { delegation: decoded.delegation }
  const { memo } = decoded
  const intent = { chainId, tokenId, from, to, amount, memo: memo ?? null, ...made, ...lends }
  return { intent, showsMemo: memo !== undefined }
}
