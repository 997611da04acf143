import type { TokenId } from '@sluice/wire'
import { readChainState } from '../catalogue/chain-state.ts'
import { spendsCoins } from '../catalogue/chains.ts'
import type { BlockRef } from '../chains/port.ts'
import { placedOn } from '../ledger/placed-on.ts'
import type { Auditor, OwnAddress } from './auditor.ts'
import { compareCoins } from './compare-coins.ts'
import type { Comparison } from './finding.ts'

/** Questions to a node under way at once. */
const QUESTIONS_MAX = 8

/** The ledger's side of a comparison, before the chain is asked. */
type Expectation = Omit<Comparison, 'found'>

/**
 * Compares the ledger with the chain on these addresses, at our tip. With `tokens: 'all'` every
 * listed token is asked for, else the native currency and the tokens that the ledger knows of
 * there. What the node cannot answer at that block (pruned, or left behind by a reorg) is left out.
 * Where payments spend coins, these are compared one by one.
 */
export async function compareAddresses(
  auditor: Auditor,
  given: { addresses: readonly OwnAddress[]; tokens: 'all' | 'known' },
): Promise<Comparison[]> {
  if (given.addresses.length === 0) return []
  if (spendsCoins(auditor.entry)) return compareCoins(auditor, given)
  const ledger = await readLedger(auditor, given)
  if (ledger === null) return []
  const comparisons: Comparison[] = []
  const questions = [...ledger.expectations]
  const ask = async () => {
    for (let next = questions.pop(); next !== undefined; next = questions.pop()) {
      const found = await auditor.adapter.balanceOf(next.address, next.tokenId, ledger.tip)
      if (found !== null) comparisons.push({ ...next, found })
    }
  }
  await Promise.all(Array.from({ length: QUESTIONS_MAX }, ask))
  return comparisons
}

/** What the ledger places on each address, and the block at which it does, in one picture. */
async function readLedger(
  { database, catalogue, entry }: Auditor,
  given: { addresses: readonly OwnAddress[]; tokens: 'all' | 'known' },
): Promise<{ tip: BlockRef; expectations: Expectation[] } | null> {
  return database.snapshot(async (tx) => {
    const state = await readChainState(tx, entry.id)
    if (state === null) return null
    const chainId = entry.id
    const placed = await placedOn(tx, { chainId, addresses: given.addresses })
    const listed = catalogue.tokensOf(chainId).map(({ id }) => id)
    const native = catalogue.nativeToken(chainId).id
    const expectations = given.addresses.flatMap(({ orgId, address }) => {
      const amounts = placed.get(address) ?? new Map<TokenId, bigint>()
      const asked = given.tokens === 'all' ? listed : [native, ...amounts.keys()]
      return [...new Set(asked)].map((tokenId) => ({
        orgId,
        chainId,
        tokenId,
        address,
        expected: amounts.get(tokenId) ?? 0n,
        height: state.tip.height,
      }))
    })
    return { tip: state.tip, expectations }
  })
}
