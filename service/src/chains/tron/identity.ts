import type { ChainId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import type { NodeStanding } from '../failover.ts'
import type { NodeIdentity } from '../options.ts'
import type { BlockRef } from '../port.ts'
import { brandTronChainId, MAIN_NETWORK, brandStranger } from './chain-ids.ts'
import { readHeader } from './node.ts'
import { recordOf, textOf } from './rpc.ts'
import { NodeRefusal } from './tron-node.ts'
import type { TronNode } from './tron-node.ts'

/** Facts about the chain that a node should serve. */
export interface KnownChain {
  chainId: ChainId
  /** Id of the first block of a private network, or of a later block; null for a public one. */
  genesis: string | null
  /** The identity stored at first contact, and a block of ours that no reorg can replace. */
  pin: { genesis: string; kept: BlockRef | null } | null
}

/** `node.p2p.version` of the main network, which its nodes must share to connect to each other. */
const MAIN_P2P_VERSION = '11111'
const HEIGHT_DIGITS = 16

/** The node's identity and head. */
export async function readStanding(node: TronNode, known: KnownChain): Promise<NodeStanding> {
  const [identity, head] = await Promise.all([
    readIdentity(node, known),
    readHeader(node, 'newest'),
  ])
  if (head === null) throw new Outage(node.name, 'has no blocks')
  return { identity, head: head.height }
}

/**
 * The chain that the node serves: by the configured block or else by its first block, whose id ends
 * with the chain's number. A lite node that lacks both is identified by a block of ours or, before
 * the first one, as a node of the main network by the version of its network protocol. An Outage if
 * nothing proves the chain.
 */
async function readIdentity(node: TronNode, known: KnownChain): Promise<NodeIdentity> {
  const { chainId, genesis, pin } = known
  const named = genesis === null ? null : await readId(node, heightOf(genesis))
  if (genesis !== null && named !== null) return compared(chainId, { id: named, should: genesis })
  const first = genesis === null ? await readId(node, 0) : null
  if (first !== null) return { chainId: brandTronChainId(first), genesis: first }
  const kept = pin?.kept ?? null
  const there = kept === null ? null : await readId(node, kept.height)
  if (pin !== null && kept !== null && there !== null) {
    const { hash: should } = kept
    return there === should
      ? { chainId, genesis: pin.genesis }
      : compared(chainId, { id: there, should })
  }
  if (genesis === null && (await readP2pVersion(node)) === MAIN_P2P_VERSION) return MAIN_NETWORK
  const says = 'lacks the first block, and no other block proves which chain it serves'
  throw new Outage(node.name, `${says}: contact a full node first`)
}

/** A block of another chain identifies that chain, even if it replaces a block of ours. */
function compared(chainId: ChainId, { id, should }: { id: string; should: string }): NodeIdentity {
  return { chainId: id === should ? chainId : brandStranger(id), genesis: id }
}

/** Null if the node does not have a block at the height, or declines to answer for it. */
async function readId(node: TronNode, height: number): Promise<string | null> {
  try {
    return (await readHeader(node, { height }))?.id ?? null
  } catch (error) {
    if (error instanceof NodeRefusal) return null
    throw error
  }
}

async function readP2pVersion(node: TronNode): Promise<string | null> {
  try {
    const info = recordOf(await node.ask({ method: 'getnodeinfo' }), 'node info')
    const { p2pVersion } = recordOf(info.configNodeInfo ?? {}, 'node info')
    return textOf(p2pVersion, 'p2pVersion')
  } catch (error) {
    if (error instanceof NodeRefusal) return null
    throw error
  }
}

function heightOf(id: string): number {
  return Number.parseInt(id.slice(0, HEIGHT_DIGITS), 16)
}
