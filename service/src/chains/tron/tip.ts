import { Outage } from '../../base/fault.ts'
import type { BlockRef, Tip } from '../port.ts'
import { readHeader } from './node.ts'
import type { RpcHeader } from './rpc.ts'
import type { TronNode } from './tron-node.ts'

/**
 * The head, and the highest block that is solid: nothing else makes a deposit final here, so a node
 * that does not say which it is counts as one that is away. Nodes behind one address lag one
 * another: where the solid block lies above the head, the solid chain's own word for the height of
 * the head is taken (T06).
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
