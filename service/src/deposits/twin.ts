import type { TokenId } from '@sluice/wire'
import { type IncomingTransfer, positionIndex } from './deposit.ts'

/** A log of a token that moved money into an address of ours, as it is recorded. */
export interface Recorded
  extends Pick<
    IncomingTransfer,
    'id' | 'txnHash' | 'position' | 'tokenId' | 'address' | 'netMovement'
  > {
  blockHash: string
  /** Whether its money is credited, or counts towards the minimum. */
  isCredited: boolean
  heldCause: string
}

/** Fields by which logs are compared. */
export type Logged = Pick<IncomingTransfer, 'id' | 'tokenId' | 'address' | 'netMovement' | 'block'>

const DUPLICATE = 'this movement is counted already as a deposit of '

/** Why the second record of one movement is held. */
export function duplicateCause(first: TokenId): string {
  return `${DUPLICATE}${first}: both contracts report the same balances`
}

/**
 * Tokens with an earlier log that moved the same amount into the same address in the same block:
 * each may be the same money under another contract. Credited logs come first, then the log order.
 * Logs that are held as duplicates do not count.
 */
export function earlierTwins(one: Logged, recorded: readonly Recorded[]): TokenId[] {
  const alike = recorded.filter((other) => isAlike(one, other))
  const rank = new Map<TokenId, Recorded>()
  for (const other of alike) {
    const first = rank.get(other.tokenId)
    if (first === undefined || comesBefore(other, first)) rank.set(other.tokenId, other)
  }
  const own = rank.get(one.tokenId)
  return [...rank.values()]
    .filter((other) => other.tokenId !== one.tokenId && !other.heldCause.startsWith(DUPLICATE))
    .filter((other) => own === undefined || comesBefore(other, own))
    .map(({ tokenId }) => tokenId)
}

/** Whether another token's log moved just as much into the same address in the same block. */
export function hasTwin(one: Logged, others: readonly Logged[]): boolean {
  return others.some(
    (other) =>
      other.tokenId !== one.tokenId && isAlike(one, { ...other, blockHash: other.block.hash }),
  )
}

function isAlike(
  one: Logged,
  other: Pick<Recorded, 'address' | 'netMovement' | 'blockHash'>,
): boolean {
  const isSamePlace = one.address === other.address && one.block.hash === other.blockHash
  return isSamePlace && one.netMovement === other.netMovement
}

function comesBefore(a: Recorded, b: Recorded): boolean {
  if (a.isCredited !== b.isCredited) return a.isCredited
  if (a.txnHash !== b.txnHash) return a.txnHash < b.txnHash
  return positionIndex(a.position) < positionIndex(b.position)
}
