import type { Failover } from '../failover.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { NOT_FOUND, orNull, readExact } from './node.ts'

const BYTES_MAX = 64_000

/** Of each transaction, whether any node has it waiting; an Outage where one of them is away. */
export async function areWaiting(
  failover: Failover<JsonRpc>,
  hashes: readonly string[],
): Promise<boolean[]> {
  const nodes = await failover.use(async (node) => [node, ...failover.others(node)])
  return Promise.all(
    hashes.map(async (txnHash) => {
      const found = await Promise.all(nodes.map((node) => isWaiting(node, txnHash)))
      return found.includes(true)
    }),
  )
}

async function isWaiting(node: JsonRpc, txnHash: string): Promise<boolean> {
  const call = { method: 'getmempoolentry', params: [txnHash] }
  return (await orNull(NOT_FOUND, readExact(node, call, BYTES_MAX))) !== null
}
