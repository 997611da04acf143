import { Outage } from '../base/fault.ts'
import type { Failover } from './failover.ts'
import { RpcRefusal } from './json-rpc.ts'

const ANSWER_MAX = 500

interface Named {
  readonly name: string
}

/**
 * Hands signed bytes to every node that serves the chain, and to no other, at once, and tells what
 * each said. Nothing is concluded: a node may keep what it refuses, and lose what it takes (W13,
 * W14).
 */
export async function broadcastTo<N extends Named>(
  failover: Failover<N>,
  send: (node: N) => Promise<string>,
): Promise<{ answer: string }> {
  const nodes = await failover.use(async (node) => [node, ...failover.others(node)])
  const sendTo = async (node: N) => send(await failover.proven(node))
  const answers = await Promise.all(nodes.map((node) => say(node, sendTo)))
  return { answer: answers.join('; ').slice(0, ANSWER_MAX) }
}

async function say<N extends Named>(node: N, send: (node: N) => Promise<string>): Promise<string> {
  try {
    return `${node.name}: ${await send(node)}`
  } catch (error) {
    if (error instanceof RpcRefusal) return `${node.name}: ${error.said} (${error.code})`
    if (error instanceof Outage) return error.message
    throw error
  }
}
