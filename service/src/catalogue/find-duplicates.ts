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
 * Returns the pairs of listed contracts of a chain that seem to be one ledger by their supplies and
 * our holders' balances, and in `unknown` the pairs for which no node answered.
 */
export async function findDuplicates(
  { chains, holdersOf }: { chains: Chains; holdersOf: HoldersOf },
  catalogue: Catalogue,
): Promise<{ found: Duplicate[]; unknown: Duplicate[] }> {
  const answer: { found: Duplicate[]; unknown: Duplicate[] } = { found: [], unknown: [] }
  for (const adapter of chains.all()) {
    for (const pair of pairsOn(catalogue, adapter.chainId)) {
      try {
        const { decimals = 0 } = catalogue.token(pair[0]) ?? {}
        if (await isOneLedger(adapter, { pair, decimals, holdersOf })) answer.found.push(pair)
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

/**
 * Unequal supplies or unequal balances of a holder show two ledgers. Equal balances above zero show
 * one. Without such a holder, equal supplies count only if they are not a whole number of tokens:
 * contracts deployed with the same round supply are common, above all on test networks.
 */
async function isOneLedger(
  adapter: ChainAdapter,
  { pair, decimals, holdersOf }: { pair: Duplicate; decimals: number; holdersOf: HoldersOf },
): Promise<boolean> {
  const supplies = await readBoth(pair, (id) => adapter.supplyOf(id))
  if (supplies?.isEqual === false) return false
  for (const holder of await holdersOf(adapter.chainId, pair)) {
    const held = await readBoth(pair, (id) => adapter.balanceOf(holder, id, 'head'))
    if (held?.isEqual === false) return false
    if (held !== null && held.first > 0n) return true
  }
  return supplies !== null && supplies.first % 10n ** BigInt(decimals) !== 0n
}

/** Null if a contract does not answer. */
async function readBoth(
  [first, second]: Duplicate,
  read: (id: TokenId) => Promise<bigint | null>,
): Promise<{ isEqual: boolean; first: bigint } | null> {
  const [one, other] = await Promise.all([read(first), read(second)])
  if (one === null || other === null) return null
  return { isEqual: one === other, first: one }
}
