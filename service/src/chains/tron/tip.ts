import { Outage } from '../../base/fault.ts'
import type { BlockRef, Tip } from '../port.ts'
import { readHeader } from './node.ts'
import type { RpcHeader } from './rpc.ts'
import type { TronNode } from './tron-node.ts'

/**
 * The head, and the highest solid block: nothing else makes a deposit final here, so a node that
 * does not return it counts as down. Nodes behind one address may lag one another: if the solid
 * block is above the head, the solid chain's block at the height of the head is used (T06).
 */
export async function readTip(node: TronNode): Promise<Tip> {
  const [head, solid] = await Promise.all([
    readHeader(node, 'newest'),
    readHeader(node, 'newest', 'walletsolidity'),
  ])
  if (head === null || solid === null) throw new Outage(node.name, 'has no head')
  const final =
    solid.height <= head.height
      ? solid
      : await readHeader(node, { height: head.height }, 'walletsolidity')
  if (final === null) throw new Outage(node.name, 'lacks a block below its solid one')
  return { head: refOf(head), final: refOf(final) }
}

function refOf({ height, id }: RpcHeader): BlockRef {
  return { height, hash: id }
}
