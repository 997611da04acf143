import type { EvmChain } from '../evm-chain.ts'
import { quantity } from '../hex.ts'
import type { BlockNode } from './block-tree.ts'
import { estimateResult } from './call-plans.ts'
import { balanceResult, callResult, codeResult } from './calls.ts'
import { logsOf } from './logs.ts'
import {
  addressAt,
  blockByAny,
  blockByTag,
  hashAt,
  INVALID_PARAMS,
  type Params,
  RpcFault,
  SERVER_ERROR,
  stateBlock,
  textAt,
} from './params.ts'
import { pendingNonce } from './pool.ts'
import { feeHistoryResult, gasPriceResult, tipResult } from './prices.ts'
import type { BlockJson, CallFrameJson, MinedReceiptJson, MinedTransactionJson } from './shapes.ts'
import { type FlatTrace, flatTraces } from './trace-block.ts'

/** Answers one method's call from the chain. May throw RpcFault. */
export type Method = (chain: EvmChain, params: Params) => unknown

/** The methods of the execution API that the node knows, with geth's answers, and `trace_block`. */
export const METHODS: Readonly<Record<string, Method>> = {
  web3_clientVersion: () => 'Simulated/v1.0.0',
  eth_chainId: (chain) => quantity(chain.chainId),
  net_version: (chain) => String(chain.chainId),
  eth_syncing: () => false,
  eth_blockNumber: (chain) => quantity(chain.tree.head.height),
  eth_gasPrice: (chain) => gasPriceResult(chain),
  eth_maxPriorityFeePerGas: (chain) => tipResult(chain),
  eth_feeHistory: (chain, params) => feeHistoryResult(chain, params),
  eth_estimateGas: (chain, params) => estimateResult(chain, params),
  eth_sendRawTransaction: (chain, params) => chain.submit(textAt(params, 0)),
  eth_getBlockByNumber: (chain, params) => blockResult(blockByTag(chain, params, 0), params),
  eth_getBlockByHash: (chain, params) => blockResult(chain.tree.find(hashAt(params, 0)), params),
  eth_getBlockReceipts: (chain, params) => receiptsResult(blockByAny(chain, params, 0)),
  eth_getTransactionReceipt: (chain, params) => receiptResult(chain, hashAt(params, 0)),
  eth_getTransactionByHash: (chain, params) => transactionResult(chain, hashAt(params, 0)),
  eth_getTransactionCount: (chain, params) => countResult(chain, params),
  eth_getLogs: (chain, params) => logsOf(chain, params),
  eth_getBalance: (chain, params) => balanceResult(chain, params),
  eth_getCode: (chain, params) => codeResult(chain, params),
  eth_call: (chain, params) => callResult(chain, params),
  debug_traceBlockByNumber: (chain, params) => {
    return framesResult(blockByTag(chain, params, 0), params, `#${Number(params[0])}`)
  },
  debug_traceBlockByHash: (chain, params) => {
    return framesResult(chain.tree.find(hashAt(params, 0)), params, textAt(params, 0))
  },
  debug_traceTransaction: (chain, params) => frameResult(chain, params),
  trace_block: (chain, params) => tracesResult(blockByAny(chain, params, 0)),
  trace_transaction: (chain, params) => traceResult(chain, hashAt(params, 0)),
}

function blockResult(block: BlockNode | undefined, params: Params): BlockJson | null {
  if (block === undefined) return null
  const { header, hash, transactions } = block
  const mined = transactions.map(({ json }) => json)
  return {
    ...header,
    hash,
    size: quantity(SIZE_OF_EMPTY + mined.length * SIZE_OF_TRANSACTION),
    uncles: [],
    withdrawals: [],
    transactions: params[1] === true ? mined : mined.map((transaction) => transaction.hash),
  }
}

/** An arbitrary constant: no client reads it. */
const SIZE_OF_EMPTY = 680
const SIZE_OF_TRANSACTION = 180

function receiptsResult(block: BlockNode | undefined): MinedReceiptJson[] | null {
  return block === undefined ? null : block.transactions.map(({ receipt }) => receipt)
}

function receiptResult(chain: EvmChain, hash: string): MinedReceiptJson | null {
  const place = chain.tree.placeOf(hash)
  return place?.block.transactions[place.index]?.receipt ?? null
}

function transactionResult(chain: EvmChain, hash: string): MinedTransactionJson | null {
  const place = chain.tree.placeOf(hash)
  if (place !== undefined) return place.block.transactions[place.index]?.json ?? null
  const waiting = chain.pending.find((transaction) => transaction.hash === hash)
  if (waiting === undefined) return null
  return { ...waiting.json, blockHash: null, blockNumber: null, transactionIndex: null }
}

/** How many transactions of the sender the chain has up to the block, or with those that wait. */
function countResult(chain: EvmChain, params: Params): string {
  const sender = addressAt(params, 0)
  if (params[1] === 'pending') return quantity(pendingNonce(chain, sender))
  let count = 0
  for (let at: BlockNode | null = stateBlock(chain, params, 1); at !== null; at = at.parent) {
    count += at.transactions.filter(({ json }) => json.from === sender).length
  }
  return quantity(count)
}

function framesResult(
  block: BlockNode | undefined,
  params: Params,
  name: string,
): { txHash: string; result: CallFrameJson }[] {
  demandTracer(params)
  if (block === undefined) throw new RpcFault(SERVER_ERROR, `block ${name} not found`)
  if (block.height === 0) throw new RpcFault(SERVER_ERROR, 'genesis is not traceable')
  return block.transactions.map(({ json, trace }) => ({ txHash: json.hash, result: trace }))
}

function frameResult(chain: EvmChain, params: Params): CallFrameJson {
  demandTracer(params)
  const place = chain.tree.placeOf(hashAt(params, 0))
  const found = place?.block.transactions[place.index]
  if (found === undefined) throw new RpcFault(SERVER_ERROR, 'transaction not found')
  return found.trace
}

function demandTracer(params: Params): void {
  const { tracer } = Object(params[1])
  if (tracer === 'callTracer') return
  throw new RpcFault(INVALID_PARAMS, `the simulated node has no tracer ${String(tracer)}`)
}

/** The frames of a transaction that a block has, as they stand among the block's. */
function traceResult(chain: EvmChain, hash: string): FlatTrace[] | null {
  const frames = tracesResult(chain.tree.placeOf(hash)?.block)
  return frames?.filter(({ transactionHash }) => transactionHash === hash) ?? null
}

function tracesResult(block: BlockNode | undefined): FlatTrace[] | null {
  if (block === undefined) return null
  return block.transactions.flatMap(({ json, trace }, transactionPosition) =>
    flatTraces(trace, {
      blockHash: block.hash,
      blockNumber: block.height,
      transactionHash: json.hash,
      transactionPosition,
    }),
  )
}
