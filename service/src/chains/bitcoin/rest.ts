import { Outage } from '../../base/fault.ts'
import type { HttpNode } from '../http.ts'
import type { JsonRpc } from '../json-rpc.ts'

/** A node, and the interface it may offer beside its calls. */
export interface BitcoinNode extends JsonRpc {
  readonly rest: Rest
}

/**
 * Reads blocks as bytes, without hex and JSON (Core's REST interface, off unless the node was
 * started with `-rest`).
 */
interface Rest {
  /** Probes whether the node offers it; until then it counts as not offered. */
  detect(): Promise<void>
  /**
   * The claimed bytes of a block, which the caller must prove; null if REST is not offered, or
   * lacks the block.
   */
  block(hash: string): Promise<Buffer | null>
}

/** The name under which requests are counted and timed. */
type Timed = <T>(method: string, work: () => Promise<T>) => Promise<T>

const BLOCK_BYTES_MAX = 4_100_000
const CHAIN_BYTES_MAX = 100_000

/** Not probed yet. */
export function openRest({ get }: Pick<HttpNode, 'get'>, timed: Timed): Rest {
  let isOffered = false
  if (get === undefined) return { detect: async () => undefined, block: async () => null }
  const read = async (path: string, bytesMax: number): Promise<Buffer | null> => {
    const { status, body } = await get(path, bytesMax)
    return status === OK ? body : null
  }
  return {
    detect: async () => {
      isOffered = isChain(await orNull(read('/rest/chaininfo.json', CHAIN_BYTES_MAX)))
    },
    block: async (hash) => {
      if (!isOffered) return null
      const path = `/rest/block/${hash}.bin`
      return orNull(timed('rest/block', () => read(path, BLOCK_BYTES_MAX)))
    },
  }
}

const OK = 200

/** The answer must be Core's, not a proxy's that accepts every path. */
function isChain(body: Buffer | null): boolean {
  if (body === null) return false
  try {
    const { bestblockhash, blocks } = Object(JSON.parse(body.toString('utf8')))
    return typeof bestblockhash === 'string' && typeof blocks === 'number'
  } catch {
    return false
  }
}

async function orNull<T>(answer: Promise<T | null>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Outage) return null
    throw error
  }
}
