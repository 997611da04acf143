import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../chains/port.ts'

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

/** A comparison that does not come out even. */
export type Finding = Comparison

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
