import type { SweepWait } from '@sluice/wire'
import { Outage } from '../base/fault.ts'
import { maySpend, readChainState } from '../catalogue/chain-state.ts'
import { worstError } from '../chains/doubt.ts'
import type { FeeBook } from '../gas/fee-book.ts'
import type { Send } from '../gas/send-top-up.ts'
import { advanceSweep, type SweepStep, WAIT_AFTER } from './advance.ts'
import { endsRound, noteFailure } from './failure.ts'
import { gatherCandidates, type SweepRound } from './gather.ts'
import type { SweepDeps } from './deps.ts'
import {
  type PlannedSweep,
  planSweeps,
  type SweepDemand,
  type SweepRules,
  sweepThreshold,
} from './plan.ts'
import { refuelSweeps } from './refuel.ts'
import {
  insertWaiting,
  noteStopped,
  noteWaits,
  selectWaiting,
  sumOpen,
  touchWaiting,
} from './rows.ts'
import type { Sweep } from './sweep.ts'

/** Sweeps of one organization that are open at once, on their way or not. */
const OPEN_MAX = 64

/** Waiting sweeps looked at in one round. */
const LOOK_MAX = 128

/** Sweeps brought on their way at once. */
const LANES = 4

/** Withdrawals no longer count on an open sweep after this time. */
const COMES_WITHIN_MS = 10 * 60_000

/** Inputs of a round of sweeps. */
export interface SweepRoundInput {
  fees: FeeBook
  /** Shortage of waiting withdrawals at the settlement accounts. */
  demands: readonly SweepDemand[]
  /** How far the look at all addresses has come; it is moved on. */
  round: SweepRound
  send?: Send
}

/**
 * One round of sweeps of a chain: plans sweeps, stores them, and advances the waiting ones, several
 * addresses at once. Returns the numbers of sweeps and top-ups sent. Throws an Outage if no node
 * answers; other errors are thrown after all sweeps were tried.
 */
export async function sweepChain(
  deps: SweepDeps,
  input: SweepRoundInput,
): Promise<{ sent: number; toppedUp: number }> {
  const {
    database,
    entry: { id: chainId },
  } = deps
  const state = await database.transaction((tx) => readChainState(tx, chainId))
  // A small reorg ends in a moment.
  const isStopped = state?.condition !== 'running'
  if (!maySpend(state)) {
    if (isStopped)
      await database.transaction((tx) => noteStopped(tx, { chainId, isKnownKept: false }))
    return { sent: 0, toppedUp: 0 }
  }
  try {
    return await sweepRound(deps, input)
  } catch (error) {
    if (error instanceof Outage)
      await database.transaction((tx) => noteStopped(tx, { chainId, isKnownKept: true }))
    throw error
  }
}

async function sweepRound(
  deps: SweepDeps,
  input: SweepRoundInput,
): Promise<{ sent: number; toppedUp: number }> {
  const { database, entry } = deps
  await planRound(deps, input)
  const waiting = await database.transaction((tx) =>
    selectWaiting(tx, { chainId: entry.id, limit: LOOK_MAX }),
  )
  const { steps, failures } = await advanceAll(deps, input, waiting)
  const count = (wanted: SweepStep) => steps.filter((step) => step === wanted).length
  // Stuck sweeps get their gas even if another sweep failed.
  const refuelled = failures.some(endsRound) ? 0 : await refuelAfter(deps, input, failures)
  if (failures.length > 0) throw worstError(failures)
  return { sent: count('sent'), toppedUp: count('topped-up') + refuelled }
}

async function refuelAfter(
  deps: SweepDeps,
  { send }: SweepRoundInput,
  failures: unknown[],
): Promise<number> {
  try {
    return await refuelSweeps(deps, send)
  } catch (error) {
    failures.push(error)
    return 0
  }
}

async function planRound(deps: SweepDeps, input: SweepRoundInput): Promise<void> {
  const { database, catalogue, entry, feeMultiple, maxAgeMs } = deps
  const chainId = entry.id
  const native = catalogue.nativeToken(chainId).id
  const price = await input.fees.feeOf(chainId, native)
  const nativeFee = price < deps.caps.absolute ? price : deps.caps.absolute
  const { round } = input
  await database.transaction(async (tx) => {
    const open = await sumOpen(tx, { chainId, forMs: COMES_WITHIN_MS })
    const demands = stillMissing(input.demands, open)
    // A step may be repeated: only the one that commits moves the round on.
    const next = { ...round }
    const candidates = await gatherCandidates(tx, { catalogue, entry, round: next, demands })
    deps.crash?.('sweep.gathered')
    const thresholdOf: SweepRules['thresholdOf'] = (id) => sweepThreshold(catalogue.token(id))
    const rules = { chainId, nativeFee, feeMultiple, maxAgeMs, thresholdOf }
    const planned = withinBounds(planSweeps(candidates, { rules, demands }), open)
    if (planned.length > 0) {
      await insertWaiting(
        tx,
        planned.map((one) => ({ ...one, chainId })),
      )
    }
    tx.afterCommit(() => Object.assign(round, next))
  })
  deps.crash?.('sweep.planned')
}

type Open = Awaited<ReturnType<typeof sumOpen>>

function stillMissing(demands: readonly SweepDemand[], open: Open): SweepDemand[] {
  return demands.flatMap((demand) => {
    const { orgId, tokenId } = demand
    const coming = open.find((one) => one.orgId === orgId && one.tokenId === tokenId)?.amount ?? 0n
    const missing = demand.missing - coming
    return missing > 0n ? [{ ...demand, missing }] : []
  })
}

/** Demands first; one organization cannot fill the chain's queue. */
function withinBounds(planned: readonly PlannedSweep[], open: Open): PlannedSweep[] {
  const room = new Map<string, number>()
  for (const { orgId, count } of open) room.set(orgId, (room.get(orgId) ?? OPEN_MAX) - count)
  const urgent = ({ reason }: PlannedSweep) => (reason === 'demand' ? 0 : 1)
  return planned
    .toSorted((a, b) => urgent(a) - urgent(b))
    .filter(({ orgId }) => {
      const left = room.get(orgId) ?? OPEN_MAX
      room.set(orgId, left - 1)
      return left > 0
    })
}

async function advanceAll(
  deps: SweepDeps,
  { fees, send }: SweepRoundInput,
  waiting: readonly Sweep[],
): Promise<{ steps: SweepStep[]; failures: unknown[] }> {
  const queue = [...waiting]
  const steps: SweepStep[] = []
  const failures: unknown[] = []
  const withoutGas = new Set<string>()
  const short: Sweep[] = []
  const ending: Sweep[] = []
  const waits: Wait[] = []
  let isOver = false
  const lane = async () => {
    for (let sweep = queue.shift(); sweep !== undefined && !isOver; sweep = queue.shift()) {
      if (withoutGas.has(sweep.orgId)) waits.push({ sweep, waitingFor: 'gas' })
      if (withoutGas.has(sweep.orgId) || deps.term?.aborted) continue
      try {
        const step = await advanceSweep(deps, { sweep, fees, ...(send && { send }) })
        waits.push({ sweep, waitingFor: WAIT_AFTER[step] })
        if (step === 'no-gas') {
          withoutGas.add(sweep.orgId)
          short.push(sweep)
        }
        if (step === 'stop') isOver = true
        steps.push(step)
      } catch (error) {
        if (!noteFailure(deps, { sweep, error, failures })) continue
        ending.push(sweep)
        isOver = true
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await noteChanged(deps, waits)
  if (waiting.length === LOOK_MAX) await putLast(deps, waiting)
  // There may be gas enough for those that were not looked at.
  await putLast(deps, short)
  // It may be what broke the node: the next round begins with those behind it (W20).
  await putLast(deps, ending.slice(0, 1))
  return { steps, failures }
}

/** What a sweep waits for; null if it no longer waits. */
interface Wait {
  sweep: Sweep
  waitingFor: SweepWait | null
}

async function noteChanged({ database }: SweepDeps, waits: readonly Wait[]): Promise<void> {
  const changed = waits.flatMap(({ sweep: { id, waitingFor: before }, waitingFor }) =>
    waitingFor === null || waitingFor === before ? [] : [{ id, waitingFor }],
  )
  if (changed.length > 0) await database.transaction((tx) => noteWaits(tx, changed))
}

async function putLast({ database }: SweepDeps, sweeps: readonly Sweep[]): Promise<void> {
  if (sweeps.length === 0) return
  const ids = sweeps.map(({ id }) => id)
  await database.transaction((tx) => touchWaiting(tx, ids))
}
