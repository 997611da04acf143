import type { ChainId } from '@sluice/wire'
import { type Clock, type Millis, isPausing } from '../../base/clock.ts'
import { nullIfAway, Outage } from '../../base/fault.ts'
import type { Log } from '../../base/log.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { TraceMode } from '../options.ts'
import type { BlockScope } from '../port.ts'
import { AWAITED_MAX_MS, hasLasted, type Lasting, metAgain } from './lasting.ts'
import { knowsMethod, readHeader, saysNoBlock } from './node.ts'
import { openPatience } from './patience.ts'
import type { Patience } from './patience.ts'
import type { RpcBlock } from './rpc.ts'
import { TooMuch, traceBlock } from './trace-block.ts'
import type { Traces } from './traces.ts'

/**
 * Finds the moves inside transactions. The method is decided once for the chain, for the life of
 * the process.
 */
export interface Tracing {
  /** Whether it is certain that no block of the chain is traced. */
  isOff(): boolean
  /**
   * Null if the chain is not traced, or if the block cannot hold inner moves. Throws an Outage of
   * the chain while a node that may trace is down, and the refusal of a node that traces, both for
   * a limited time unless the block is read for a repair. Transactions that alone are refused are
   * null after that.
   */
  trace(rpc: JsonRpc, block: RpcBlock, scope: Pick<BlockScope, 'isRepair'>): Promise<Traces>
  /** Like `trace`, for readers that store nothing: it waits for no node. */
  glance(rpc: JsonRpc, block: RpcBlock): Promise<Traces>
}

type FixedMode = Exclude<TraceMode, 'auto'>

interface TracingOptions {
  chainId: ChainId
  mode: TraceMode
  /**
   * All nodes of the chain, including those set aside: tracing is off only once each has answered.
   */
  nodes: readonly JsonRpc[]
  /** The other nodes that can be queried. */
  others: (rpc: JsonRpc) => readonly JsonRpc[]
  clock: Clock
  log: Log
}

/** The state of tracing: nodes that trace, and blocks without traces. */
interface Search extends TracingOptions {
  /** Nodes that answered that they do not trace. */
  cannot: Set<JsonRpc>
  /** Null unless a block waits for nodes that are down and may trace. */
  awaited: Lasting | null
  /** Null unless nodes that trace refuse a block. */
  refused: Refused | null
  /** For blocks that are too much to trace. */
  patience: Patience
  /** Blocks that are refused after the wait, by height. */
  turns: Map<number, Turn>
  /** Nodes that were up for a whole turn and did not answer for a block. */
  silent: Set<JsonRpc>
  /** When the reading of blocks without traces was last logged. */
  toldAt: Millis | null
  /** The range of heights read without traces. */
  untraced: { from: number; to: number } | null
}

/**
 * Blocks that nodes refuse to trace, usually because their states were pruned during a downtime.
 */
interface Refused extends Lasting {
  /** The highest of them, and since when it holds up the chain. */
  upTo: number
  heldSince: Millis
  /** The highest block above them that was traced since. */
  tracedAt: number | null
}

/** The nodes that were queried for a block after its wait. */
interface Turn {
  since: Millis
  refusers: Set<JsonRpc>
}

/** A block to trace, and when reading it began. */
interface Attempt {
  height: number
  begunAt: Millis
}

const SEND_GAS = 21_000n
/** The limit for tracing the transactions of a block singly, except in a rescan. */
const PARTS_MAX_MS = 60_000
/** The time that each block waits for nodes that have not refused it, after its wait. */
const TURN_MAX_MS = 60_000
/**
 * Later the other nodes are queried only this often: each may take the whole timeout of a request.
 */
const ASK_AGAIN_MS = 300_000

/**
 * With `auto` the first block decides. A node that cannot trace this way then has an Outage, and
 * another one serves. Tracing is off only once every node has answered.
 */
export function openTracing(options: TracingOptions): Tracing {
  const search = newSearch(options)
  let known: TraceMode = options.mode
  let asking: Promise<TraceMode> | null = null
  const decide = async (rpc: JsonRpc): Promise<TraceMode> => {
    if (known !== 'auto') return known
    asking ??= findMode(search, rpc).finally(() => {
      asking = null
    })
    known = await asking
    return known
  }
  const read = async (rpc: JsonRpc, block: RpcBlock, how: Manner) => {
    if (!mayMoveInside(block)) return null
    const way = await decide(rpc)
    if (way === 'trace' || way === 'debug') {
      return traceBlock(rpc, { block, way, mayGoOn: how.mayGoOn })
    }
    if (way === 'auto') how.whileUnknown()
    return null
  }
  const readOn = async (rpc: JsonRpc, block: RpcBlock) => {
    const attempt = { height: block.height, begunAt: options.clock.now() }
    const parts = options.mode === 'auto' ? openParts(search) : AT_ANY_COST
    const whileUnknown = () => goWithout(search, attempt.height)
    try {
      const traces = await read(rpc, block, { whileUnknown, mayGoOn: parts.mayGoOn })
      if (traces !== null) noteTraced(search, attempt.height)
      parts.close()
      return traces
    } catch (error) {
      // A configured method means that blocks must not be read without traces.
      if (options.mode !== 'auto' || !(await isRefusal(rpc, block, error))) throw error
      goWithoutRefused(search, rpc, { ...attempt, refusal: error })
      return error instanceof TooMuch ? error.told : null
    }
  }
  /** Without traces the block would count as repaired. */
  const readRepaired = async (rpc: JsonRpc, block: RpcBlock) => {
    try {
      const whileUnknown = () => demandMode(search)
      return await read(rpc, block, { whileUnknown, mayGoOn: AT_ANY_COST.mayGoOn })
    } catch (error) {
      const isLast = search.others(rpc).length === 0
      if (!isLast || !isAboutBlock(error)) throw error
      // An Outage of the chain, so a node with a usable head is not set aside.
      throw new Outage(options.chainId, `no traces: ${error.message}`, { cause: error })
    }
  }
  return {
    isOff: () => known === 'off',
    trace: (rpc, block, { isRepair = false }) =>
      isRepair ? readRepaired(rpc, block) : readOn(rpc, block),
    glance: (rpc, block) => read(rpc, block, GLANCING),
  }
}

function newSearch(options: TracingOptions): Search {
  return {
    ...options,
    cannot: new Set(),
    awaited: null,
    refused: null,
    patience: openPatience(options.clock),
    turns: new Map(),
    silent: new Set(),
    toldAt: null,
    untraced: null,
  }
}

/** How a block is read. */
interface Manner {
  whileUnknown: () => void
  mayGoOn: () => boolean
}

/** With a configured method each block waits, so giving up has no benefit. */
const AT_ANY_COST = { mayGoOn: () => true, close: () => undefined }
const GLANCING: Manner = { whileUnknown: () => undefined, mayGoOn: () => false }

/**
 * Whether there is time to trace the transactions of a block singly, which the chain's patience
 * limits. Closing it spends the time that was used.
 */
function openParts({ clock, patience }: Search) {
  let begunAt: Millis | null = null
  return {
    mayGoOn: () => {
      if (begunAt !== null) return isPausing(clock.now(), begunAt, PARTS_MAX_MS)
      if (patience.left() === 0) return false
      begunAt = clock.now()
      return true
    },
    close: () => patience.spend(begunAt === null ? 0 : clock.now() - begunAt),
  }
}

/**
 * Whether a node will not or cannot trace a block. A node without the block may still learn of it,
 * or follow a branch without it.
 */
async function isRefusal(rpc: JsonRpc, block: RpcBlock, error: unknown): Promise<boolean> {
  if (!isAboutBlock(error)) return false
  if (error instanceof TooMuch) return true
  return !saysNoBlock(error) || (await readHeader(rpc, block.height))?.hash === block.hash
}

/** A rate limit is no refusal. */
function isAboutBlock(error: unknown): error is RpcRefusal | TooMuch {
  if (error instanceof RpcRefusal) return error.retryAfterMs === null
  return error instanceof TooMuch
}

/**
 * Whether anything can have moved inside the block's transactions. 21,000 gas pays for a plain send
 * and leaves none to run code, so a block of such sends needs no trace.
 */
function mayMoveInside({ transactions }: RpcBlock): boolean {
  return transactions.some(({ gas, isBare }) => gas !== SEND_GAS || !isBare)
}

/** `auto` while no node traces and some have not answered. */
async function findMode(search: Search, rpc: JsonRpc): Promise<TraceMode> {
  const { chainId, cannot, clock, log, nodes } = search
  const own = await ask(search, rpc)
  if (own === null && isPausing(clock.now(), search.toldAt, ASK_AGAIN_MS)) return 'auto'
  const mode = own ?? (await askOthers(search, rpc))
  if (mode !== null) {
    log.info({ chainId, mode }, 'found how to trace blocks')
    reportUntraced(search)
    return mode
  }
  if (nodes.some((node) => !cannot.has(node))) return 'auto'
  log.warn({ chainId }, 'no node traces: native transfers made by contracts will not be seen')
  return 'off'
}

/** Other nodes that are down are skipped: whether to wait for them depends on the block. */
async function askOthers(search: Search, rpc: JsonRpc): Promise<FixedMode | null> {
  for (const other of search.others(rpc)) {
    const mode = await ask(search, other).catch(nullIfAway)
    if (mode !== null) return mode
  }
  return null
}

async function ask({ cannot }: Search, rpc: JsonRpc): Promise<FixedMode | null> {
  if (cannot.has(rpc)) return null
  const mode = await modeOf(rpc)
  if (mode === null) cannot.add(rpc)
  return mode
}

/**
 * Prefers `trace_block`, which costs nodes far less. The genesis is used for the test: no node can
 * trace it, and the refusal shows whether the method is known.
 */
async function modeOf(rpc: JsonRpc): Promise<FixedMode | null> {
  if (await knowsMethod(rpc, 'trace_block', ['0x0'])) return 'trace'
  const params = ['0x0', { tracer: 'callTracer' }]
  return (await knowsMethod(rpc, 'debug_traceBlockByNumber', params)) ? 'debug' : null
}

/** A node that is down may be the one that traces, so the block waits for it, with a limit. */
function goWithout(search: Search, height: number): void {
  const { chainId, clock, log } = search
  const now = clock.now()
  search.awaited = metAgain(search.awaited, now)
  if (!hasLasted(search.awaited)) demandMode(search)
  noteUntraced(search, height)
  if (isPausing(now, search.toldAt, ASK_AGAIN_MS)) return
  search.toldAt = now
  log.error(
    { chainId, away: awayOf(search), ...search.untraced },
    'native transfers made by contracts are not seen while nodes that may trace are down',
  )
}

/** An Outage of the chain, not of a node. */
function demandMode(search: Search): never {
  const away = awayOf(search).join(', ')
  throw new Outage(search.chainId, `whether a node traces is not known yet: ${away}`)
}

/** Names of nodes that have not answered whether they trace. */
function awayOf({ cannot, nodes }: Search): string[] {
  return nodes.filter((node) => !cannot.has(node)).map(({ name }) => name)
}

/**
 * A block that a node refuses to trace waits for another node, as long as for nodes that are down.
 * After that it is read without traces, and so are blocks around it until one is traced. A block
 * that is too much waits only as long as the chain has patience, because strangers can make more of
 * them.
 */
function goWithoutRefused(
  search: Search,
  rpc: JsonRpc,
  { refusal, ...attempt }: Attempt & { refusal: unknown },
): void {
  const { chainId, clock, log, patience } = search
  const { height } = attempt
  const now = clock.now()
  const noted = noteRefused(search, attempt)
  const isStrangers = refusal instanceof TooMuch
  const waitMs = isStrangers ? patience.left() : AWAITED_MAX_MS
  if (noted.lastAt - noted.since < waitMs) throw refusal
  const isTold = isPausing(now, search.toldAt, ASK_AGAIN_MS)
  if (!isTold) search.silent.clear()
  if (mayAskOthers(search, rpc, { height, turnMs: Math.min(TURN_MAX_MS, waitMs) })) throw refusal
  if (isStrangers) patience.spend(now - noted.heldSince)
  noted.heldSince = now
  noteUntraced(search, height)
  if (isTold) return
  search.toldAt = now
  log.error(
    { chainId, err: refusal, ...search.untraced },
    'native transfers made by contracts are not seen while nodes refuse to trace',
  )
}

/**
 * Whether another node is up that has not refused this block and may trace it. A node that is up
 * but lacks the block might never answer, so a turn ends.
 */
function mayAskOthers(
  { clock, others, silent, turns }: Search,
  rpc: JsonRpc,
  { height, turnMs }: { height: number; turnMs: number },
): boolean {
  const now = clock.now()
  const { since, refusers } = turns.get(height) ?? { since: now, refusers: new Set() }
  refusers.add(rpc)
  const left = others(rpc).filter((other) => !refusers.has(other) && !silent.has(other))
  if (left.length > 0 && (since === now || isPausing(now, since, turnMs))) {
    turns.set(height, { since, refusers })
    return true
  }
  turns.delete(height)
  for (const other of left) silent.add(other)
  return false
}

/**
 * A refusal above blocks that were traced since the last refusal starts a new wait. A lower one
 * does not: newer blocks that are traced must not restart the wait of an older one.
 */
function noteRefused(search: Search, { height, begunAt }: Attempt): Refused {
  const { clock, refused } = search
  const isNew = refused === null || (refused.tracedAt !== null && height > refused.tracedAt)
  const before = isNew ? { upTo: height, tracedAt: null, heldSince: begunAt } : refused
  search.refused = {
    ...before,
    ...metAgain(isNew ? metAgain(null, begunAt) : refused, clock.now()),
    upTo: Math.max(before.upTo, height),
    heldSince: height > before.upTo ? begunAt : before.heldSince,
  }
  return search.refused
}

/**
 * Tracing a block as old as the refused ones ends the refusal, and so does a long time without
 * refusals.
 */
function noteTraced(search: Search, height: number): void {
  const { clock, refused, silent, turns } = search
  reportUntraced(search)
  silent.clear()
  turns.delete(height)
  if (refused === null) return
  const isOver = !isPausing(clock.now(), refused.lastAt, AWAITED_MAX_MS)
  if (height <= refused.upTo || isOver) {
    search.refused = null
    turns.clear()
  } else refused.tracedAt = Math.max(refused.tracedAt ?? height, height)
}

function noteUntraced(search: Search, height: number): void {
  const { from, to } = search.untraced ?? { from: height, to: height }
  search.untraced = { from: Math.min(from, height), to: Math.max(to, height) }
}

/** Logs once which blocks were not traced, when tracing works again. */
function reportUntraced(search: Search): void {
  const { chainId, log, untraced } = search
  if (untraced === null) return
  search.untraced = null
  log.error({ chainId, ...untraced }, 'blocks were read without traces: have them read again')
}
