import type { ChainId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import type { Log } from '../../base/log.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { CompletenessMode } from '../options.ts'
import type { BlockQuery, BlockScope } from '../port.ts'
import { TRANSFER_TOPIC, contractsOf } from './block.ts'
import type { BlockEvidence } from './block.ts'
import { countLogs, demandSomeLogs, demandTransactions, proveReceipts } from './completeness.ts'
import { readTogether, weighLogs, weighReceipts } from './evidence.ts'
import type { Reading } from './evidence.ts'
import { joinScans } from './join-scans.ts'
import { readBlock, readHeader } from './node.ts'
import type { BlockAnswer } from './node.ts'
import { withOwnMoves } from './own-moves.ts'
import { readLogs } from './read-logs.ts'
import type { LogsAnswer } from './read-logs.ts'
import { readReceipts, readReceiptsOf } from './read-receipts.ts'
import { MalformedAnswer, malformed } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcReceipt, RpcTransaction } from './rpc.ts'
import type { Traces } from './traces.ts'
import type { Tracing } from './tracing.ts'

export interface BlockSource {
  chainId: ChainId
  completeness: CompletenessMode
  /** Whether moves of the chain's own transactions are read from its logs. */
  logsOwnMoves: boolean
  tracing: Tracing
  /** The chain's other nodes; one of them counts the logs if the header does not commit to them. */
  others: (rpc: JsonRpc) => readonly JsonRpc[]
  /**
   * Nodes whose counts differed from another node's and have not agreed since. They are queried
   * even when set aside; otherwise the last node queried would be believed alone.
   */
  disagreed: Set<JsonRpc>
  log: Log
}

/**
 * Reads all data of a block from one node: first the block, then the rest by its hash, so that no
 * answer mixes two branches. Null if the node has no such block, or replaced it meanwhile.
 */
export async function fetchBlock(
  source: BlockSource,
  rpc: JsonRpc,
  query: BlockQuery,
  scope: BlockScope,
): Promise<BlockEvidence | null> {
  // Traces are joined with whole transactions.
  const how = source.completeness === 'logs' && source.tracing.isOff() ? 'scan' : 'parse'
  const answer = await readBlock(rpc, query, how)
  if (answer === null) return null
  demandTransactions(answer.header, answer.count)
  try {
    const fetched =
      source.completeness === 'receipts'
        ? await fetchByReceipts(source, rpc, { block: answer.parse(), scope })
        : await fetchByLogs(source, rpc, { answer, scope, how })
    return source.logsOwnMoves ? withOwnMoves(fetched) : fetched
  } catch (error) {
    if (isAnswer(error) && (await hasLeft(rpc, answer.header))) return null
    throw error
  }
}

/** Whether the node answered, but not with the required data. */
function isAnswer(error: unknown): boolean {
  return error instanceof MalformedAnswer || error instanceof RpcRefusal
}

/** A reorg while a block is read is no fault: the node then has another block at the height. */
async function hasLeft(rpc: JsonRpc, block: RpcHeader): Promise<boolean> {
  const header = await readHeader(rpc, block.height)
  return header !== null && header.hash !== block.hash
}

async function fetchByReceipts(
  source: BlockSource,
  rpc: JsonRpc,
  { block, scope }: { block: RpcBlock; scope: BlockScope },
): Promise<BlockEvidence> {
  const [receipts, traces] = await Promise.all([
    readReceipts(rpc, block),
    source.tracing.trace(rpc, block, scope),
  ])
  const completeness = proveReceipts(source.chainId, block, receipts)
  if (completeness === 'likely') await countAgain(source, rpc, block, receipts)
  await scope.upToDate?.()
  return { block, evidence: weighReceipts(block, receipts, traces) }
}

/**
 * The first other node that answers must have the same number of receipts and logs, because native
 * payments log nothing. Without another node, this one is believed and a warning is logged.
 */
async function countAgain(
  { chainId, others, disagreed, log }: BlockSource,
  rpc: JsonRpc,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): Promise<void> {
  const here = countOf(receipts)
  for (const other of new Set([...others(rpc), ...disagreed])) {
    const there = other === rpc ? null : await countOn(other, block)
    if (there === null) continue
    if (there === here) {
      disagreed.delete(rpc)
      disagreed.delete(other)
      return
    }
    disagreed.add(rpc).add(other)
    throw malformed(`${here} where another node has ${there}`)
  }
  log.warn({ chainId, height: block.height }, 'no second node has counted the logs of a block')
}

async function countOn(other: JsonRpc, block: RpcBlock): Promise<string | null> {
  try {
    return countOf(await readReceipts(other, block))
  } catch (error) {
    if (error instanceof Outage) return null
    throw error
  }
}

function countOf(receipts: readonly RpcReceipt[]): string {
  return `${receipts.length} receipts with ${countLogs(receipts)} logs`
}

async function fetchByLogs(
  { chainId, tracing }: BlockSource,
  rpc: JsonRpc,
  { answer, scope, how }: { answer: BlockAnswer; scope: BlockScope; how: 'scan' | 'parse' },
): Promise<BlockEvidence> {
  const [logs, traces] = await Promise.all([
    readLogs(rpc, answer, how),
    how === 'scan' ? null : tracing.trace(rpc, answer.parse(), scope),
  ])
  demandSomeLogs(answer.header, logs.count)
  await scope.upToDate?.()
  const reading = readBoth({ chainId, answer, logs, scope })
  const receipts = await readReceiptsOf(rpc, answer.header, wantedOf(reading, traces, scope))
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  return { block: reading.block, evidence: weighLogs(reading, byHash, traces) }
}

/** Reads the bytes if possible, else the parsed answers; both find the same transfers. */
function readBoth({
  chainId,
  answer,
  logs,
  scope,
}: {
  chainId: ChainId
  answer: BlockAnswer
  logs: LogsAnswer
  scope: BlockScope
}): Reading {
  if (answer.scan !== null && logs.scan !== null) {
    const contracts = contractsOf(chainId, scope.tokens)
    const joined = joinScans(answer.scan, logs.scan, { topic: TRANSFER_TOPIC, contracts, scope })
    if (joined !== null) return joined
  }
  return readTogether(answer.parse(), logs.parse())
}

/**
 * Transactions whose receipt is needed: our own, for their fee, and those that pay a watched
 * address while neither a log nor a trace shows that they succeeded.
 */
function wantedOf(
  { block, logs }: Reading,
  traces: Traces,
  { mayWatch = () => true }: BlockScope,
): RpcTransaction[] {
  const isDoubtful = ({ hash, to }: RpcTransaction, at: number) =>
    (traces?.[at] ?? null) === null &&
    logs.get(hash)?.showsSuccess !== true &&
    to !== null &&
    mayWatch(to)
  return block.transactions.filter((one, at) => mayWatch(one.from) || isDoubtful(one, at))
}
