import type { TokenId } from '@sluice/wire'
import type { Catalogue } from '../../catalogue/find.ts'
import { displayAddress } from '../../chains/format-address.ts'
import { CLAIM } from '../../ledger/account.ts'
import { readBalance } from '../../ledger/balance.ts'
import { post } from '../../ledger/post.ts'
import { feeHeld, feeReleased } from '../../ledger/spend-postings.ts'
import { heldForFee } from '../../ledger/standing.ts'
import type { Tx } from '../../store/database.ts'
import { emitBalance } from '../../webhooks/emit-balance.ts'
import { gasOf, unclaimedGas } from '../core/funds.ts'
import type { Sent } from '../core/payment-request.ts'
import type { Sender } from '../core/sender.ts'
import type { Spend } from '../core/spend.ts'

type Short = Extract<Sent, { outcome: 'short-of-gas' }>

interface FeeCharge {
  catalogue: Catalogue
  sender: Pick<Sender, 'orgId' | 'chainId' | 'address'>
  /** Base units of the native currency, beyond what was charged before. */
  fee: bigint
  /** On whose behalf what was not set aside yet is: a withdrawal's id, or a spend's own. */
  referenceId: string
  /** Whether nothing of what others set aside may be taken. */
  isOwn?: boolean
}

/**
 * Charges a fee on chains without gas wallets: first to the amount held for fees, then to the
 * organization's balance, with an event. Returns the shortage if both are too low. Call it under
 * the sender's lock.
 */
export async function chargeFee(tx: Tx, charge: FeeCharge): Promise<Short | null> {
  const { catalogue, sender, fee, referenceId, isOwn = false } = charge
  const { orgId, chainId } = sender
  const tokenId = catalogue.nativeToken(chainId).id
  const gas = isOwn ? 0n : await gasOf(tx, { orgId, chainId, native: tokenId })
  const missing = fee - gas
  if (missing <= 0n) return null
  const available = await readBalance(tx, { orgId, chainId, tokenId, account: CLAIM.available })
  if (available < missing) {
    return { outcome: 'short-of-gas', available: gas + available, needed: fee }
  }
  const moved = { orgId, chainId, tokenId, amount: missing, referenceId, blockHeight: null }
  await post(tx, [feeHeld(moved)])
  await tell(tx, { ...charge, tokenId, delta: -missing })
  return null
}

/**
 * Gives back what was set aside for a spend's own fee and not paid, as far as it is there and what
 * is under way does not count on it.
 */
export async function releaseUnusedFee(
  tx: Tx,
  { catalogue, spend }: { catalogue: Catalogue; spend: Spend },
): Promise<void> {
  const { orgId, chainId, id: referenceId, sender: address } = spend
  const tokenId = catalogue.nativeToken(chainId).id
  const held = await heldForFee(tx, { orgId, referenceId })
  const there = await unclaimedGas(tx, { orgId, chainId, native: tokenId })
  const amount = held < there ? held : there
  if (amount <= 0n) return
  await post(tx, [feeReleased({ orgId, chainId, tokenId, amount, referenceId, blockHeight: null })])
  const sender = { orgId, chainId, address }
  await tell(tx, { catalogue, sender, tokenId, referenceId, delta: amount })
}

async function tell(
  tx: Tx,
  {
    catalogue,
    sender,
    tokenId,
    referenceId,
    delta,
  }: Pick<FeeCharge, 'catalogue' | 'sender' | 'referenceId'> & {
    tokenId: TokenId
    delta: bigint
  },
): Promise<void> {
  const { orgId, chainId, address } = sender
  const key = { orgId, chainId, tokenId, account: CLAIM.available }
  const balance = await readBalance(tx, key)
  const accountId = displayAddress(chainId, address)
  const change = { orgId, chainId, tokenId, accountId, balance, delta, referenceId }
  emitBalance(tx, catalogue, { ...change, reason: 'withdrawal' })
}
