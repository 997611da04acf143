import type { Address } from '../port.ts'
import type { RpcBlock } from './rpc.ts'
import {
  demand,
  isMissing,
  isSystemTransaction,
  malformed,
  parseHash,
  parseHexAddress,
  parseList,
  parseQuantity,
  parseRecord,
} from './rpc.ts'

/** A move of native coins inside a transaction. */
export interface NativeMove {
  from: Address
  to: Address
  value: bigint
}

/** The trace of one transaction, without its own value, which the transaction itself shows. */
export interface TransactionTrace {
  failed: boolean
  /** In the order of execution, without failed frames and the frames inside them. */
  moves: readonly NativeMove[]
}

/** Traces of a block in its order; null for a transaction that the node could not trace. */
export type ToldTraces = readonly (TransactionTrace | null)[]

/** Null if the block is not traced. */
export type Traces = ToldTraces | null

/** The EVM allows 1,024 nested frames; more is invalid and would overflow our stack. */
const DEPTH_MAX = 1_100

const CALLS = new Set(['CALL', 'EXTCALL'])
const CREATIONS = new Set(['CREATE', 'CREATE2', 'EOFCREATE'])
const DESTRUCTIONS = new Set(['SELFDESTRUCT', 'SUICIDE'])
/** These run or lend code and move no coins, although they may show a value. */
const MOTIONLESS = new Set([
  'CALLCODE',
  'DELEGATECALL',
  'STATICCALL',
  'EXTDELEGATECALL',
  'EXTSTATICCALL',
])

/**
 * The chain's own transactions (Polygon's state-sync): some nodes omit them, others trace them,
 * correctly or not. Their moves must have the same positions from any node, so their traces are not
 * read.
 */
const UNREAD: TransactionTrace = { failed: false, moves: [] }

/** A block without any trace. */
export function untraced({ transactions }: RpcBlock): (TransactionTrace | null)[] {
  return transactions.map((one) => (isSystemTransaction(one) ? UNREAD : null))
}

/**
 * Reads the answer of `debug_traceBlockByHash` with geth's callTracer. Returns one trace a
 * transaction, in the block's order; null for one that the node reports as untraceable.
 */
export function readCallTraces(answer: unknown, block: RpcBlock): (TransactionTrace | null)[] {
  const byHash = new Map<string, Record<string, unknown>>()
  for (const [at, value] of parseList(answer, 'traces').entries()) {
    const entry = parseRecord(value, 'trace')
    const hash = hashOfEntry(entry, at, block)
    demand(!byHash.has(hash), 'traces: a transaction traced twice')
    byHash.set(hash, entry)
  }
  return block.transactions.map((transaction) => {
    if (isSystemTransaction(transaction)) return UNREAD
    const entry = byHash.get(transaction.hash)
    if (entry === undefined) throw malformed('a transaction without a trace')
    return isMissing(entry.result) && hasFailed(entry) ? null : readCallTrace(entry.result)
  })
}

/**
 * Reads the answer of `debug_traceTransaction` with geth's callTracer. Children of a failed frame
 * have no error field, so its whole subtree is dropped.
 */
export function readCallTrace(answer: unknown): TransactionTrace {
  const root = parseRecord(answer, 'trace.result')
  const moves: NativeMove[] = []
  if (!hasFailed(root)) collectCalls(root, moves, 1)
  return { failed: hasFailed(root), moves }
}

/** Older nodes omit the hash and answer in the block's order. */
function hashOfEntry(entry: Record<string, unknown>, at: number, block: RpcBlock): string {
  if (!isMissing(entry.txHash)) return parseHash(entry.txHash, 'trace.txHash')
  const transaction = block.transactions[at]
  if (transaction === undefined) throw malformed('traces: more than transactions')
  return transaction.hash
}

function collectCalls(frame: Record<string, unknown>, moves: NativeMove[], depth: number): void {
  demand(depth <= DEPTH_MAX, 'trace: frames too deep')
  if (isMissing(frame.calls)) return
  for (const entry of parseList(frame.calls, 'trace.calls')) {
    const call = parseRecord(entry, 'trace.calls')
    if (hasFailed(call)) continue
    if (typeof call.type !== 'string') throw malformed('trace.type')
    const type = call.type.toUpperCase()
    const value = isMissing(call.value) ? 0n : parseQuantity(call.value, 'trace.value')
    if (value > 0n && movesValue(type)) addMove(moves, call.from, call.to, value)
    collectCalls(call, moves, depth + 1)
  }
}

function movesValue(type: string): boolean {
  if (MOTIONLESS.has(type)) return false
  const isKnown = CALLS.has(type) || CREATIONS.has(type) || DESTRUCTIONS.has(type)
  demand(isKnown, 'trace.type: unknown, with a value')
  return true
}

/**
 * Reads the answer of `trace_block` (OpenEthereum, Erigon, Nethermind, reth): frames in the order
 * of execution, each with its path. The query is by height, so each frame must name our block.
 * Rewards of miners are omitted.
 */
export function readBlockTrace(answer: unknown, block: RpcBlock): TransactionTrace[] {
  const frames = framesOf(answer, block)
  return block.transactions.map((transaction) => {
    if (isSystemTransaction(transaction)) return UNREAD
    return readFrames(frames.get(transaction.hash))
  })
}

/** Reads the answer of `trace_transaction`, which has the same frames. */
export function readTrace(answer: unknown, block: RpcBlock, txnHash: string): TransactionTrace {
  return readFrames(framesOf(answer, block).get(txnHash))
}

type Frames = readonly Record<string, unknown>[]

/** The frames of each transaction, by its hash. */
function framesOf(answer: unknown, block: RpcBlock): ReadonlyMap<string, Frames> {
  const frames = new Map<string, Record<string, unknown>[]>()
  for (const entry of parseList(answer, 'traces')) {
    const frame = parseRecord(entry, 'trace')
    demand(parseHash(frame.blockHash, 'trace.blockHash') === block.hash, 'traces of another block')
    if (frame.type === 'reward') continue
    const hash = parseHash(frame.transactionHash, 'trace.transactionHash')
    const known = frames.get(hash)
    if (known === undefined) frames.set(hash, [frame])
    else known.push(frame)
  }
  return frames
}

function readFrames(frames: Frames | undefined): TransactionTrace {
  if (frames === undefined) throw malformed('a transaction without a trace')
  const failed = new Set<string>()
  const moves: NativeMove[] = []
  let roots = 0
  for (const frame of frames) {
    const path = parseList(frame.traceAddress, 'trace.traceAddress')
    if (path.length === 0) roots += 1
    if (hasFailed(frame)) failed.add(pathKey(path))
    else if (path.length > 0 && !isWithin(path, failed)) readAction(frame, moves)
  }
  demand(roots === 1, 'a transaction without its outermost frame')
  return { failed: failed.has(''), moves: failed.has('') ? [] : moves }
}

function isWithin(path: readonly unknown[], failed: ReadonlySet<string>): boolean {
  if (failed.size === 0) return false
  return path.some((_, at) => failed.has(pathKey(path.slice(0, at))))
}

function pathKey(path: readonly unknown[]): string {
  return path.join('.')
}

function readAction(frame: Record<string, unknown>, moves: NativeMove[]): void {
  const action = parseRecord(frame.action, 'trace.action')
  if (frame.type === 'suicide' || frame.type === 'selfdestruct') {
    const balance = parseQuantity(action.balance, 'trace.action.balance')
    if (balance > 0n) addMove(moves, action.address, action.refundAddress, balance)
    return
  }
  const value = isMissing(action.value) ? 0n : parseQuantity(action.value, 'trace.action.value')
  if (value === 0n) return
  if (frame.type === 'create') {
    const { address } = parseRecord(frame.result, 'trace.result')
    addMove(moves, action.from, address, value)
    return
  }
  demand(frame.type === 'call', 'trace.type: unknown, with a value')
  const callType = isMissing(action.callType) ? 'call' : action.callType
  if (typeof callType !== 'string') throw malformed('trace.action.callType')
  if (movesValue(callType.toUpperCase())) addMove(moves, action.from, action.to, value)
}

/** A payment to oneself moves nothing; counting it would credit a false amount. */
function addMove(moves: NativeMove[], from: unknown, to: unknown, value: bigint): void {
  const move = {
    from: parseHexAddress(from, 'trace.from'),
    to: parseHexAddress(to, 'trace.to'),
    value,
  }
  if (move.from !== move.to) moves.push(move)
}

function hasFailed(frame: Record<string, unknown>): boolean {
  return !isMissing(frame.error) && frame.error !== ''
}
