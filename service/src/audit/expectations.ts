import type { TokenId } from '@sluice/wire'
import { readChainState } from '../catalogue/chain-state.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import { placedOn } from '../ledger/placed-on.ts'
import type { Auditor, OwnAddress } from './auditor.ts'
import { type Expectation, findingSubject } from './finding.ts'

/**
 * Tokens to compare: every listed one; the native token and those in the ledger; or exactly these,
 * by address.
 */
export type WantedTokens = 'all' | 'known' | ReadonlyMap<Address, readonly TokenId[]>

export interface Question {
  addresses: readonly OwnAddress[]
  tokens: WantedTokens
  /** Balances to leave out, by `findingSubject`. */
  besides?: ReadonlySet<string>
}

/**
 * Amounts that the ledger places on each address, and our tip, in one snapshot; no tip if the chain
 * was never scanned.
 */
export async function readExpectations(
  { database, catalogue, entry }: Auditor,
  { addresses, tokens, besides }: Question,
): Promise<{ tip: BlockRef | null; expectations: Expectation[] }> {
  return database.snapshot(async (tx) => {
    const tip = (await readChainState(tx, entry.id))?.tip ?? null
    const chainId = entry.id
    const placed = await placedOn(tx, { chainId, addresses })
    const listed = catalogue.tokensOf(chainId).map(({ id }) => id)
    const native = catalogue.nativeToken(chainId).id
    const all = addresses.flatMap(({ orgId, address }) => {
      const amounts = placed.get(address) ?? new Map<TokenId, bigint>()
      const known = [native, ...amounts.keys()]
      return [...new Set(tokensOn(address, tokens, { listed, known }))].map((tokenId) => ({
        orgId,
        chainId,
        tokenId,
        address,
        expected: amounts.get(tokenId) ?? 0n,
        height: tip?.height ?? 0,
      }))
    })
    const isWanted = (item: Expectation) => besides?.has(findingSubject(item)) !== true
    return { tip, expectations: all.filter(isWanted) }
  })
}

function tokensOn(
  address: Address,
  wanted: WantedTokens,
  { listed, known }: { listed: readonly TokenId[]; known: readonly TokenId[] },
): readonly TokenId[] {
  if (wanted === 'all') return listed
  return wanted === 'known' ? known : (wanted.get(address) ?? [])
}
