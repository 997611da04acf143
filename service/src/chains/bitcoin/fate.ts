import type { JsonRpc } from '../json-rpc.ts'
import type { Fate, Spent } from '../port.ts'
import { readInclusion } from './spending-node.ts'

/** Payments come before change: one of these stays unspent longer than the others. */
const OUTPUTS_ASKED = 2

/**
 * Finds the result of transactions that share an input. A node without an index finds a transaction
 * by its unspent outputs only: if all are spent, or no block has the transaction, the result is
 * unknown. The scanner finds it in blocks.
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
