import type { NodeReport } from '../chains/options.ts'
import type { ChainEntry } from './chains.ts'
import type { ChainState } from './chain-state.ts'

/**
 * What the nodes' own words mean for a chain. `fine`: at least one node serves it; `halt`: nodes
 * serve another chain, so nothing they say may be believed; `unreachable`: none could be asked.
 */
export type ChainVerdict =
  | { verdict: 'fine'; genesis: string; strangers: readonly string[] }
  | { verdict: 'halt'; cause: string }
  | { verdict: 'unreachable'; cause: string }

/**
 * Decides what the answers of a chain's nodes mean (engineering, 16). A node of another chain is
 * set aside by its adapter and named among `strangers` while another one serves; where none does,
 * the chain halts. A node with the right id but another genesis than the pinned one halts it in any
 * case: the adapter cannot tell such a node from a good one. `state` is null before first contact,
 * when there is nothing pinned yet and every node must name the same genesis.
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
