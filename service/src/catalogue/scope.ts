import { ALL_CHAINS } from './chains.ts'
import type { ChainEntry } from './chains.ts'

/**
 * Where an address of this chain is ours (decisions, section 2): one key makes the same address on
 * every EVM chain, so a payment over the wrong network still arrives. Main and test networks are
 * kept apart, since test money must never become a credit. Elsewhere the scope is the chain alone.
 */
export function watchScope(entry: ChainEntry): string {
  if (entry.namespace !== 'eip155') return entry.id
  return entry.isTestnet ? 'eip155/testnet' : 'eip155/mainnet'
}

/** The chains of a scope, none for a text that is no scope. */
export function chainsOfScope(scope: string): readonly ChainEntry[] {
  return ALL_CHAINS.filter((entry) => watchScope(entry) === scope)
}
