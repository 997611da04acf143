import { brandEvmAddress } from './address.ts'
import { demand, malformed } from './rpc.ts'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from './rpc.ts'
import type { NativeMove, Traces, TransactionTrace } from './traces.ts'

/** What is known of one transaction beside itself. */
export interface Evidence {
  /** `presumed`: not asked, and it pays nobody we watch; it is never told as an outcome. */
  outcome: 'succeeded' | 'failed' | 'presumed'
  /** Null where it was not asked for. */
  receipt: RpcReceipt | null
  /** Empty where it failed. */
  logs: readonly RankedLog[]
  moves: readonly NativeMove[]
}

export interface RankedLog {
  /**
   * The log's place inside its own transaction: unlike the index over the block, no reorg shifts
   * it.
   */
  rank: number
  log: RpcLog
}

/** What the logs of a block say of one of its transactions. */
export interface TransactionLogs {
  /** Whether a log shows that it succeeded. */
  tellsSuccess: boolean
  /** Those that matter, in their order. */
  ranked: readonly RankedLog[]
}

/** A block read from its transactions and its logs alone. */
export interface Reading {
  /** With those of its transactions that matter. */
  block: RpcBlock
  /** By the transaction's hash; nothing where it has none. */
  logs: ReadonlyMap<string, TransactionLogs>
}

const PLAIN_GAS = 21_000n
/**
 * Polygon logs every move of its coin here, and the fee of every transaction, of those too that
 * failed.
 */
export const COIN_LOG_ADDRESS = brandEvmAddress('0x0000000000000000000000000000000000001010')

/**
 * Joins transactions with their receipts and, where the node traces, their traces. A receipt and a
 * trace that disagree on success are an Outage. In the block's order.
 */
export function weighReceipts(
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  traces: Traces,
): Evidence[] {
  return block.transactions.map((transaction, at) => {
    const receipt = receipts[at]
    if (receipt === undefined) throw malformed('a transaction without a receipt')
    const trace = traceAt(traces, at)
    const succeeded = hasSucceeded(transaction, receipt, trace)
    demandAgreement({ succeeded, trace, isLogged: receipt.logs.some(tellsSuccess) })
    return {
      outcome: succeeded ? 'succeeded' : 'failed',
      receipt,
      logs: succeeded ? receipt.logs.map((log, rank) => ({ rank, log })) : [],
      moves: succeeded ? (trace?.moves ?? []) : [],
    }
  })
}

/**
 * Joins transactions with what their logs say and those receipts that were asked for (by
 * transaction hash). The receipt, the trace or a log tells whether one succeeded; where none of
 * them does, success is presumed.
 */
export function weighLogs(
  { block, logs }: Reading,
  receipts: ReadonlyMap<string, RpcReceipt>,
  traces: Traces,
): Evidence[] {
  return block.transactions.map((transaction, at) => {
    const { tellsSuccess: isLogged, ranked } = logs.get(transaction.hash) ?? NO_LOGS
    const trace = traceAt(traces, at)
    const receipt = receipts.get(transaction.hash) ?? null
    const outcome = outcomeOf(transaction, isLogged, receipt, trace)
    demandAgreement({ succeeded: outcome !== 'failed', trace, isLogged })
    if (outcome === 'failed') return { outcome, receipt, logs: [], moves: [] }
    return { outcome, receipt, logs: ranked, moves: trace?.moves ?? [] }
  })
}

const NO_LOGS: TransactionLogs = { tellsSuccess: false, ranked: [] }

/**
 * Gives each transaction its logs, with their ranks. They must be all logs of the block, since
 * filters leave gaps that nobody can count: an Outage where one is missing or a stranger's.
 */
export function readTogether(block: RpcBlock, logs: readonly RpcLog[]): Reading {
  const known = new Set(block.transactions.map(({ hash }) => hash))
  const read = new Map<string, { tellsSuccess: boolean; ranked: RankedLog[] }>()
  logs.forEach((log, at) => {
    demand(log.logIndex === at, 'a gap in the indices of logs')
    demand(known.has(log.transactionHash), 'a log of a transaction that is not in the block')
    const own = read.get(log.transactionHash) ?? { tellsSuccess: false, ranked: [] }
    read.set(log.transactionHash, own)
    own.tellsSuccess ||= tellsSuccess(log)
    own.ranked.push({ rank: own.ranked.length, log })
  })
  return { block, logs: read }
}

/** A failed transaction takes its logs back, but for what the chain itself logs of its fee. */
function tellsSuccess({ address }: RpcLog): boolean {
  return address !== COIN_LOG_ADDRESS
}

function outcomeOf(
  transaction: RpcTransaction,
  isLogged: boolean,
  receipt: RpcReceipt | null,
  trace: TransactionTrace | null,
): Evidence['outcome'] {
  if (receipt) return hasSucceeded(transaction, receipt, trace) ? 'succeeded' : 'failed'
  if (trace) return trace.failed ? 'failed' : 'succeeded'
  return isLogged ? 'succeeded' : 'presumed'
}

/**
 * The sources that name a result must name the same: one that is believed against another would
 * pass over a deposit, or credit one that never came.
 */
function demandAgreement(given: {
  succeeded: boolean
  trace: TransactionTrace | null
  isLogged: boolean
}): void {
  const { succeeded, trace, isLogged } = given
  demand(trace === null || trace.failed === !succeeded, 'a receipt and a trace disagree')
  demand(succeeded || !isLogged, 'logs of a failed transaction')
}

/**
 * Receipts from before Byzantium do not tell. Then the trace does; without one, logs or gas left
 * over do, for failure still cost all gas in those days. A plain send always uses all of its gas,
 * and fails only at accounts with code, which deposit addresses have none of.
 */
function hasSucceeded(
  transaction: RpcTransaction,
  receipt: RpcReceipt,
  trace: TransactionTrace | null,
): boolean {
  if (receipt.succeeded !== null) return receipt.succeeded
  if (trace) return !trace.failed
  if (receipt.logs.length > 0 || receipt.gasUsed < transaction.gas) return true
  return transaction.gas === PLAIN_GAS
}

function traceAt(traces: Traces, at: number): TransactionTrace | null {
  if (traces === null) return null
  const trace = traces[at]
  if (trace === undefined) throw malformed('a transaction without a trace')
  return trace
}
