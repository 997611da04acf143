import { Outage } from '../base/fault.ts'
import { noteNodes } from '../catalogue/chain-nodes.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { ChainState } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { type ChainVerdict, judgeChain } from '../catalogue/verify-chains.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { ChainPin, NodeReport } from '../chains/options.ts'
import type { AlertCode } from '../alerts/alert.ts'
import { isAlertOpen, raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { stopChain } from '../scanner/apply.ts'
import { readPin } from '../scanner/look.ts'
import type { Tx } from '../store/database.ts'
import type { ChainWorld } from './chain-world.ts'
import { isBehind } from './readiness.ts'

/** A chain is reported unreachable after this time; a shorter silence may be one slow answer. */
const SILENCE_MS = 5_000

/** By so much more than their depth are blocks final late on a bad day of a chain. */
const FINAL_LAG_MAX = 64

type WatchWorld = Pick<ChainWorld, 'database' | 'clock' | 'log'>

/**
 * Asks each node which chain it serves, and whether the chain still moves (engineering, 16). A
 * wrong one halts its chain and leaves the others running (N06); the alerts say what was found.
 * The signal ends its waiting.
 */
export async function watchChain(
  world: WatchWorld,
  adapter: ChainAdapter,
  entry: ChainEntry,
  signal?: AbortSignal,
): Promise<void> {
  const pin = await world.database.transaction((tx) => readPin(tx, entry.id))
  const reports = await askNodes(world, adapter, { pin, signal })
  if (signal?.aborted === true) return
  await world.database.transaction(async (tx) => {
    const state = await readChainState(tx, entry.id)
    const verdict = judgeChain(entry, state, reports)
    await noteNodes(tx, entry.id, reports)
    await tell(tx, entry.id, findings(world, entry, { state, verdict }))
    if (verdict.verdict !== 'halt') return
    const { cause } = verdict
    world.log.error({ chainId: entry.id, cause }, 'the chain is not the one it should be')
    if (state !== null) await stopChain(tx, { chainId: entry.id, condition: 'halted', cause })
  })
}

/**
 * Checks the chain again while an alert of it is open that may be outdated. Nodes in back-off are
 * not queried: only when one answers are all of them queried.
 */
export async function lookAgain(
  world: WatchWorld,
  adapter: ChainAdapter,
  entry: ChainEntry,
  signal?: AbortSignal,
): Promise<void> {
  const { database, clock } = world
  const isSilent = await database.transaction(async (tx) => {
    const told = { code: 'chain.stalled', subject: entry.id } as const
    const state = (await isAlertOpen(tx, told)) ? await readChainState(tx, entry.id) : null
    if (state !== null && !isBehind(entry, state, clock.now())) await resolveAlert(tx, told)
    return isAlertOpen(tx, { code: 'chain.unreachable', subject: entry.id })
  })
  if (isSilent && (await answers(adapter))) await watchChain(world, adapter, entry, signal)
}

async function answers(adapter: ChainAdapter): Promise<boolean> {
  try {
    await adapter.tip()
    return true
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    return false
  }
}

async function askNodes(
  { clock }: WatchWorld,
  adapter: ChainAdapter,
  { pin, signal }: { pin: ChainPin | undefined; signal: AbortSignal | undefined },
): Promise<readonly NodeReport[]> {
  const reports = await adapter.identify(pin)
  if (reports.some(({ outcome }) => outcome.state !== 'unreachable')) return reports
  await clock.sleep(SILENCE_MS, signal)
  return adapter.identify(pin)
}

type Findings = Partial<Record<AlertCode, string>>

/** The problems of a chain, as text; "" if it has no problem. */
function findings(
  { clock }: Pick<ChainWorld, 'clock'>,
  entry: ChainEntry,
  { state, verdict }: { state: ChainState | null; verdict: ChainVerdict },
): Findings {
  if (verdict.verdict === 'unreachable') return { 'chain.unreachable': verdict.cause }
  const wrong = verdict.verdict === 'halt' ? verdict.cause : verdict.strangers.join('; ')
  return {
    'chain.unreachable': '',
    'chain.wrong_network': wrong,
    'chain.stalled': state === null || !isBehind(entry, state, clock.now()) ? '' : stalled(state),
    'chain.finality_unknown': unknownFinality(entry, state),
  }
}

function stalled({ tip, headHeight }: ChainState): string {
  return `The last block read is ${tip.height}, the last one heard of is ${headHeight}.`
}

/** The problem with the final block. A final block that was reported once is awaited. */
function unknownFinality(entry: ChainEntry, state: ChainState | null): string {
  if (entry.finality !== 'final' || state === null) return ''
  const { final, tip } = state
  if (final === null) {
    return 'No node names the final block: deposits wait for their confirmations alone.'
  }
  if (tip.height - final.height <= entry.confirmations + FINAL_LAG_MAX) return ''
  return (
    `The last final block that a node has named is ${final.height}, the last one read is ` +
    `${tip.height}: deposits above it wait until a node names one again.`
  )
}

async function tell(tx: Tx, subject: string, said: Findings): Promise<void> {
  const codes: AlertCode[] = [
    'chain.unreachable',
    'chain.wrong_network',
    'chain.stalled',
    'chain.finality_unknown',
  ]
  for (const code of codes) {
    const message = said[code]
    if (message === undefined) continue
    if (message === '') await resolveAlert(tx, { code, subject })
    else await raiseAlert(tx, { code, subject, message })
  }
}
