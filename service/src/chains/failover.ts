import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Clock, Millis } from '../base/clock.ts'
import type { Dice } from '../base/dice.ts'
import { Outage } from '../base/fault.ts'
import type { Log } from '../base/log.ts'
import { backoffMs } from '../base/retry.ts'
import type { Backoff } from '../base/retry.ts'
import { Doubt } from './doubt.ts'
import type { ChainPin, NodeIdentity, NodeReport } from './options.ts'

/**
 * The nodes of one chain behind one door, of which one serves each sequence of calls from start to
 * end.
 */
export interface Failover<N> {
  readonly chainId: ChainId
  /** Whether the chain has no other node, neither fit nor set aside. */
  readonly isAlone: boolean
  /**
   * Runs the work, which may be repeated, on the first node that is fit. One that fails with an
   * Outage is set aside for a while and the next takes over. Where no other is left, staying away
   * from the last helps nobody: what failed quickly there is asked again at once, a few times. An
   * Outage of all ends in one Outage that says when the first is tried again. One that bears the
   * chain's own name is no node's fault: it is thrown at once and sets nobody aside. A Doubt sets
   * nobody aside either, and is thrown where no node does better.
   */
  use<T>(work: (node: N) => Promise<T>): Promise<T>
  /** As `use`, for what a node may not have (yet): null only where no fit node has it. */
  find<T>(work: (node: N) => Promise<T | null>): Promise<T | null>
  /**
   * Asks every node who it is, those set aside too, and decides anew which are fit. The pin is kept
   * for nodes that are asked later.
   */
  identify(pin?: ChainPin): Promise<NodeReport[]>
  /**
   * The other nodes that are fit, of which some may have turned to another chain: one is `proven`
   * before it is asked for anything but what bears the hash of a block of ours.
   */
  others(node: N): readonly N[]
  /**
   * A node once it has said who it is, now or since it last failed. An Outage where it does not, or
   * serves another chain.
   */
  proven(node: N): Promise<N>
  /** Every node that is not known to serve another chain, those set aside too. */
  all(): readonly N[]
  /** Notes how far a node is, so that gaps in its history show. */
  saw(node: N, height: number): void
  /** The height last seen of a node; null before the first. */
  seen(node: N): number | null
}

/** What a node says of itself. */
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
  dice: Dice
  log: Log
}

/** A node this far behind the best of its chain is asked only when no other is left. */
export const LAG_BLOCKS_MAX = 10
/** No further node is tried once a sequence has taken this long. */
export const SEQUENCE_MAX_MS = 30_000
/** Failures with no success between that are forgiven to the last node that is left. */
const FORGIVEN_MAX = 2
/** What took longer is not worth a second try: whoever asked waits for an answer. */
const QUICK_MS = 2_000
const ASIDE: Backoff = { firstMs: 250, maxMs: 15_000, attemptsMax: Number.POSITIVE_INFINITY }

/**
 * Nodes begin unproved: each is asked who it is before its first use, and again after each Outage.
 */
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
  /** Under way for all who want it to serve. */
  proving: Promise<unknown> | null
  /** Failures since the last success that did not set it aside, for want of another node. */
  forgiven: number
  failedAt: Millis
  /** Failures that no success has taken back, each with time to recover between. */
  failures: number
  asideUntil: number
  lastPauseMs: number
  lastOutage: Outage | null
  /** Since it was set aside, until it serves again. */
  down: { since: Millis; failures: number } | null
}

interface Fleet<N> extends FailoverOptions<N> {
  members: readonly Member<N>[]
  /** Of the first node that served this chain; any other must have the same. */
  genesis: string | null
  pin: ChainPin | null
}

/** A node that was asked without a pin may have been known by another block. */
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

/** Nodes of this chain that are not set aside, those that lag last. */
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
    const given = await ask(fleet, member, work)
    if (given instanceof Doubt) doubt ??= given
    if (given === null || given instanceof Doubt) continue
    if (isEnough(given.result)) return given.result
    answer ??= given
  }
  if (answer !== null) return answer.result
  throw doubt ?? outageOfAll(fleet)
}

/** What a node answers, or doubts; null where it serves another chain, or failed for good. */
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
      // What the chain as a whole lacks is no fault of the node.
      if (!(error instanceof Outage) || error.what === fleet.chainId) throw error
      noteFailure(fleet, member, { outage: error, begunAt })
      if (member.asideUntil > clock.now() || clock.now() - begunAt > QUICK_MS) return null
    }
  }
  return null
}

/** Many who want it at the same time ask once. */
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

/** Asks a node who it is and decides whether it serves our chain. */
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
        // A node that only says who it is may fail at all else.
        if (begunAt >= member.asideUntil + member.lastPauseMs) logBack(fleet, member)
        return { node: member.name, outcome }
      } catch (error) {
        if (!(error instanceof Outage)) throw error
        noteFailure(fleet, member, { outage: error, begunAt })
        return { node: member.name, outcome: { state: 'unreachable', reason: error.message } }
      }
    }),
  )
  compareHeads(fleet, reports)
  return reports
}

/** Heads are compared only when all were asked at the same time. */
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
 * Each success takes one failure back, and one that has served for as long as it last had to stay
 * away has recovered: else a node that errs now and then would stay away for most of the time.
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
  // Calls that were under way together fail together, however late: that is one failure.
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
  { chainId, clock, dice, log }: Fleet<N>,
  member: Member<N>,
  outage: Outage,
): void {
  member.failures += 1
  member.lastPauseMs = Math.max(
    backoffMs(ASIDE, member.failures, dice),
    pauseAskedFor(outage, dice),
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

/** Once for each outage of a node, with the calls that failed and how long it lasted. */
function logBack<N>({ chainId, clock, log }: Fleet<N>, member: Member<N>): void {
  if (member.down === null) return
  const { since, failures } = member.down
  member.down = null
  log.info({ chainId, node: member.name, failures, ms: clock.now() - since }, 'node is back')
}

/** A little later than asked, so that several processes do not come back at once. */
function pauseAskedFor({ retryAfterMs }: Outage, dice: Dice): number {
  return Math.round((retryAfterMs ?? 0) * (1 + dice.fraction() / 10))
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
