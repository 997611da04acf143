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
 * Finds the moves inside transactions. How, is one decision for the chain that holds while the
 * process lives.
 */
export interface Tracing {
  /** Whether it is known already that no block of the chain is traced. */
  isOff(): boolean
  /**
   * Null where the chain is not traced, or where the block cannot hold inner moves. Throws an
   * Outage of the chain while a node is away that may be the one that traces, and the refusal of
   * one that was found to trace, but neither for ever unless the block is read for a repair. What
   * is refused of some transactions alone is null in their place thereafter.
   */
  trace(rpc: JsonRpc, block: RpcBlock, scope: Pick<BlockScope, 'isRepair'>): Promise<Traces>
  /** As `trace`, for those who only look and keep nothing: no node is waited for. */
  glance(rpc: JsonRpc, block: RpcBlock): Promise<Traces>
}

type FixedMode = Exclude<TraceMode, 'auto'>

interface TracingOptions {
  chainId: ChainId
  mode: TraceMode
  /** All nodes of the chain, those that are away too: each must answer before tracing is off. */
  nodes: readonly JsonRpc[]
  /** Those of them that can be asked beside the one that serves. */
  others: (rpc: JsonRpc) => readonly JsonRpc[]
  clock: Clock
  log: Log
}

/** What is known of who traces, and of blocks that nobody did. */
interface Search extends TracingOptions {
  /** Nodes that have answered that they do not. */
  cannot: Set<JsonRpc>
  /** Null while no block is there that only nodes that are away might trace. */
  awaited: Lasting | null
  /** Null while no block is refused by nodes that were found to trace. */
  refused: Refused | null
  /** For blocks that are too much. */
  patience: Patience
  /** Of blocks that are refused after the wait, by height. */
  turns: Map<number, Turn>
  /** Nodes that were there for a whole turn and said nothing of a block. */
  silent: Set<JsonRpc>
  /** When blocks were last said to be read without traces. */
  toldAt: Millis | null
  /** Heights between which they were. */
  untraced: { from: number; to: number } | null
}

/** Blocks that nodes refuse to trace: most often their states are gone since a downtime. */
interface Refused extends Lasting {
  /** The highest of them, and since when it holds the chain up. */
  upTo: number
  heldSince: Millis
  /** The highest that was traced since, above them. */
  tracedAt: number | null
}

/** Who was asked to trace a block that waited long enough. */
interface Turn {
  since: Millis
  refusers: Set<JsonRpc>
}

/** A block that a node was asked for, and since when. */
interface Attempt {
  height: number
  begunAt: Millis
}

const SEND_GAS = 21_000n
/** So long at most the transactions of a block are traced by themselves, a rescan apart. */
const PARTS_MAX_MS = 60_000
/** So long each block is left to nodes that have not refused it, once it has waited. */
const TURN_MAX_MS = 60_000
/** Thereafter the others are asked only so often: each may take the whole time of an exchange. */
const ASK_AGAIN_MS = 300_000

/**
 * With `auto` the first block decides; a node that cannot trace that way has an Outage, and another
 * one serves. That none traces is decided only once every node has said so.
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
      // Whoever names a way of tracing has said that blocks are not to be read without.
      if (options.mode !== 'auto' || !(await isRefusal(rpc, block, error))) throw error
      goWithoutRefused(search, rpc, { ...attempt, refusal: error })
      return error instanceof TooMuch ? error.told : null
    }
  }
  /** Read without, the block would be taken for mended. */
  const readRepaired = async (rpc: JsonRpc, block: RpcBlock) => {
    try {
      const whileUnknown = () => demandMode(search)
      return await read(rpc, block, { whileUnknown, mayGoOn: AT_ANY_COST.mayGoOn })
    } catch (error) {
      const isLast = search.others(rpc).length === 0
      if (!isLast || !isAboutBlock(error)) throw error
      // The chain's own: a node that is good for the head is not set aside for it.
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

/** Whoever names a way of tracing has each block wait, so nothing is gained by giving up. */
const AT_ANY_COST = { mayGoOn: () => true, close: () => undefined }
const GLANCING: Manner = { whileUnknown: () => undefined, mayGoOn: () => false }

/**
 * Whether there is time to trace the transactions of a block by themselves, which may take long as
 * well: no longer than the chain has patience. What it took of that is taken when it is closed.
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
 * Whether a node will not trace a block, or cannot. One that lacks the block may yet learn of it,
 * or has followed a branch without it.
 */
async function isRefusal(rpc: JsonRpc, block: RpcBlock, error: unknown): Promise<boolean> {
  if (!isAboutBlock(error)) return false
  if (error instanceof TooMuch) return true
  return !saysNoBlock(error) || (await readHeader(rpc, block.height))?.hash === block.hash
}

/** A node that is asked too often has refused nothing. */
function isAboutBlock(error: unknown): error is RpcRefusal | TooMuch {
  if (error instanceof RpcRefusal) return error.retryAfterMs === null
  return error instanceof TooMuch
}

/**
 * Whether anything can have moved inside the block's transactions. Gas of 21,000 pays for the
 * sending and leaves none to run code with, so a block of such sends needs no trace.
 */
export function mayMoveInside({ transactions }: RpcBlock): boolean {
  return transactions.some(({ gas, isBare }) => gas !== SEND_GAS || !isBare)
}

/** Still `auto` while no node traces and some have not answered. */
async function findMode(search: Search, rpc: JsonRpc): Promise<TraceMode> {
  const { chainId, cannot, clock, log, nodes } = search
  const own = await ask(search, rpc)
  if (own === null && isPausing(clock.now(), search.toldAt, ASK_AGAIN_MS)) return 'auto'
  const mode = own ?? (await askOthers(search, rpc))
  if (mode !== null) {
    log.info({ chainId, mode }, 'found how to trace blocks')
    tellUntraced(search)
    return mode
  }
  if (nodes.some((node) => !cannot.has(node))) return 'auto'
  log.warn({ chainId }, 'no node traces: native transfers made by contracts will not be seen')
  return 'off'
}

/** Others that are away have no say: whether they are waited for is the block's matter. */
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
 * Prefers `trace_block`, which costs nodes far less. Tried on the genesis, which no node can trace
 * and every node refuses in a way of its own.
 */
async function modeOf(rpc: JsonRpc): Promise<FixedMode | null> {
  if (await knowsMethod(rpc, 'trace_block', ['0x0'])) return 'trace'
  const params = ['0x0', { tracer: 'callTracer' }]
  return (await knowsMethod(rpc, 'debug_traceBlockByNumber', params)) ? 'debug' : null
}

/**
 * A node that is away may be the one that traces, so the block waits for it; but no chain stands
 * still for ever because its second node does.
 */
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
    'native transfers made by contracts are not seen while nodes are away that may trace',
  )
}

/** The chain's own Outage: no node is to blame. */
function demandMode(search: Search): never {
  const away = awayOf(search).join(', ')
  throw new Outage(search.chainId, `whether a node traces is not known yet: ${away}`)
}

/** Names of nodes that have not said whether they trace. */
function awayOf({ cannot, nodes }: Search): string[] {
  return nodes.filter((node) => !cannot.has(node)).map(({ name }) => name)
}

/**
 * A block that a node refuses to trace waits for one that does not, as long as for nodes that are
 * away; thereafter it is read without, and so are those before it and after it until one is traced.
 * One that is too much waits no longer than the chain has patience: strangers can make more such.
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
 * Whether another node is there that has not refused this block: it may trace, whoever is asked
 * first. One that is there and yet lacks the block says nothing for ever, so a turn ends.
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
  // A clock that was set back ends the turn: nobody is kept waiting by it.
  if (left.length > 0 && (since === now || isPausing(now, since, turnMs))) {
    turns.set(height, { since, refusers })
    return true
  }
  turns.delete(height)
  for (const other of left) silent.add(other)
  return false
}

/**
 * A refusal above what was traced since the last one is the beginning of something else; one below
 * is not, lest every newer block that is traced meanwhile make an older one wait anew.
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

/** A block as old as those that were refused ends it, and so does a long time without refusals. */
function noteTraced(search: Search, height: number): void {
  const { clock, refused, silent, turns } = search
  tellUntraced(search)
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

/** Says once, when blocks are traced again, which were not. */
function tellUntraced(search: Search): void {
  const { chainId, log, untraced } = search
  if (untraced === null) return
  search.untraced = null
  log.error({ chainId, ...untraced }, 'blocks were read without traces: have them read again')
}
