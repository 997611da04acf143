import { Outage } from '../../base/fault.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc, RpcCall } from '../json-rpc.ts'
import type { TraceMode } from '../options.ts'
import { askInParts, isTooMuch, saysTooMuch } from './in-parts.ts'
import type { Asked } from './in-parts.ts'
import { readHeader, toQuantity } from './node.ts'
import { demand } from './rpc.ts'
import type { RpcBlock } from './rpc.ts'
import { readBlockTrace, readCallTrace, readCallTraces, readTrace, untraced } from './traces.ts'
import type { ToldTraces, Traces, TransactionTrace } from './traces.ts'

/** A method of tracing that was found, or that the operator configured. */
type TraceWay = Exclude<TraceMode, 'auto' | 'off'>

interface Question {
  block: RpcBlock
  way: TraceWay
  /** Whether there is time to query single transactions, or more of them. */
  mayGoOn: () => boolean
}

/** The node is up, but some traces of one block are unavailable: too slow, too long, an error. */
export class TooMuch extends Outage {
  /** The traces that it returned, null for each other transaction; null without any. */
  readonly told: Traces

  constructor(
    node: string,
    message: string,
    { cause, told }: { cause: unknown; told: ToldTraces },
  ) {
    const retryAfterMs = cause instanceof Outage ? cause.retryAfterMs : null
    super(node, message, { cause, ...(retryAfterMs === null ? {} : { retryAfterMs }) })
    this.told = told.some((one) => one !== null) ? told : null
  }
}

/**
 * The trace of a call of 120 gas takes 220 to 600 bytes. One transaction may be too much as well,
 * if it may take all gas of a block.
 */
const BYTES_PER_GAS = 5
const TRACE_BYTES_MAX = 64_000_000
const TRACER = { tracer: 'callTracer' }

/**
 * All traces of a block. If the whole block is too much, or an error, its transactions are traced
 * singly. Throws TooMuch if that fails too, or if there is no time for it.
 */
export async function traceBlock(
  rpc: JsonRpc,
  question: Question,
): Promise<readonly TransactionTrace[]> {
  const { block, mayGoOn } = question
  const { told, cause } = await traceAtOnce(rpc, question)
  if (isWhole(told)) return told
  const more = mayGoOn() ? await traceInParts(rpc, question, told) : told
  if (isWhole(more)) return more
  const why = cause instanceof Error ? cause.message : 'some end in an error'
  throw new TooMuch(rpc.name, `traces of block ${block.height}: ${why}`, { cause, told: more })
}

function isWhole(told: ToldTraces): told is readonly TransactionTrace[] {
  return told.every((one) => one !== null)
}

async function traceAtOnce(
  rpc: JsonRpc,
  { block, way }: Question,
): Promise<{ told: ToldTraces; cause: unknown }> {
  try {
    const answer = await rpc.call(blockCall(block, way), TRACE_BYTES_MAX)
    const read = way === 'trace' ? readBlockTrace : readCallTraces
    return { told: read(answer, block), cause: null }
  } catch (error) {
    if (!(await isTooMuch(rpc, error))) throw error
    return { told: untraced(block), cause: error }
  }
}

/** `trace_block` accepts heights only. */
function blockCall({ hash, height }: RpcBlock, way: TraceWay): RpcCall {
  return way === 'trace'
    ? { method: 'trace_block', params: [toQuantity(height)] }
    : { method: 'debug_traceBlockByHash', params: [hash, TRACER] }
}

async function traceInParts(
  rpc: JsonRpc,
  { block, way, mayGoOn }: Question,
  told: ToldTraces,
): Promise<ToldTraces> {
  const traces = await askInParts(rpc, {
    transactions: block.transactions.filter((_, at) => told[at] === null),
    bytesPerGas: BYTES_PER_GAS,
    bytesMax: TRACE_BYTES_MAX,
    ask: async (part) => (mayGoOn() ? traceEach(rpc, { block, way }, part) : part.map(() => null)),
  })
  // The answer of a tracer does not name its block.
  if (way === 'debug') demand(await hasStill(rpc, block), 'traces of a block that was replaced')
  const left = traces.values()
  return told.map((one) => one ?? left.next().value ?? null)
}

/** Null for each transaction that the node cannot trace, even singly. */
async function traceEach(
  rpc: JsonRpc,
  { block, way }: Pick<Question, 'block' | 'way'>,
  part: readonly Asked[],
): Promise<ToldTraces> {
  try {
    const answers = await rpc.settle(part.map(callOf(way)), TRACE_BYTES_MAX)
    return part.map(({ hash }, at) => {
      const answer = answers[at]
      if (answer instanceof RpcRefusal) return nullIfAlone(answer, part)
      return way === 'trace' ? readTrace(answer, block, hash) : readCallTrace(answer)
    })
  } catch (error) {
    if (part.length > 1 || !(await isTooMuch(rpc, error))) throw error
    return [null]
  }
}

/** A rate limit is no refusal, and neither is a limit on batches. */
function nullIfAlone(refusal: RpcRefusal, part: readonly Asked[]): null {
  if (refusal.retryAfterMs !== null || (part.length > 1 && saysTooMuch(refusal))) throw refusal
  return null
}

function callOf(way: TraceWay): (asked: Asked) => RpcCall {
  return ({ hash }) =>
    way === 'trace'
      ? { method: 'trace_transaction', params: [hash] }
      : { method: 'debug_traceTransaction', params: [hash, TRACER] }
}

async function hasStill(rpc: JsonRpc, { hash, height }: RpcBlock): Promise<boolean> {
  return (await readHeader(rpc, height))?.hash === hash
}
