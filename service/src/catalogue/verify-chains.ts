import type { NodeReport } from '../chains/options.ts'
import type { ChainEntry } from './chains.ts'
import type { ChainState } from './chain-state.ts'

/**
 * `fine`: at least one node serves the chain; `halt`: nodes serve another chain, so no answer may
 * be trusted; `unreachable`: no node answered.
 */
export type ChainVerdict =
  | { verdict: 'fine'; genesis: string; strangers: readonly string[] }
  | { verdict: 'halt'; cause: string }
  | { verdict: 'unreachable'; cause: string }

/**
 * Evaluates the identities of a chain's nodes (engineering, 16). A node of another chain is
 * excluded by the adapter and listed in `strangers` while another node serves the chain; otherwise
 * the chain halts. A node with the right id but another genesis than the pinned one always halts
 * it, since the adapter cannot recognize such a node. Before first contact (`state` is null) all
 * nodes must report the same genesis.
 */
export function judgeChain(
  entry: ChainEntry,
  state: Pick<ChainState, 'genesis'> | null,
  reports: readonly NodeReport[],
): ChainVerdict {
  const strangers = reports.flatMap(strangerOf)
  const genesis = reports.flatMap(genesisOf)
  const expected = state?.genesis ?? genesis[0]?.genesis
  const foreign = genesis.find((one) => one.genesis !== expected || !fitsId(entry, one.genesis))
  if (foreign !== undefined)
    return { verdict: 'halt', cause: wrongGenesis(entry, foreign, expected) }
  if (expected !== undefined && genesis.length > 0)
    return { verdict: 'fine', genesis: expected, strangers }
  if (strangers.length > 0) return { verdict: 'halt', cause: strangers.join('; ') }
  return { verdict: 'unreachable', cause: reports.flatMap(silenceOf).join('; ') || 'no nodes' }
}

/** A bip122 reference is the beginning of the hash of the chain's first block (CAIP-4). */
function fitsId(entry: ChainEntry, genesis: string): boolean {
  return !entry.isNamedByGenesis || genesis.startsWith(entry.reference)
}

function wrongGenesis(
  entry: ChainEntry,
  found: { node: string; genesis: string },
  expected: string | undefined,
): string {
  const should = fitsId(entry, found.genesis) ? expected : `${entry.reference}…`
  return `${found.node} serves the chain of block ${found.genesis}, not of ${should}`
}

function genesisOf({ node, outcome }: NodeReport): { node: string; genesis: string }[] {
  return outcome.state === 'serves' ? [{ node, genesis: outcome.identity.genesis }] : []
}

function strangerOf({ node, outcome }: NodeReport): string[] {
  if (outcome.state !== 'wrong-chain') return []
  return [`${node} serves ${outcome.answered}, not ${outcome.expected}`]
}

function silenceOf({ node, outcome }: NodeReport): string[] {
  return outcome.state === 'unreachable' ? [`${node}: ${outcome.reason}`] : []
}
