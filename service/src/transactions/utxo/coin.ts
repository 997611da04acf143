import type { Slot } from '@sluice/signer'
import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import type { BlockRef, Coin, CoinPoint, Transfer } from '../../chains/port.ts'
import type { PlaceKind } from '../../ledger/account.ts'

/** Place of a coin: a deposit address or the settlement address. */
export type CoinPlace = Exclude<PlaceKind, 'gas'>

/** An output that pays an address of ours, on a chain whose payments spend coins. */
export interface OwnCoin extends Coin {
  orgId: string
  chainId: ChainId
  place: CoinPlace
  /** The block that includes it; null if its transaction is unmined or was undone by a reorg. */
  block: BlockRef | null
  /** The height of the block that it had and lost; null while it has one, or never had any. */
  lostHeight: number | null
  /**
   * Whether we may spend it, once a block has it: what returned from our own payments at once, what
   * came from outside when it was credited (B13).
   */
  spendable: boolean
  /** The spend that it is reserved for; null while it is free. */
  spendId: string | null
  /** The block that has it spent, and the transaction that did; null while it is unspent. */
  spent: (BlockRef & { txnHash: string }) | null
}

/** One text for each outpoint, as people write it: `<txid>:<vout>`. */
export function pointKey({ txnHash, vout }: CoinPoint): string {
  return `${txnHash}:${vout}`
}

/** The coins that are outputs of a signer's slot. */
export function coinsIn(slot: Slot, coins: readonly OwnCoin[]): OwnCoin[] {
  const outpoints = new Set(slot.kind === 'inputs' ? slot.outpoints : [])
  return coins.filter((coin) => outpoints.has(pointKey(coin)))
}

/** Which output a transfer is, by its position `out:n`. */
export function pointOf({ txnHash, position }: Pick<Transfer, 'txnHash' | 'position'>): CoinPoint {
  const [, digits] = /^out:(\d+)$/.exec(position) ?? []
  assert(digits !== undefined, 'transfer is not an output', { txnHash, position })
  return { txnHash, vout: Number(digits) }
}

/** Whether a new payment may spend it: unreserved, unspent and in a block of ours. */
export function isFree({ block, spendable, spendId, spent }: OwnCoin): boolean {
  return block !== null && spendable && spendId === null && spent === null
}
