import type { TokenId } from '@sluice/wire'
import { smaller } from '../../base/amount.ts'
import { assert } from '../../base/assert.ts'
import { meets } from '../../chains/named-rate.ts'
import {
  type FeeRate,
  type Terms,
  feeCapOf,
  expires,
  hasExpired,
  isBehind,
  maxFeeOf,
  restsOn,
  windowEndOf,
} from '../../chains/spending.ts'
import { raiseIfNews } from '../../journal/raise-alert.ts'
import { heldForFee } from '../../ledger/standing.ts'
import type { Tx } from '../../store/database.ts'
import { broadcastStored } from '../core/broadcast.ts'
import type { Asked } from '../core/fates.ts'
import { shortageOf } from '../core/funds.ts'
import { giveUp, SIGNED_MAX } from './give-up.ts'
import { haltForMismatch } from '../core/halt.ts'
import type { SpendMeans } from '../core/mandate.ts'
import { outlookOf } from '../core/outlook.ts'
import { enterOffice, inOffice } from '../core/office.ts'
import { SpendMismatch, signIntent } from '../core/sign.ts'
import type { Spend } from '../core/spend.ts'
import { lockSpends } from '../core/spend-rows.ts'
import { storeReplacement } from '../core/store-replacement.ts'
import { reservationOf } from './take-number.ts'
import type { SpendTransaction } from '../core/transaction.ts'
import { selectTransactions } from '../core/transaction-rows.ts'

/** Why a transaction waits whose price nodes refuse. */
export const ABOVE_CAP = 'nodes ask for a higher fee than the fee cap allows'

/** A transaction that no block has, and what transactions cost now. */
export interface Replacing {
  spend: Spend
  /** The transaction signed last. */
  last: SpendTransaction
  rate: FeeRate
  /** The rate that nodes named when they refused the last one; null if they named none. */
  named: FeeRate | null
  /** Blocks for which a coin that left the chain is waited for; only where coins are spent. */
  patience: number
}

/**
 * Replaces the transaction of a spend by a dearer one under the same nonce, which pays the same:
 * what it pays is read from the bytes that we signed, not from the rows. Stored before it is sent,
 * as the first one was; all earlier ones stay candidates, and at most one of them can be included
 * (W18). False where the caps, the gas, the sender's place or whoever asked for it forbid it (an
 * alert says so), and where meanwhile there is no need. An alert also tells of one of which too
 * many have expired.
 */
export async function bumpSpend(means: SpendMeans, given: Replacing): Promise<boolean> {
  const { spend, last, rate, named } = given
  const intent = { ...spend, from: spend.sender, to: spend.recipient, memo: null }
  const within = feeCapOf(intent, { ...means.caps, ...capOf(spend) })
  const bump = (absolute: bigint) => means.adapter.bump(last.terms, rate, { absolute })
  const terms = bump(within) ?? bump(await setAsideFor(means, spend))
  if (terms !== null && !meets(terms, named)) return tellStuck(means, spend, ABOVE_CAP)
  if (terms === null) {
    // It is the node's doing: one that has come as far is asked in another round.
    if (isBehind(rate, last.terms)) return false
    return tellStuck(means, spend, 'nothing may take its place')
  }
  const outlook = await outlookOf(means, given)
  if (outlook === 'open') return false
  if (outlook === 'included') return tellStuck(means, spend, 'a block has what was signed for it')
  if (await giveUp(means, given)) return false
  const replaced = await signReplacement(means, { ...given, terms })
  if (typeof replaced === 'string') return tellStuck(means, spend, replaced)
  if (replaced === null) return false
  means.crash?.('bump.committed')
  await broadcastStored(means, { ...spend, ...replaced }, 'bump')
  // It may go on for ever, and be for another reason than the fee.
  if (expires(terms) && last.number >= SIGNED_MAX)
    await tellStuck(means, { ...spend, ...replaced }, `${last.number} before it have expired`)
  return true
}

/** What we pay for moving our own money is bounded by the absolute cap alone. */
export function capOf({ purpose }: Spend): { relativePercent?: null } {
  return purpose === 'withdrawal' ? {} : { relativePercent: null }
}

/**
 * What was set aside for the fee of this one alone, up to the absolute cap: it may be spent where
 * the relative cap leaves room for no replacement, since all that was signed after it waits with
 * it. 0 where gas wallets pay: nobody promised more (W16).
 */
async function setAsideFor(
  { database, entry, caps: { absolute } }: SpendMeans,
  { purpose, orgId, subjectId: referenceId }: Spend,
): Promise<bigint> {
  if (purpose !== 'withdrawal' || entry.hasGasWallets) return 0n
  const held = await database.transaction((tx) => heldForFee(tx, { orgId, referenceId }))
  return smaller(absolute, held)
}

/** Bytes of a replacement that is committed; why there is none; null where none is needed. */
type Replaced = { txnHash: string; raw: Uint8Array; height: number } | string | null

async function signReplacement(
  means: SpendMeans,
  given: Replacing & { terms: Terms },
): Promise<Replaced> {
  try {
    return await inOffice(means, (tx) => replace(tx, means, given))
  } catch (error) {
    if (error instanceof SpendMismatch) {
      await haltForMismatch(means, { ...given.spend, address: given.spend.sender }, error)
    }
    throw error
  }
}

async function replace(
  tx: Tx,
  means: SpendMeans,
  { spend, last, terms, named }: Replacing & { terms: Terms },
): Promise<Replaced> {
  const office = await enterOffice(tx, means, spend.sender)
  if ('outcome' in office) return null
  const { sender, height } = office
  // Bytes that nodes refused for their price are replaced at once, if a number binds them both.
  const isRefused = named !== null && windowEndOf(last.terms) === null
  if (!isRefused && hasExpired(last.terms, office) === false) return null
  // A block that is named was read, and so was whatever of ours lies below it.
  if ((restsOn(terms) ?? 0n) > BigInt(height)) return null
  means.crash?.('bump.locked')
  const [now] = await lockSpends(tx, [spend])
  if (now?.state !== 'Sent' || now.txnHash !== last.txnHash) return null
  const native = means.catalogue.nativeToken(spend.chainId).id
  const shortage = await shortageForMore(tx, { native, spend: now, sender, terms })
  if (shortage !== null) return shortage
  const { intent, showsMemo } = await signedIntent(tx, means, now)
  const { serviceKey } = means.keys
  const asked = { spend: now, intent, showsMemo, serviceKey }
  const objection = (await means.fates?.[now.purpose].objection?.(tx, asked)) ?? null
  if (objection !== null) return objection
  const reservation = reservationOf(now)
  const signed = await signIntent(tx, means, { sender, intent, terms, reservation })
  means.crash?.('bump.signed')
  const number = last.number + 1
  await storeReplacement(tx, means, { spend: now, number, signed, terms, height })
  const { txnHash, raw } = signed
  tx.beforeCommit(async () => means.crash?.('bump.stored'))
  return { txnHash, raw, height }
}

async function shortageForMore(
  tx: Tx,
  given: {
    native: TokenId
    spend: Spend
    sender: Parameters<typeof shortageOf>[1]['sender']
    terms: Terms
  },
): Promise<string | null> {
  const { spend, terms, native, sender } = given
  const more = maxFeeOf(terms) - spend.maxFee
  const fee = more > 0n ? more : 0n
  const shortage = await shortageOf(tx, { sender, native, tokenId: native, amount: 0n, fee })
  return shortage === null ? null : `for a dearer one it is ${shortage.outcome}`
}

/**
 * What the first transaction of a spend pays, by its own bytes: only we can have signed them.
 * Throws SpendMismatch where they are of another sender or nonce, or where the row says otherwise.
 */
async function signedIntent(
  tx: Tx,
  means: SpendMeans,
  spend: Spend,
): Promise<Pick<Asked, 'intent' | 'showsMemo'>> {
  const [first] = await selectTransactions(tx, [spend])
  assert(first, 'a spend without a transaction', { id: spend.id })
  const decoded = means.adapter.decode(first.raw)
  const same =
    decoded.from === spend.sender &&
    (decoded.nonce ?? spend.nonce) === spend.nonce &&
    (decoded.ticket ?? false) === spend.ticket &&
    (decoded.tickets ?? 0) === spend.tickets &&
    decoded.chainId === spend.chainId &&
    decoded.tokenId === spend.tokenId &&
    decoded.to === spend.recipient &&
    decoded.amount === spend.amount
  if (!same) throw new SpendMismatch('a stored spend was changed', { spend, decoded })
  const { chainId, tokenId, sender: from, recipient: to, amount } = spend
  const made = decoded.tickets === undefined ? {} : { tickets: decoded.tickets }
  const lends = decoded.delegation === undefined ? {} : { delegation: decoded.delegation }
  const { memo } = decoded
  const intent = { chainId, tokenId, from, to, amount, memo: memo ?? null, ...made, ...lends }
  return { intent, showsMemo: memo !== undefined }
}

/**
 * Told once for as long as it waits for the same; a block that has it ends the alert. Not of one
 * that waits no more: nodes were asked meanwhile, and nothing would end what is told after its end.
 */
export async function tellStuck(means: SpendMeans, spend: Spend, why: string): Promise<false> {
  const message = `The transaction ${spend.txnHash} of ${spend.sender} waits: ${why}.`
  const details = { spendId: spend.id, purpose: spend.purpose, nonce: spend.nonce }
  const alert = { code: 'spend.stuck', subject: spend.id, message, details } as const
  await means.database.transaction(async (tx) => {
    const [now] = await lockSpends(tx, [spend])
    if (now?.state === 'Sent') await raiseIfNews(tx, alert)
  })
  return false
}
