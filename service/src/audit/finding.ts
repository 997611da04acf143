import type { ChainId, TokenId } from '@sluice/wire'
import type { Address, BlockRef } from '../chains/port.ts'

/** Base units that the ledger places on an address and that the chain shows there, at one block. */
export interface Comparison {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  address: Address
  expected: bigint
  found: bigint
  height: number
}

/** A comparison before the chain is queried. */
export type Expectation = Omit<Comparison, 'found'>

/** Comparisons, and the balances that no node answered. */
export interface Compared {
  /** Block of the comparison; null if the chain was never scanned. */
  tip: BlockRef | null
  comparisons: Comparison[]
  left: Expectation[]
}

/** A comparison with a difference. */
export type Finding = Comparison

/** Code of the alert about a difference. */
export const DIFFERENCE = 'ledger.difference'

/** Subject of that alert. */
export function findingSubject({ tokenId, address }: Pick<Finding, 'tokenId' | 'address'>): string {
  return `${tokenId} ${address}`
}

export function isDifference({ expected, found }: Comparison): boolean {
  return expected !== found
}

/** Text of a finding: a surplus was credited to no claim, a deficit is missing on the chain. */
export function describeFinding({ expected, found, tokenId, address, height }: Finding): string {
  const difference = found - expected
  const kind = difference > 0n ? 'surplus' : 'deficit'
  const size = difference > 0n ? difference : -difference
  return `${kind} of ${size} base units of ${tokenId} on ${address} at block ${height}`
}
