import type { ChainId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import type { Log } from '../../base/log.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { TraceMode } from '../options.ts'
import { blockTrace, callTraces, knowsMethod } from './node.ts'
import type { RpcBlock } from './rpc.ts'
import { readBlockTrace, readCallTraces } from './traces.ts'
import type { TransactionTrace } from './traces.ts'

/**
 * Finds the moves inside transactions. How, is one decision for the chain that holds while the
 * process lives.
 */
export interface Tracing {
  /** Whether it is known already that no block of the chain is traced. */
  isOff(): boolean
  /** Null where the chain is not traced, or where the block cannot hold inner moves. */
  trace(rpc: JsonRpc, block: RpcBlock): Promise<readonly TransactionTrace[] | null>
}

type FixedMode = Exclude<TraceMode, 'auto'>

interface TracingOptions {
  chainId: ChainId
  mode: TraceMode
  /** The chain's other nodes, asked before tracing is given up. */
  others: (rpc: JsonRpc) => readonly JsonRpc[]
  log: Log
}

const SEND_GAS = 21_000n

/**
 * With `auto` the first block decides; a node that cannot trace that way has an Outage, and another
 * one serves.
 */
export function openTracing(options: TracingOptions): Tracing {
  let decision: Promise<FixedMode> | null = null
  let known: TraceMode = options.mode
  const decide = async (rpc: JsonRpc): Promise<FixedMode> => {
    if (options.mode !== 'auto') return options.mode
    decision ??= findMode(rpc, options)
    try {
      known = await decision
      return known
    } catch (error) {
      decision = null
      throw error
    }
  }
  return {
    isOff: () => known === 'off',
    trace: async (rpc, block) => {
      if (!mayMoveInside(block)) return null
      const mode = await decide(rpc)
      if (mode === 'off') return null
      if (mode === 'trace') return readBlockTrace(await blockTrace(rpc, block), block)
      return readCallTraces(await callTraces(rpc, block), block)
    },
  }
}

/**
 * Whether anything can have moved inside the block's transactions. Gas of 21,000 pays for the
 * sending and leaves none to run code with, so a block of such sends needs no trace.
 */
export function mayMoveInside({ transactions }: RpcBlock): boolean {
  return transactions.some(({ gas, isBare }) => gas !== SEND_GAS || !isBare)
}

/** Prefers `trace_block`, which costs nodes far less. */
async function findMode(rpc: JsonRpc, options: TracingOptions): Promise<FixedMode> {
  const { chainId, log } = options
  const first = await modeOf(rpc)
  const mode = first ?? (await modeOfOthers(options.others(rpc)))
  if (mode === null) {
    log.warn({ chainId }, 'no node traces: native transfers made by contracts will not be seen')
    return 'off'
  }
  log.info({ chainId, mode }, 'found how to trace blocks')
  return mode
}

/** Others that are away have no say: the node that serves must not wait for them. */
async function modeOfOthers(others: readonly JsonRpc[]): Promise<FixedMode | null> {
  for (const other of others) {
    try {
      const mode = await modeOf(other)
      if (mode !== null) return mode
    } catch (error) {
      if (!(error instanceof Outage)) throw error
    }
  }
  return null
}

/** Tried on the genesis, which no node can trace and every node refuses in a way of its own. */
async function modeOf(rpc: JsonRpc): Promise<FixedMode | null> {
  if (await knowsMethod(rpc, 'trace_block', ['0x0'])) return 'trace'
  const params = ['0x0', { tracer: 'callTracer' }]
  return (await knowsMethod(rpc, 'debug_traceBlockByNumber', params)) ? 'debug' : null
}
