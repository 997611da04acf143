import { Outage } from '../../base/fault.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { sendRaw } from './spending-node.ts'

const ANSWER_MAX = 500

/**
 * Hands signed bytes to every one of these nodes at once and tells what each said. Nothing is
 * concluded: a node may keep what it refuses, and lose what it takes (W13, W14).
 */
export async function broadcastTo(
  nodes: readonly JsonRpc[],
  raw: Uint8Array,
): Promise<{ answer: string }> {
  const answers = await Promise.all(nodes.map((rpc) => say(rpc, raw)))
  return { answer: answers.join('; ').slice(0, ANSWER_MAX) }
}

async function say(rpc: JsonRpc, raw: Uint8Array): Promise<string> {
  try {
    return `${rpc.name}: ${await sendRaw(rpc, raw)}`
  } catch (error) {
    if (error instanceof RpcRefusal) return `${rpc.name}: ${error.said} (${error.code})`
    if (error instanceof Outage) return error.message
    throw error
  }
}
