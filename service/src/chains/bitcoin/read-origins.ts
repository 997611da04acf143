import type { ChainId } from '@sluice/wire'
import type { Log } from '../../base/log.ts'
import { Unfinished } from '../http.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Concern } from './block.ts'
import { type FoundBlock, readAllPrevouts, readPrevouts } from './node.ts'
import type { RawTransaction } from './raw-transaction.ts'
import type { Prevout } from './rpc.ts'
import { isAskable, TOLD_BYTES_MAX, toldBytesMax } from './told-size.ts'

type Origins = ReadonlyMap<string, Prevout[] | null>

const COUNT_AT_ONCE = 25
/** Parallel requests: a node reads the whole block for each queried transaction. */
const EXCHANGES_AT_ONCE = 4
/** From this number of transactions without keys, the node is queried once for the whole block. */
const HIDDEN_MAX = 20

/**
 * The outputs that the inputs of each concern spent, by txid; omitted if the answer would be too
 * long.
 */
export async function readOrigins(
  rpc: JsonRpc,
  { chainId, log }: { chainId: ChainId; log: Log },
  { height, block }: FoundBlock,
  concerns: readonly Concern[],
): Promise<Origins> {
  const asked = concerns.map(({ transaction }) => transaction).filter((one) => !one.isCoinbase)
  if (concerns.filter(({ isSent }) => isSent === 'hidden').length > HIDDEN_MAX) {
    const query = { txids: asked.map(({ txid }) => txid), blockHash: block.hash }
    const all = await readAllPrevouts(rpc, chainId, query).catch(nullIfUnfinished)
    if (all !== null) return all
  }
  for (const { txid } of asked.filter((one) => !isAskable(one))) {
    const about = { chainId, height, txnHash: txid }
    log.warn(
      about,
      'sender of a transaction unknown: the outputs that it spends may be too long to read',
    )
  }
  return readInGroups(rpc, chainId, { asked: asked.filter(isAskable), blockHash: block.hash })
}

/** The whole block may be too long, or too slow. */
function nullIfUnfinished(error: unknown): null {
  if (error instanceof Unfinished) return null
  throw error
}

async function readInGroups(
  rpc: JsonRpc,
  chainId: ChainId,
  { asked, blockHash }: { asked: readonly RawTransaction[]; blockHash: string },
): Promise<Origins> {
  const origins = new Map<string, Prevout[] | null>()
  const groups = groupsOf(asked)
  for (let at = 0; at < groups.length; at += EXCHANGES_AT_ONCE) {
    const some = groups.slice(at, at + EXCHANGES_AT_ONCE).map(async (group) => {
      const txids = group.map(({ txid }) => txid)
      return readPrevouts(rpc, chainId, { txids, blockHash })
    })
    for (const found of await Promise.all(some)) {
      for (const [txid, prevouts] of found) origins.set(txid, prevouts)
    }
  }
  return origins
}

function groupsOf(transactions: readonly RawTransaction[]): RawTransaction[][] {
  const groups: RawTransaction[][] = []
  let bytes = 0
  for (const transaction of transactions) {
    const last = groups.at(-1)
    const told = toldBytesMax(transaction)
    bytes += told
    if (last !== undefined && last.length < COUNT_AT_ONCE && bytes <= TOLD_BYTES_MAX) {
      last.push(transaction)
      continue
    }
    groups.push([transaction])
    bytes = told
  }
  return groups
}
