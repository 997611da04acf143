import type { JsonRpc } from '../json-rpc.ts'
import { SMALL_BYTES_MAX } from '../json-rpc.ts'
import type { BlockRef, CoinPoint } from '../port.ts'
import { readExact, readHash, readHead } from './node.ts'
import { parseCoins, parseHash, parseRecord } from './rpc.ts'

/** A node's fee rates, in base units for a thousand virtual bytes. */
export interface Prices {
  /** Null if the node has too little data. */
  estimate: bigint | null
  /** The current minimum for relay. */
  floor: bigint
}

/** Target of blocks for confirmation. */
const TARGET_BLOCKS = 3
/** Outputs in one request. */
const COINS_AT_ONCE = 200

/** Reads estimate and floor. `estimatesmartfee` may return neither a rate nor an error. */
export async function readPrices(rpc: JsonRpc): Promise<Prices> {
  const estimated = await ask(rpc, 'estimatesmartfee', [TARGET_BLOCKS])
  const pool = await ask(rpc, 'getmempoolinfo', [])
  const { feerate } = parseRecord(estimated, 'estimate')
  const { mempoolminfee, minrelaytxfee } = parseRecord(pool, 'pool')
  const least = parseCoins(minrelaytxfee, 'minrelaytxfee')
  const current = parseCoins(mempoolminfee, 'mempoolminfee')
  return {
    estimate: feerate === undefined ? null : parseCoins(feerate, 'feerate'),
    floor: current > least ? current : least,
  }
}

/** Sends signed bytes to the node and returns its answer, the transaction's hash. */
export async function sendRaw(rpc: JsonRpc, raw: Uint8Array): Promise<string> {
  const params = [Buffer.from(raw).toString('hex')]
  const answer = await rpc.call({ method: 'sendrawtransaction', params })
  return parseHash(answer, 'the hash of what was sent')
}

/**
 * The block of a transaction with an output that is unspent there; null without one. The head is
 * read before and after, so no block in between misleads.
 */
export async function readInclusion(
  rpc: JsonRpc,
  { txnHash, vout }: { txnHash: string; vout: number },
): Promise<BlockRef | null> {
  const answer = await ask(rpc, 'gettxout', [txnHash, vout, false])
  if (answer === null) return null
  const { bestblock, confirmations } = parseRecord(answer, 'output')
  const head = await readHead(rpc)
  const depth = Number(confirmations)
  if (head.hash !== bestblock || !Number.isSafeInteger(depth) || depth < 1) return null
  const height = head.height - depth + 1
  const hash = await readHash(rpc, height)
  return hash === null ? null : { height, hash }
}

/**
 * Whether the node's blocks have each output unspent; its hash names its contents. Unconfirmed
 * transactions do not count unless requested.
 */
export async function areUnspent(
  rpc: Pick<JsonRpc, 'batch'>,
  coins: readonly CoinPoint[],
  { countsWaiting = false }: { countsWaiting?: boolean } = {},
): Promise<boolean[]> {
  const found: boolean[] = []
  for (let at = 0; at < coins.length; at += COINS_AT_ONCE) {
    const calls = coins.slice(at, at + COINS_AT_ONCE).map(({ txnHash, vout }) => {
      return { method: 'gettxout', params: [txnHash, vout, countsWaiting] }
    })
    found.push(...(await rpc.batch(calls)).map((answer) => answer !== null))
  }
  return found
}

function ask(rpc: JsonRpc, method: string, params: readonly unknown[]): Promise<unknown> {
  return readExact(rpc, { method, params }, SMALL_BYTES_MAX)
}
