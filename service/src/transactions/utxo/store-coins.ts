import { assert } from '../../base/assert.ts'
import type { CoinsReservation, Intent } from '../../chains/port.ts'
import { coinTermsOf, type Terms } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import type { Stored } from '../core/commit-spend.ts'
import type { LockedSender } from '../core/lock-sender.ts'
import type { Payment, SpendDeps } from '../core/payment-request.ts'
import { moveNonce } from '../core/sender-rows.ts'
import type { Purpose } from '../core/spend.ts'
import { storeSpend } from '../core/store.ts'
import { insertSubjects } from '../core/subject-rows.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { insertInputs } from './input-rows.ts'
import { reserveCoins } from './reserve.ts'
import { feeOf, signUnique } from './sign-coins.ts'

/** A spend of coins that is about to be signed for the first time. */
export interface CoinSpending {
  lockedSender: LockedSender
  id: string
  purpose: Purpose
  /** With all its payees. */
  intent: Intent
  terms: Terms
  coins: readonly OwnCoin[]
  change: CoinsReservation['change']
  payments: readonly Payment[]
  /** Whether its one coin is unmined change that is reserved already. */
  isForeseen?: boolean
}

/**
 * Signs a Bitcoin spend and stores its bytes, hash, inputs, payments and number. Its highest fee is
 * its fee.
 */
export async function storeCoins(tx: Tx, deps: SpendDeps, spending: CoinSpending): Promise<Stored> {
  const { lockedSender, id, purpose, intent, coins, payments } = spending
  const { sender, height } = lockedSender
  const { orgId, chainId, address, nextNonce: nonce } = sender
  const terms = { ...coinTermsOf(spending.terms), maxFee: feeOf(spending) }
  const signed = await signUnique(tx, deps, { ...spending, sender, terms })
  deps.crash?.('send.signed')
  const signing = { sender, purpose, id, subjectId: id, intent, terms, nonce, height }
  const spend = await storeSpend(tx, signing, signed)
  await insertSubjects(tx, { spend, payments })
  await insertInputs(tx, { orgId, chainId, txnHash: signed.txnHash, coins })
  if (spending.isForeseen !== true) await reserveCoins(tx, { orgId, chainId, spendId: id, coins })
  const moved = await moveNonce(tx, { chainId, address, from: nonce, to: nonce + 1 })
  assert(moved, 'sequence changed although its sender was locked', { chainId, address, nonce })
  deps.crash?.('send.stored')
  return { spend, raw: signed.raw, height }
}

/** The coins of a reservation as we have them. */
export function ownCoins(
  { coins }: Pick<CoinsReservation, 'coins'>,
  offered: readonly OwnCoin[],
): OwnCoin[] {
  const known = new Map(offered.map((coin) => [pointKey(coin), coin]))
  return coins.map((coin) => {
    const own = known.get(pointKey(coin))
    assert(own !== undefined, 'chosen coin was not offered', { ...coin })
    return own
  })
}
