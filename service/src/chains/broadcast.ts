import { Outage } from '../base/fault.ts'
import type { Failover } from './failover.ts'
import { RpcRefusal } from './json-rpc.ts'
import { AFTER_NAME, BETWEEN_ANSWERS } from './named-rate.ts'

const ANSWER_MAX = 500

interface Named {
  readonly name: string
}

/**
 * Sends signed bytes to every node that serves the chain and returns their answers, which decide
 * nothing: a node may keep refused bytes, and drop accepted ones (W13, W14).
 */
export async function broadcastTo<N extends Named>(
  failover: Failover<N>,
  send: (node: N) => Promise<string>,
): Promise<{ answer: string; isUnheard: boolean }> {
  const nodes = await failover.use(async (node) => [node, ...failover.others(node)])
  const sendTo = async (node: N) => send(await failover.proven(node))
  const answers = await Promise.all(nodes.map((node) => say(node, sendTo)))
  const answer = answers.map(({ said }) => said).join(BETWEEN_ANSWERS)
  return { answer: answer.slice(0, ANSWER_MAX), isUnheard: answers.every(({ isAway }) => isAway) }
}

async function say<N extends Named>(
  node: N,
  send: (node: N) => Promise<string>,
): Promise<{ said: string; isAway: boolean }> {
  try {
    return { said: `${node.name}${AFTER_NAME}${await send(node)}`, isAway: false }
  } catch (error) {
    if (error instanceof RpcRefusal) {
      return { said: `${node.name}${AFTER_NAME}${error.said} (${error.code})`, isAway: false }
    }
    if (error instanceof Outage) return { said: error.message, isAway: true }
    throw error
  }
}
