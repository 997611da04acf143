import type { ChainId } from '@sluice/wire'
import type { NodeReport } from '../chains/options.ts'
import type { Tx } from '../store/database.ts'
import {
  type NodeCount,
  type NodeRow,
  replaceNodes,
  selectNodeCounts,
  selectNodes,
} from './node-rows.ts'

/** Stores the answers of the nodes of a chain, for the API and the command line. */
export function noteNodes(tx: Tx, chainId: ChainId, reports: readonly NodeReport[]): Promise<void> {
  return replaceNodes(tx, chainId, reports.map(rowOf))
}

/** The nodes of all chains as the scanner last found them. */
export function readNodes(tx: Tx): Promise<NodeRow[]> {
  return selectNodes(tx)
}

/** How many nodes of each chain answered the scanner, by chain; chains without a query omitted. */
export async function countNodes(tx: Tx): Promise<ReadonlyMap<string, NodeCount>> {
  const counts = await selectNodeCounts(tx)
  return new Map(counts.map((count) => [count.chainId, count]))
}

function rowOf({ node, outcome, ms = 0 }: NodeReport) {
  const answered = { node, state: outcome.state, latencyMs: Math.round(ms) }
  if (outcome.state === 'serves') return { ...answered, head: outcome.head, error: '' }
  const error =
    outcome.state === 'unreachable'
      ? outcome.reason
      : `serves ${outcome.answered}, expected ${outcome.expected}`
  return { ...answered, head: null, error }
}
