import { recordOf, textOf, wordsOf } from './rpc.ts'
import { NodeRefusal } from './tron-node.ts'
import type { TronNode } from './tron-node.ts'

/** The node has it already: as good as taken (T08). */
const KNOWN = 'DUP_TRANSACTION_ERROR'

/**
 * Hands signed bytes to a node and tells what it says of them: their id where it takes them, or has
 * them already; a NodeRefusal with its code and words where it does not. None of it decides
 * anything: what is taken may be lost, what is refused may be on its way (T07, T09).
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
