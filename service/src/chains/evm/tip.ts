import { type Clock, type Millis, isPausing } from '../../base/clock.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { BlockRef, Tip } from '../port.ts'
import { readHead, readHeader } from './node.ts'
import type { RpcHeader } from './rpc.ts'

/** A node that knows no final block is asked again after this. */
const FINALITY_RETRY_MS = 60_000

/** Reads heads, and remembers which nodes name no final block. */
export interface TipReader {
  read(rpc: JsonRpc): Promise<Tip>
}

/** Where `finalityTag` is false the chain is never asked for final blocks. */
export function openTipReader(clock: Clock, finalityTag: boolean): TipReader {
  const refusedAt = new Map<JsonRpc, Millis>()
  const readFinal = async (rpc: JsonRpc): Promise<RpcHeader | null> => {
    if (!finalityTag) return null
    if (isPausing(clock.now(), refusedAt.get(rpc) ?? null, FINALITY_RETRY_MS)) return null
    try {
      return await readHeader(rpc, 'finalized')
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      refusedAt.set(rpc, clock.now())
      return null
    }
  }
  return {
    read: async (rpc) => {
      const [head, final] = await Promise.all([readHead(rpc), readFinal(rpc)])
      // The two answers may come from two moments: what is above the head is not final for it.
      const isBelow = final !== null && final.height <= head.height
      return { head, final: isBelow ? refOf(final) : null }
    },
  }
}

function refOf({ height, hash }: RpcHeader): BlockRef {
  return { height, hash }
}
