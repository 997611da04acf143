import type { JsonRpc } from '../json-rpc.ts'
import type { Fate, Spent } from '../port.ts'
import { readInclusion } from './spending-node.ts'

/** Payments come first and change after them: one of these is unspent longer than the others. */
const OUTPUTS_ASKED = 2

/**
 * What became of transactions that share a coin. A node without an index knows a transaction by its
 * unspent outputs alone: where all are spent again, or none is in a block yet, nothing is said.
 * Blocks tell, and the scanner reads them.
 */
export async function findFate(rpc: JsonRpc, { hashes }: Pick<Spent, 'hashes'>): Promise<Fate> {
  for (const txnHash of hashes) {
    for (let vout = 0; vout < OUTPUTS_ASKED; vout += 1) {
      const ref = await readInclusion(rpc, { txnHash, vout })
      if (ref !== null) return { state: 'included', txnHash, ref, succeeded: true }
    }
  }
  return { state: 'unknown' }
}
