import type { TokenId } from '@sluice/wire'
import { readChainState } from '../catalogue/chain-state.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import { placedOn } from '../ledger/placed-on.ts'
import type { Auditor, OwnAddress } from './auditor.ts'
import { type Expectation, findingSubject } from './finding.ts'

/**
 * Which tokens are asked for: every listed one, the native currency and those that the ledger knows
 * of there, or exactly these of each address.
 */
export type WantedTokens = 'all' | 'known' | ReadonlyMap<Address, readonly TokenId[]>

export interface Question {
  addresses: readonly OwnAddress[]
  tokens: WantedTokens
  /** Balances that are not asked for, as `findingSubject` names them. */
  besides?: ReadonlySet<string>
}

/**
 * What the ledger places on each address, and the block at which it does, in one picture; no block
 * where the chain was never read.
 */
export async function readExpectations(
  { database, catalogue, entry }: Auditor,
  given: Question,
): Promise<{ tip: BlockRef | null; expectations: Expectation[] }> {
  return database.snapshot(async (tx) => {
    const tip = (await readChainState(tx, entry.id))?.tip ?? null
    const chainId = entry.id
    const placed = await placedOn(tx, { chainId, addresses: given.addresses })
    const listed = catalogue.tokensOf(chainId).map(({ id }) => id)
    const native = catalogue.nativeToken(chainId).id
    const all = given.addresses.flatMap(({ orgId, address }) => {
      const amounts = placed.get(address) ?? new Map<TokenId, bigint>()
      const known = [native, ...amounts.keys()]
      return [...new Set(tokensOn(address, given.tokens, { listed, known }))].map((tokenId) => ({
        orgId,
        chainId,
        tokenId,
        address,
        expected: amounts.get(tokenId) ?? 0n,
        height: tip?.height ?? 0,
      }))
    })
    const isWanted = (one: Expectation) => given.besides?.has(findingSubject(one)) !== true
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
