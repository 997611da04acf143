import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Clock, Millis } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { Outage } from '../base/fault.ts'
import type { Log } from '../base/log.ts'
import { backoffMs } from '../base/retry.ts'
import type { Backoff } from '../base/retry.ts'
import { Doubt } from './doubt.ts'
import type { ChainPin, NodeIdentity, NodeReport } from './options.ts'

/** The nodes of a chain, one of which serves each sequence of calls from start to end. */
export interface Failover<N> {
  readonly chainId: ChainId
  /** Whether the chain has only one node. */
  readonly isAlone: boolean
  /**
   * Runs the work on the first available node, and repeats it on the next one after an Outage,
   * which excludes the node for a while. The last available node is retried at once, a few times,
   * if it failed quickly. If all fail, one Outage says when the first node is retried. An Outage
   * with the chain's own name is not the fault of a node: it is thrown at once and excludes none.
   * Nor does a Doubt, which is thrown if no node answers without one.
   */
  use<T>(work: (node: N) => Promise<T>): Promise<T>
  /** As `use`, for data that a node may not have (yet): null if no available node has it. */
  find<T>(work: (node: N) => Promise<T | null>): Promise<T | null>
  /**
   * Queries the identity of every node, also of excluded ones, and decides which are available. The
   * pin is kept for nodes that are queried later.
   */
  identify(pin?: ChainPin): Promise<NodeReport[]>
  /**
   * The other available nodes. They may serve another chain by now, so call `proven` before any
   * query other than by the hash of a block of ours.
   */
  others(node: N): readonly N[]
  /**
   * The node when its identity is confirmed, now or since its last failure. An Outage if it does
   * not answer, or serves another chain.
   */
  proven(node: N): Promise<N>
  /** Every node that is not known to serve another chain, also excluded ones. */
  all(): readonly N[]
  /** Stores the height of a node, to detect gaps in its history. */
  saw(node: N, height: number): void
  /** The height last seen of a node; null before the first. */
  seen(node: N): number | null
}

/** Identity and head of a node. */
export interface NodeStanding {
  identity: NodeIdentity
  head: number
}

export interface FailoverOptions<N> {
  chainId: ChainId
  nodes: readonly N[]
  nameOf: (node: N) => string
  /** The pin is null before first contact. */
  standingOf: (node: N, pin: ChainPin | null) => Promise<NodeStanding>
  clock: Clock
  random: Random
  log: Log
}

/** A node this far behind the highest node is used only if no other is available. */
export const LAG_BLOCKS_MAX = 10
/** No further node is tried once a sequence has taken this long. */
export const SEQUENCE_MAX_MS = 30_000
/** Consecutive failures before the last available node is excluded. */
const FORGIVEN_MAX = 2
/** Failures that took longer are not retried, because a caller is waiting. */
const QUICK_MS = 2_000
const ASIDE: Backoff = { firstMs: 250, maxMs: 15_000, attemptsMax: Number.POSITIVE_INFINITY }

/** Nodes start unproved: their identity is queried before first use and after each Outage. */
export function openFailover<N>(options: FailoverOptions<N>): Failover<N> {
  const fleet: Fleet<N> = {
    ...options,
    members: options.nodes.map((node) => newMember(node, options.nameOf(node))),
    genesis: null,
    pin: null,
  }
  return {
    chainId: options.chainId,
    isAlone: options.nodes.length === 1,
    use: (work) => run(fleet, work, () => true),
    find: (work) => run(fleet, work, (result) => result !== null),
    identify: (pin) => {
      if (pin !== undefined) keepPin(fleet, pin)
      return identify(fleet)
    },
    others: (node) =>
      fitMembers(fleet)
        .map((member) => member.node)
        .filter((other) => other !== node),
    proven: (node) => proven(fleet, node),
    all: () =>
      fleet.members.filter(({ state }) => state !== 'wrong-chain').map((member) => member.node),
    saw: (node, height) => {
      for (const member of fleet.members) if (member.node === node) member.head = height
    },
    seen: (node) => fleet.members.find((member) => member.node === node)?.head ?? null,
  }
}

interface Member<N> {
  node: N
  name: string
  state: 'unproved' | 'serves' | 'wrong-chain'
  head: number | null
  isLagging: boolean
  /** The pending identity query, shared by all callers. */
  proving: Promise<unknown> | null
  /** Failures since the last success that did not exclude it, as the last available node. */
  forgiven: number
  failedAt: Millis
  /** Separate failures, less the successes since. */
  failures: number
  asideUntil: number
  lastPauseMs: number
  lastOutage: Outage | null
  /** Set while it is excluded. */
  down: { since: Millis; failures: number } | null
}

interface Fleet<N> extends FailoverOptions<N> {
  members: readonly Member<N>[]
  /** Of the first node that served this chain; all others must have the same. */
  genesis: string | null
  pin: ChainPin | null
}

/** Without a pin a node may have been identified by another block. */
function keepPin<N>(fleet: Fleet<N>, pin: ChainPin): void {
  if (fleet.pin?.genesis !== pin.genesis) fleet.genesis = null
  fleet.pin = pin
}

function newMember<N>(node: N, name: string): Member<N> {
  return {
    node,
    name,
    state: 'unproved',
    head: null,
    isLagging: false,
    proving: null,
    forgiven: 0,
    failedAt: 0,
    failures: 0,
    asideUntil: 0,
    lastPauseMs: 0,
    lastOutage: null,
    down: null,
  }
}

/** Nodes of this chain that are not excluded, lagging ones last. */
function fitMembers<N>({ members, clock }: Fleet<N>): Member<N>[] {
  const now = clock.now()
  const fit = members.filter((one) => one.state !== 'wrong-chain' && one.asideUntil <= now)
  return [...fit.filter((one) => !one.isLagging), ...fit.filter((one) => one.isLagging)]
}

async function run<N, T>(
  fleet: Fleet<N>,
  work: (node: N) => Promise<T>,
  isEnough: (result: T) => boolean,
): Promise<T> {
  const startedAt = fleet.clock.now()
  let answer: { result: T } | null = null
  let doubt: Doubt | null = null
  for (const member of fitMembers(fleet)) {
    if (fleet.clock.now() - startedAt > SEQUENCE_MAX_MS) break
    const answered = await ask(fleet, member, work)
    if (answered instanceof Doubt) doubt ??= answered
    if (answered === null || answered instanceof Doubt) continue
    if (isEnough(answered.result)) return answered.result
    answer ??= answered
  }
  if (answer !== null) return answer.result
  throw doubt ?? outageOfAll(fleet)
}

/** The answer or Doubt of a node; null if it serves another chain or is excluded. */
async function ask<N, T>(
  fleet: Fleet<N>,
  member: Member<N>,
  work: (node: N) => Promise<T>,
): Promise<{ result: T } | Doubt | null> {
  const { clock } = fleet
  for (let tries = 0; tries <= FORGIVEN_MAX; tries += 1) {
    const begunAt = clock.now()
    try {
      if (member.state === 'unproved') await proveOnce(fleet, member)
      if (member.state === 'wrong-chain') return null
      const result = await work(member.node)
      noteSuccess(fleet, member, begunAt)
      return { result }
    } catch (error) {
      if (error instanceof Doubt) return error
      // An Outage of the chain is not the fault of the node.
      if (!(error instanceof Outage) || error.what === fleet.chainId) throw error
      noteFailure(fleet, member, { outage: error, begunAt })
      if (member.asideUntil > clock.now() || clock.now() - begunAt > QUICK_MS) return null
    }
  }
  return null
}

/** Concurrent callers share one query. */
function proveOnce<N>(fleet: Fleet<N>, member: Member<N>): Promise<unknown> {
  member.proving ??= prove(fleet, member).finally(() => {
    member.proving = null
  })
  return member.proving
}

async function proven<N>(fleet: Fleet<N>, node: N): Promise<N> {
  const member = fleet.members.find((one) => one.node === node)
  assert(member !== undefined, 'a node of another fleet', { chainId: fleet.chainId })
  if (member.state === 'unproved') await proveOnce(fleet, member)
  if (member.state === 'wrong-chain') throw new Outage(member.name, 'serves another chain')
  return node
}

/** Queries the identity of a node and decides whether it serves the chain. */
async function prove<N>(fleet: Fleet<N>, member: Member<N>): Promise<NodeReport['outcome']> {
  const { genesis } = fleet
  const pin = fleet.pin ?? (genesis === null ? null : { genesis, kept: null })
  const { identity, head } = await fleet.standingOf(member.node, pin)
  member.head = head
  const { chainId, log } = fleet
  if (identity.chainId === chainId) fleet.genesis ??= identity.genesis
  const expected = `${chainId} with genesis ${fleet.genesis ?? 'not known yet'}`
  if (identity.chainId === chainId && identity.genesis === fleet.genesis) {
    member.state = 'serves'
    return { state: 'serves', identity, head }
  }
  const answered = `${identity.chainId} with genesis ${identity.genesis}`
  if (member.state !== 'wrong-chain') {
    log.error({ chainId, node: member.name, expected, answered }, 'a node serves another chain')
  }
  member.state = 'wrong-chain'
  return { state: 'wrong-chain', expected, answered }
}

async function identify<N>(fleet: Fleet<N>): Promise<NodeReport[]> {
  const reports = await Promise.all(
    fleet.members.map(async (member): Promise<NodeReport> => {
      const begunAt = fleet.clock.now()
      try {
        const outcome = await prove(fleet, member)
        // A node that answers this query may still fail all others.
        if (begunAt >= member.asideUntil + member.lastPauseMs) logBack(fleet, member)
        return { node: member.name, outcome, ms: fleet.clock.now() - begunAt }
      } catch (error) {
        if (!(error instanceof Outage)) throw error
        noteFailure(fleet, member, { outage: error, begunAt })
        const ms = fleet.clock.now() - begunAt
        return { node: member.name, outcome: { state: 'unreachable', reason: error.message }, ms }
      }
    }),
  )
  compareHeads(fleet, reports)
  return reports
}

/** Heads are comparable only if all were queried at the same time. */
function compareHeads<N>({ members, chainId, log }: Fleet<N>, reports: readonly NodeReport[]) {
  const heads = reports.map(({ outcome }) => (outcome.state === 'serves' ? outcome.head : null))
  const best = Math.max(...heads.map((head) => head ?? 0))
  members.forEach((member, at) => {
    const head = heads[at] ?? null
    if (head === null) return
    const isLagging = head < best - LAG_BLOCKS_MAX
    if (isLagging && !member.isLagging) {
      log.warn({ chainId, node: member.name, head, best }, 'a node lags behind the others')
    }
    member.isLagging = isLagging
  })
}

/**
 * Each success cancels one failure, and a node that served as long as its last exclusion lasted has
 * recovered. Otherwise a node with occasional errors would be excluded most of the time.
 */
function noteSuccess<N>(fleet: Fleet<N>, member: Member<N>, begunAt: Millis): void {
  const { clock } = fleet
  if (begunAt < member.asideUntil) return
  logBack(fleet, member)
  member.forgiven = 0
  const isRecovered = clock.now() >= member.asideUntil + member.lastPauseMs
  member.failures = isRecovered ? 0 : Math.max(0, member.failures - 1)
}

function noteFailure<N>(
  fleet: Fleet<N>,
  member: Member<N>,
  { outage, begunAt }: { outage: Outage; begunAt: Millis },
): void {
  member.lastOutage = outage
  if (member.down !== null) member.down.failures += 1
  if (member.state === 'serves') member.state = 'unproved'
  // Concurrent calls that fail together count as one failure.
  if (begunAt < Math.max(member.failedAt, member.asideUntil)) return
  const now = fleet.clock.now()
  const isLast = fitMembers(fleet).every((one) => one === member)
  const isQuick = now - begunAt <= QUICK_MS && outage.retryAfterMs === null
  member.failedAt = now
  if (!isLast || !isQuick || member.forgiven >= FORGIVEN_MAX) return setAside(fleet, member, outage)
  member.forgiven += 1
  const about = { chainId: fleet.chainId, node: member.name, reason: outage.message }
  fleet.log.debug(about, 'the last node that is left failed, and is asked again')
}

function setAside<N>(
  { chainId, clock, random, log }: Fleet<N>,
  member: Member<N>,
  outage: Outage,
): void {
  member.failures += 1
  member.lastPauseMs = Math.max(
    backoffMs(ASIDE, member.failures, random),
    pauseAskedFor(outage, random),
  )
  member.asideUntil = clock.now() + member.lastPauseMs
  const about = { chainId, node: member.name, reason: outage.message }
  if (member.down !== null) {
    log.debug({ ...about, pauseMs: member.lastPauseMs }, 'node is still down')
    return
  }
  member.down = { since: clock.now(), failures: 1 }
  log.warn(about, 'node is down')
}

/** Logs the end of an outage once, with its failed calls and its duration. */
function logBack<N>({ chainId, clock, log }: Fleet<N>, member: Member<N>): void {
  if (member.down === null) return
  const { since, failures } = member.down
  member.down = null
  log.info({ chainId, node: member.name, failures, ms: clock.now() - since }, 'node is back')
}

/** Adds jitter, so that several processes do not return at the same time. */
function pauseAskedFor({ retryAfterMs }: Outage, random: Random): number {
  return Math.round((retryAfterMs ?? 0) * (1 + random.fraction() / 10))
}

function outageOfAll<N>({ chainId, members, clock }: Fleet<N>): Outage {
  const own = members.filter(({ state }) => state !== 'wrong-chain')
  const isLogged = true
  if (own.length === 0) {
    return new Outage(chainId, 'every node serves another chain', { isLogged })
  }
  const first = own.reduce((a, b) => (a.asideUntil <= b.asideUntil ? a : b))
  const reason = first.lastOutage?.message ?? 'no node was tried in time'
  return new Outage(chainId, `no node can answer: ${reason}`, {
    isLogged,
    cause: first.lastOutage,
    retryAfterMs: Math.max(first.asideUntil - clock.now(), 0),
  })
}
