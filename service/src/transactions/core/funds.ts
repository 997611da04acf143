import type { TokenId } from '@sluice/wire'
import type { Intent } from '../../chains/port.ts'
import { CLAIM } from '../../ledger/account.ts'
import { readBalance } from '../../ledger/balance.ts'
import { placedOn } from '../../ledger/placed-on.ts'
import type { Tx } from '../../store/database.ts'
import type { Sent } from './payment-request.ts'
import { lockGas, selectSender } from './sender-rows.ts'
import { type Sender, UNMINED_MAX } from './sender.ts'
import { selectUnmined, sumUnminedFees, sumUnminedOutflow } from './spend-rows.ts'

type Shortage = Extract<Sent, { outcome: 'short-of-gas' | 'short-of-native' | 'short-of-token' }>

/** Cost of one more spend of a sender. */
interface Cost {
  sender: Pick<Sender, 'orgId' | 'chainId' | 'address'>
  native: TokenId
  tokenId: TokenId
  /** Base units of the token that the spend takes; 0 for a replacement. */
  amount: bigint
  /** Highest fee of the spend; for a replacement, how much more it may cost. */
  fee: bigint
}

/**
 * Checks that the ledger covers one more spend of a locked sender after all its unmined spends: the
 * organization's gas claim must cover the fee, and the sender's place the fee and the amount
 * (engineering, 2). Returns null if it does. Balances that the chain shows beyond the ledger do not
 * count.
 */
export async function shortageOf(
  tx: Tx,
  { sender, native, tokenId, amount, fee }: Cost,
): Promise<Shortage | null> {
  const { orgId, chainId, address } = sender
  const gas = await gasOf(tx, { orgId, chainId, native })
  if (gas < fee) return { outcome: 'short-of-gas', available: gas, needed: fee }
  const placed = (await placedOn(tx, { chainId, addresses: [{ orgId, address }] })).get(address)
  const coins = await sumUnminedOutflow(tx, { chainId, sender: address, tokenId: native })
  const place = (placed?.get(native) ?? 0n) - coins.amount - coins.fees
  const needed = fee + (tokenId === native ? amount : 0n)
  if (place < needed) return { outcome: 'short-of-native', place, needed }
  if (tokenId === native) return null
  const tokens = await sumUnminedOutflow(tx, { chainId, sender: address, tokenId })
  const held = (placed?.get(tokenId) ?? 0n) - tokens.amount
  return held < amount ? { outcome: 'short-of-token', place: held, needed: amount } : null
}

/** `gasOf`, locked until the transaction ends: no other step can sign against it. */
export async function unclaimedGas(
  tx: Tx,
  whose: { orgId: string; chainId: Sender['chainId']; native: TokenId },
): Promise<bigint> {
  await lockGas(tx, whose)
  return gasOf(tx, whose)
}

/** An organization's claim on gas on a chain, less what its unmined spends may cost. */
export async function gasOf(
  tx: Tx,
  { orgId, chainId, native }: { orgId: string; chainId: Sender['chainId']; native: TokenId },
): Promise<bigint> {
  const key = { orgId, chainId, tokenId: native, account: CLAIM.gas }
  const [claim, unmined] = await Promise.all([
    readBalance(tx, key),
    sumUnminedFees(tx, { orgId, chainId }),
  ])
  return claim - unmined
}

/** The outcome of a request that was not signed. */
export type NotSent = Exclude<Sent, { outcome: 'sent' }>

/**
 * Reason against signing a token payment now, at any fee: the sender is halted or has too many
 * unmined spends, or the ledger places too little of the token on it. Null if no reason is known.
 * Takes no lock: it only avoids useless preparation, and the signing step checks again.
 */
export async function obstacleTo(
  tx: Tx,
  { orgId, intent, native }: { orgId: string; intent: Intent; native: TokenId },
): Promise<NotSent | null> {
  const { chainId, tokenId, amount, from: address } = intent
  const sender = await selectSender(tx, { chainId, address })
  if (sender !== null && sender.haltedAt !== null) {
    return { outcome: 'halted', cause: sender.haltedCause }
  }
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length >= UNMINED_MAX) return { outcome: 'busy' }
  const asked = { sender: { orgId, chainId, address }, native, tokenId, amount, fee: 0n }
  const shortage = await shortageOf(tx, asked)
  return shortage?.outcome === 'short-of-token' ? shortage : null
}
