import { brandEvmAddress } from './address.ts'
import { demand, malformed } from './rpc.ts'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from './rpc.ts'
import type { NativeMove, Traces, TransactionTrace } from './traces.ts'

/** Facts about one transaction from receipts, logs and traces. */
export interface Evidence {
  /**
   * `presumed`: no receipt was read, and no watched address is paid; never reported as an outcome.
   */
  outcome: 'succeeded' | 'failed' | 'presumed'
  /** Null if the receipt was not read. */
  receipt: RpcReceipt | null
  /** Empty if the transaction failed. */
  logs: readonly RankedLog[]
  moves: readonly NativeMove[]
}

export interface RankedLog {
  /**
   * The log's index inside its transaction: unlike the index over the block, no reorg shifts it.
   */
  rank: number
  log: RpcLog
}

/** The logs of one transaction of a block. */
export interface TransactionLogs {
  /** Whether a log shows that the transaction succeeded. */
  showsSuccess: boolean
  /** The logs that matter, in order. */
  ranked: readonly RankedLog[]
}

/** A block read from its transactions and logs alone. */
export interface Reading {
  /** With the transactions that matter. */
  block: RpcBlock
  /** By transaction hash; transactions without logs are missing. */
  logs: ReadonlyMap<string, TransactionLogs>
}

const PLAIN_GAS = 21_000n
/**
 * Polygon logs every move of its coin here, and the fee of every transaction, including failed
 * ones.
 */
export const COIN_LOG_ADDRESS = brandEvmAddress('0x0000000000000000000000000000000000001010')

/**
 * Joins transactions with their receipts and their traces, if the node traces, in the block's
 * order. Throws an Outage if a receipt and a trace disagree on success.
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
    demandAgreement({ succeeded, trace, isLogged: receipt.logs.some(showsSuccess) })
    return {
      outcome: succeeded ? 'succeeded' : 'failed',
      receipt,
      logs: succeeded ? receipt.logs.map((log, rank) => ({ rank, log })) : [],
      moves: succeeded ? (trace?.moves ?? []) : [],
    }
  })
}

/**
 * Joins transactions with their logs and with the receipts that were read (by transaction hash). A
 * receipt, trace or log shows whether a transaction succeeded; without any, success is presumed.
 */
export function weighLogs(
  { block, logs }: Reading,
  receipts: ReadonlyMap<string, RpcReceipt>,
  traces: Traces,
): Evidence[] {
  return block.transactions.map((transaction, at) => {
    const { showsSuccess: isLogged, ranked } = logs.get(transaction.hash) ?? NO_LOGS
    const trace = traceAt(traces, at)
    const receipt = receipts.get(transaction.hash) ?? null
    const outcome = outcomeOf(transaction, isLogged, receipt, trace)
    demandAgreement({ succeeded: outcome !== 'failed', trace, isLogged })
    if (outcome === 'failed') return { outcome, receipt, logs: [], moves: [] }
    return { outcome, receipt, logs: ranked, moves: trace?.moves ?? [] }
  })
}

const NO_LOGS: TransactionLogs = { showsSuccess: false, ranked: [] }

/**
 * Gives each transaction its logs with their ranks. The list must hold all logs of the block,
 * because gaps in a filtered list cannot be found. Throws an Outage if one is missing or belongs to
 * another block.
 */
export function readTogether(block: RpcBlock, logs: readonly RpcLog[]): Reading {
  const known = new Set(block.transactions.map(({ hash }) => hash))
  const read = new Map<string, { showsSuccess: boolean; ranked: RankedLog[] }>()
  logs.forEach((log, at) => {
    demand(log.logIndex === at, 'a gap in the indices of logs')
    demand(known.has(log.transactionHash), 'a log of a transaction that is not in the block')
    const own = read.get(log.transactionHash) ?? { showsSuccess: false, ranked: [] }
    read.set(log.transactionHash, own)
    own.showsSuccess ||= showsSuccess(log)
    own.ranked.push({ rank: own.ranked.length, log })
  })
  return { block, logs: read }
}

/** A failed transaction has no logs, except the log of its fee that the chain itself writes. */
function showsSuccess({ address }: RpcLog): boolean {
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
 * All sources that state a result must agree: trusting one against another could miss a deposit or
 * credit a false one.
 */
function demandAgreement({
  succeeded,
  trace,
  isLogged,
}: {
  succeeded: boolean
  trace: TransactionTrace | null
  isLogged: boolean
}): void {
  demand(trace === null || trace.failed === !succeeded, 'a receipt and a trace disagree')
  demand(succeeded || !isLogged, 'logs of a failed transaction')
}

/**
 * Receipts from before Byzantium have no status. The trace decides then; without one, logs or
 * unused gas do, because failure cost all gas at that time. A plain send always uses all of its
 * gas, and fails only at accounts with code, which deposit addresses do not have.
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
