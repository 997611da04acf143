import type { ChainId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import type { NodeStanding } from '../failover.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc, RpcCall } from '../json-rpc.ts'
import type { BlockQuery, BlockRef } from '../port.ts'
import { chainIdOfGenesis } from './networks.ts'
import type { RawBlock } from './raw-block.ts'
import { MalformedAnswer, demand } from './read-bytes.ts'
import type { BitcoinNode } from './rest.ts'
import {
  parseChain,
  parseHash,
  parseHeader,
  parseHexBytes,
  parseList,
  parsePrevouts,
  parseRecord,
} from './rpc.ts'
import type { Prevout, RpcChain, RpcHeader } from './rpc.ts'

/** A block with the height that the node reports. */
export interface FoundBlock {
  height: number
  block: RawBlock
}

/** Four million bytes of a block as hex, and the JSON around them. */
const BLOCK_BYTES_MAX = 9_000_000
/** Transactions of a whole block, as JSON. */
const TRANSACTIONS_BYTES_MAX = 64_000_000
/** Core's error code for missing data. */
export const NOT_FOUND = -5
const OUT_OF_RANGE = -8

/**
 * Reads a node's identity and head. An Outage if it cannot serve: pruned, or still downloading the
 * chain.
 */
export async function readStanding(rpc: BitcoinNode): Promise<NodeStanding> {
  const [chain, genesis] = await rpc.batch([
    { method: 'getblockchaininfo', params: [] },
    { method: 'getblockhash', params: [0] },
  ])
  const hash = parseHash(genesis, 'the genesis hash')
  const { height } = fitChain(rpc, parseChain(chain))
  await rpc.rest.detect()
  return { identity: { chainId: chainIdOfGenesis(hash), genesis: hash }, head: height }
}

/** The highest block of the node's chain. */
export async function readHead(rpc: JsonRpc): Promise<BlockRef> {
  const answer = await rpc.call({ method: 'getblockchaininfo', params: [] })
  const { height, hash } = fitChain(rpc, parseChain(answer))
  return { height, hash }
}

/** The hash of the node's block at a height; null if it has none. */
export async function readHash(rpc: JsonRpc, height: number): Promise<string | null> {
  const answer = await orNull(OUT_OF_RANGE, rpc.call({ method: 'getblockhash', params: [height] }))
  return answer === null ? null : parseHash(answer, 'a block hash')
}

/** The header of a block that the node reported. */
export async function readHeader(rpc: JsonRpc, hash: string): Promise<RpcHeader> {
  const answer = await rpc.call({ method: 'getblockheader', params: [hash, true] })
  const header = parseHeader(answer)
  demand(header.hash === hash, 'another header than was asked for')
  return header
}

/** Reads the bytes of a block and proves them; an Outage if they are not that block. */
type ReadBytes = (bytes: Buffer) => Promise<RawBlock>

/** A whole block, proved by its hash; null if the node has none. */
export async function readBlock(
  rpc: BitcoinNode,
  query: BlockQuery,
  read: ReadBytes,
): Promise<FoundBlock | null> {
  const hash = 'hash' in query ? query.hash : await readHash(rpc, query.height)
  if (hash === null) return null
  const found = (await readByRest(rpc, hash, read)) ?? (await readByCalls(rpc, hash, read))
  if (found === null) return null
  demand(!('height' in query) || found.height === query.height, "a block's height")
  return found
}

/**
 * Null if the node offers only calls, or does not have the block: the calls then report the error,
 * if any.
 */
async function readByRest(
  rpc: BitcoinNode,
  hash: string,
  read: ReadBytes,
): Promise<FoundBlock | null> {
  const bytes = await rpc.rest.block(hash)
  const block = bytes === null ? null : await nullIfMalformed(read(bytes))
  if (block?.hash !== hash) return null
  const header = await orNull(NOT_FOUND, readHeader(rpc, hash))
  if (header === null) return null
  demand(block.previousHash === header.previousHash, 'a header of another block')
  return { height: header.height, block }
}

async function readByCalls(
  rpc: BitcoinNode,
  hash: string,
  read: ReadBytes,
): Promise<FoundBlock | null> {
  const calls: RpcCall[] = [
    { method: 'getblockheader', params: [hash, true] },
    { method: 'getblock', params: [hash, 0] },
  ]
  const answers = await orNull(NOT_FOUND, rpc.batch(calls, BLOCK_BYTES_MAX))
  if (answers === null) return null
  const header = parseHeader(answers[0])
  const block = await read(parseHexBytes(answers[1], 'block'))
  demand(block.hash === hash && header.hash === hash, 'another block than was asked for')
  demand(block.previousHash === header.previousHash, 'a header of another block')
  return { height: header.height, block }
}

/**
 * The outputs that inputs of transactions of a block spent, by txid, in one request; null if the
 * node does not return them. The block is named, so no index is needed.
 */
export async function readPrevouts(
  rpc: JsonRpc,
  chainId: ChainId,
  { txids, blockHash }: { txids: readonly string[]; blockHash: string },
): Promise<Map<string, Prevout[] | null>> {
  const calls = txids.map((txid) => {
    return { method: 'getrawtransaction', params: [txid, 2, blockHash] }
  })
  const answers = await rpc.batchExactly(calls, TRANSACTIONS_BYTES_MAX)
  return new Map(txids.map((txid, at) => [txid, parsePrevouts(answers[at], chainId)]))
}

/**
 * The same for many transactions of a block, from one answer with the whole block: a node reads the
 * whole block for each single query.
 */
export async function readAllPrevouts(
  rpc: JsonRpc,
  chainId: ChainId,
  { txids, blockHash }: { txids: readonly string[]; blockHash: string },
): Promise<Map<string, Prevout[] | null>> {
  const call = { method: 'getblock', params: [blockHash, 3] }
  const { tx } = parseRecord(await readExact(rpc, call, TRANSACTIONS_BYTES_MAX), 'block')
  const wanted = new Set(txids)
  const found = new Map<string, Prevout[] | null>()
  for (const one of parseList(tx, 'block.tx')) {
    const txid = parseHash(parseRecord(one, 'transaction').txid, 'transaction.txid')
    if (wanted.has(txid)) found.set(txid, parsePrevouts(one, chainId))
  }
  return found
}

/** The result of a call, with numbers as texts. */
export function readExact(rpc: JsonRpc, call: RpcCall, bytesMax: number): Promise<unknown> {
  return rpc.read(call, bytesMax, ({ exact }) => exact())
}

/** The answer; null if the node refuses with this code because it lacks the data. */
export async function orNull<T>(code: number, answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcRefusal && error.code === code) return null
    throw error
  }
}

async function nullIfMalformed<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof MalformedAnswer) return null
    throw error
  }
}

function fitChain(rpc: JsonRpc, chain: RpcChain): RpcChain {
  if (chain.isPruned) throw new Outage(rpc.name, 'is pruned: blocks of the past are missing there')
  if (chain.isDownloading) {
    throw new Outage(rpc.name, `is still downloading the chain: it has come to ${chain.height}`)
  }
  return chain
}
