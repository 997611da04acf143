import type { ChainId, TokenId } from '@sluice/wire'
import type { Address, BlockRef } from '../chains/port.ts'

/**
 * What the ledger places on an address, and what the chain shows there at the same block; base
 * units.
 */
export interface Comparison {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  address: Address
  expected: bigint
  found: bigint
  height: number
}

/** What the ledger places on an address at a block, before the chain is asked. */
export type Expectation = Omit<Comparison, 'found'>

/** What came of comparing, and what no node answered for at our tip. */
export interface Compared {
  /** The block at which; null where the chain was never read. */
  tip: BlockRef | null
  comparisons: Comparison[]
  left: Expectation[]
}

/** A comparison that does not come out even. */
export type Finding = Comparison

/** The code of the alert that tells of a difference. */
export const DIFFERENCE = 'ledger.difference'

/** What that alert is about. */
export function findingSubject({ tokenId, address }: Pick<Finding, 'tokenId' | 'address'>): string {
  return `${tokenId} ${address}`
}

export function isDifference({ expected, found }: Comparison): boolean {
  return expected !== found
}

/** In words: a surplus is money that nobody was credited with, a deficit is money that is gone. */
export function describeFinding({ expected, found, tokenId, address, height }: Finding): string {
  const difference = found - expected
  const kind = difference > 0n ? 'surplus' : 'deficit'
  const size = difference > 0n ? difference : -difference
  return `${kind} of ${size} base units of ${tokenId} on ${address} at block ${height}`
}
