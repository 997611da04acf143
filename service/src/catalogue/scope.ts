import { ALL_CHAINS } from './chains.ts'
import type { ChainEntry } from './chains.ts'

/**
 * Chains on which an address of ours is watched (decisions, section 2). A key has the same address
 * on every EVM chain, so a payment over the wrong network is still detected. Main and test networks
 * are separate: test money must never be credited.
 */
export function watchScope({ id, namespace, isTestnet, sharesKeys }: ChainEntry): string {
  if (!sharesKeys) return id
  return `${namespace}/${isTestnet ? 'testnet' : 'mainnet'}`
}

/** The chains of a scope; empty if the text is not a scope. */
export function chainsOfScope(scope: string): readonly ChainEntry[] {
  return ALL_CHAINS.filter((entry) => watchScope(entry) === scope)
}
