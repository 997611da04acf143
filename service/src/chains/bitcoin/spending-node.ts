import type { JsonRpc } from '../json-rpc.ts'
import { SMALL_BYTES_MAX } from '../json-rpc.ts'
import type { BlockRef, CoinPoint } from '../port.ts'
import { readExact, readHash, readHead } from './node.ts'
import { parseCoins, parseHash, parseRecord } from './rpc.ts'

/** What a node says that room in a block costs, in base units for a thousand virtual bytes. */
export interface Prices {
  /** Null where the node has seen too little to say. */
  estimate: bigint | null
  /** The least that it passes on now. */
  floor: bigint
}

/** Confirmed within so many blocks, more likely than not. */
const TARGET_BLOCKS = 3
/** Coins asked for in one exchange. */
const COINS_AT_ONCE = 200

/** Asks for estimate and floor. `estimatesmartfee` may answer neither a rate nor an error. */
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

/** Hands signed bytes to the node, and gives what it answers: the transaction's hash. */
export async function sendRaw(rpc: JsonRpc, raw: Uint8Array): Promise<string> {
  const params = [Buffer.from(raw).toString('hex')]
  const answer = await rpc.call({ method: 'sendrawtransaction', params })
  return parseHash(answer, 'the hash of what was sent')
}

/**
 * The block that holds a transaction whose output is still unspent there; null where none is. The
 * head is read before and after, so that no block between misleads.
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
 * Of each coin, whether the node's blocks have it unspent; its hash says what it holds. What waits
 * for a block does not count, unless that is wanted.
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
