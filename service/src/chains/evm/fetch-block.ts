import type { ChainId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import type { Log } from '../../base/log.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { BlockQuery, BlockScope, CompletenessMode } from '../port.ts'
import type { BlockEvidence } from './block.ts'
import { countLogs, demandSomeLogs, demandTransactions, proveReceipts } from './completeness.ts'
import { tellsSuccess, weighLogs, weighReceipts } from './evidence.ts'
import { readBlock, readHeader, readLogs, readReceipts, readReceiptsOf } from './node.ts'
import { MalformedAnswer, malformed } from './rpc.ts'
import type { RpcBlock, RpcLog, RpcReceipt } from './rpc.ts'
import type { Tracing } from './tracing.ts'

export interface BlockSource {
  chainId: ChainId
  completeness: CompletenessMode
  tracing: Tracing
  /**
   * The chain's other nodes, of which one counts the logs where the header does not commit to them.
   */
  others: (rpc: JsonRpc) => readonly JsonRpc[]
  log: Log
}

/**
 * Everything one node tells of a block: first the block, then all else by its hash, so that no
 * answer mixes two branches. Null where the node has no such block, or has replaced it meanwhile.
 */
export async function fetchBlock(
  source: BlockSource,
  rpc: JsonRpc,
  query: BlockQuery,
  scope: BlockScope,
): Promise<BlockEvidence | null> {
  const block = await readBlock(rpc, query)
  if (block === null) return null
  demandTransactions(block)
  try {
    return source.completeness === 'receipts'
      ? await fetchByReceipts(source, rpc, block)
      : await fetchByLogs(source, rpc, block, scope)
  } catch (error) {
    if (isAnswer(error) && (await hasLeft(rpc, block))) return null
    throw error
  }
}

/** Whether the node did answer, though not what was needed. */
function isAnswer(error: unknown): boolean {
  return error instanceof MalformedAnswer || error instanceof RpcRefusal
}

/** A reorg while a block is read is nobody's fault: the node has another block there now. */
async function hasLeft(rpc: JsonRpc, block: RpcBlock): Promise<boolean> {
  const header = await readHeader(rpc, block.height)
  return header !== null && header.hash !== block.hash
}

async function fetchByReceipts(
  source: BlockSource,
  rpc: JsonRpc,
  block: RpcBlock,
): Promise<BlockEvidence> {
  const [receipts, traces] = await Promise.all([
    readReceipts(rpc, block),
    source.tracing.trace(rpc, block),
  ])
  const completeness = proveReceipts(source.chainId, block, receipts)
  if (completeness === 'likely') await countAgain(source, rpc, block, receipts)
  return { block, evidence: weighReceipts(block, receipts, traces) }
}

/**
 * The first other node that answers must have as many logs. Without one the node at hand is
 * believed, with a warning.
 */
async function countAgain(
  { chainId, others, log }: BlockSource,
  rpc: JsonRpc,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): Promise<void> {
  for (const other of others(rpc)) {
    const counted = await countOn(other, block)
    if (counted === null) continue
    if (counted === countLogs(receipts)) return
    throw malformed(`${countLogs(receipts)} logs where another node has ${counted}`)
  }
  log.warn({ chainId, height: block.height }, 'no second node has counted the logs of a block')
}

async function countOn(other: JsonRpc, block: RpcBlock): Promise<number | null> {
  try {
    return countLogs(await readReceipts(other, block))
  } catch (error) {
    if (error instanceof Outage) return null
    throw error
  }
}

async function fetchByLogs(
  { tracing }: BlockSource,
  rpc: JsonRpc,
  block: RpcBlock,
  scope: BlockScope,
): Promise<BlockEvidence> {
  const [logs, traces] = await Promise.all([readLogs(rpc, block), tracing.trace(rpc, block)])
  demandSomeLogs(block, logs)
  const doubtful = traces === null ? doubtfulOf(block, logs, scope) : []
  const receipts = await readReceiptsOf(rpc, block, doubtful)
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  return { block, evidence: weighLogs(block, logs, byHash, traces) }
}

/**
 * Transactions of which no log shows that they succeeded, though it matters: they pay someone, or
 * are our own.
 */
function doubtfulOf(
  block: RpcBlock,
  logs: readonly RpcLog[],
  { mayWatch = () => true }: BlockScope,
): string[] {
  const logged = new Set(logs.filter(tellsSuccess).map(({ transactionHash }) => transactionHash))
  return block.transactions
    .filter(({ hash }) => !logged.has(hash))
    .filter((one) => mayWatch(one.from) || (one.to !== null && mayWatch(one.to)))
    .map(({ hash }) => hash)
}
