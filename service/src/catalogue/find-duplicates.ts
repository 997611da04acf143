import type { ChainId, TokenId } from '@sluice/wire'
import { Outage } from '../base/fault.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address } from '../chains/port.ts'
import type { Chains } from '../chains/registry.ts'
import type { Catalogue } from './find.ts'

/** Two listed contracts that report the same balances: one ledger behind two token ids. */
export type Duplicate = readonly [TokenId, TokenId]

/** Addresses of ours that hold one of two tokens by the ledger, a few of them. */
export type HoldersOf = (chainId: ChainId, tokens: Duplicate) => Promise<readonly Address[]>

/**
 * The pairs of listed contracts of a chain that seem to be one ledger: the supply of both is the
 * same and above zero, or unknown, and so are the balances of our holders. `unknown`: pairs that no
 * node told of now.
 */
export async function findDuplicates(
  { chains, holdersOf }: { chains: Chains; holdersOf: HoldersOf },
  catalogue: Catalogue,
): Promise<{ found: Duplicate[]; unknown: Duplicate[] }> {
  const answer: { found: Duplicate[]; unknown: Duplicate[] } = { found: [], unknown: [] }
  for (const adapter of chains.all()) {
    for (const pair of pairsOn(catalogue, adapter.chainId)) {
      try {
        if (await isOneLedger(adapter, { pair, holdersOf })) answer.found.push(pair)
      } catch (error) {
        if (!(error instanceof Outage)) throw error
        answer.unknown.push(pair)
      }
    }
  }
  return answer
}

/** Says what to do about two ids of one ledger. */
export function describeDuplicate([first, second]: Duplicate): string {
  return (
    `${first} and ${second} report the same balances: they seem to be one token. ` +
    'Remove one of them from `tokens`; a movement that both log is credited once.'
  )
}

function pairsOn(catalogue: Catalogue, chainId: ChainId): Duplicate[] {
  const contracts = catalogue.tokensOf(chainId).filter(({ native }) => !native)
  return contracts.flatMap(({ id }, at) =>
    contracts
      .slice(at + 1)
      .filter((other) => other.decimals === contracts[at]?.decimals)
      .map((other): Duplicate => [id, other.id]),
  )
}

async function isOneLedger(
  adapter: ChainAdapter,
  { pair, holdersOf }: { pair: Duplicate; holdersOf: HoldersOf },
): Promise<boolean> {
  const supplies = await readBoth(pair, async (id) => (await adapter.supplyOf?.(id)) ?? null)
  if (supplies !== null) return supplies.isEqual && supplies.isPositive
  let hasMoney = false
  for (const holder of await holdersOf(adapter.chainId, pair)) {
    const held = await readBoth(pair, (id) => adapter.balanceOf(holder, id, 'head'))
    if (held === null || !held.isEqual) return false
    hasMoney ||= held.isPositive
  }
  return hasMoney
}

/** Null if a contract does not answer. */
async function readBoth(
  [first, second]: Duplicate,
  read: (id: TokenId) => Promise<bigint | null>,
): Promise<{ isEqual: boolean; isPositive: boolean } | null> {
  const [one, other] = await Promise.all([read(first), read(second)])
  if (one === null || other === null) return null
  return { isEqual: one === other, isPositive: one > 0n }
}
