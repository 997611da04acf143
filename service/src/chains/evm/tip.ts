import { type Clock, type Millis, isPausing } from '../../base/clock.ts'
import { nullIfAway } from '../../base/fault.ts'
import type { Failover } from '../failover.ts'
import { isDeclined } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { BlockRef, Tip } from '../port.ts'
import { readHead, readHeader } from './node.ts'
import type { RpcHeader } from './rpc.ts'

/** A node without a final block, or that is down, is queried again after this time. */
const FINALITY_RETRY_MS = 60_000

/** Reads heads, and remembers which nodes return no final block. */
interface TipReader {
  /**
   * The head of a node, and its final block or, if it has none, another node's: depth counts only
   * if no node has the tag (engineering, 12).
   */
  read(rpc: JsonRpc, fleet: Fleet): Promise<Tip>
}

type Fleet = Pick<Failover<JsonRpc>, 'others' | 'proven'>

/** If `finalityTag` is false, the chain is never queried for final blocks. */
export function openTipReader(clock: Clock, finalityTag: boolean): TipReader {
  const refusedAt = new Map<JsonRpc, Millis>()
  const isAsked = (rpc: JsonRpc) =>
    finalityTag && !isPausing(clock.now(), refusedAt.get(rpc) ?? null, FINALITY_RETRY_MS)
  const readFinal = async (rpc: JsonRpc): Promise<RpcHeader | null> => {
    if (!isAsked(rpc)) return null
    try {
      return await readHeader(rpc, 'finalized')
    } catch (error) {
      if (!isDeclined(error)) throw error
      refusedAt.set(rpc, clock.now())
      return null
    }
  }
  const readAny = async (rpc: JsonRpc, { others, proven }: Fleet): Promise<RpcHeader | null> => {
    const own = await readFinal(rpc)
    if (own !== null) return own
    for (const other of others(rpc).filter(isAsked)) {
      const found = await proven(other)
        .then(readFinal)
        .catch((error: unknown) => {
          refusedAt.set(other, clock.now())
          return nullIfAway(error)
        })
      if (found !== null) return found
    }
    return null
  }
  return {
    read: async (rpc, fleet) => {
      const [head, final] = await Promise.all([readHead(rpc), readAny(rpc, fleet)])
      // The two answers may be of two moments: a block above the head is not final for it.
      const isBelow = final !== null && final.height <= head.height
      return { head, final: isBelow ? refOf(final) : null }
    },
  }
}

function refOf({ height, hash }: RpcHeader): BlockRef {
  return { height, hash }
}
