import { recordOf, textOf, wordsOf } from './rpc.ts'
import { NodeRefusal } from './tron-node.ts'
import type { TronNode } from './tron-node.ts'

/** The node has it already, which counts as accepted (T08). */
const KNOWN = 'DUP_TRANSACTION_ERROR'

/**
 * Sends signed bytes to a node. Returns their id if the node accepts or already has them; throws a
 * NodeRefusal with its code and message otherwise. Nothing depends on the answer: an accepted
 * transaction may be lost, a refused one may be included (T07, T09).
 */
export async function sendRaw(node: TronNode, raw: Uint8Array): Promise<string> {
  const params = { transaction: Buffer.from(raw).toString('hex') }
  const answer = recordOf(await node.ask({ method: 'broadcasthex', params }), 'broadcast')
  const code = textOf(answer.code, 'broadcast.code')
  const id = textOf(answer.txid, 'broadcast.txid')
  if (answer.result === true) return id
  if (code === KNOWN) return `${id} (${KNOWN})`
  throw new NodeRefusal(node.name, 'broadcasthex', `${code}: ${wordsOf(answer.message)}`)
}
