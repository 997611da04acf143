import type { ChainId } from '@sluice/wire'
import { Outage } from '../base/fault.ts'
import { logOutage, logSuccess } from '../base/log.ts'
import { isAlertOpen } from '../alerts/raise-alert.ts'
import { type HeadNote, noteHead, readChainState, startChain } from '../catalogue/chain-state.ts'
import type { Block, BlockRef, BlockScope, Tip } from '../chains/port.ts'
import { selectSpending } from '../transactions/core/unsettled-rows.ts'
import { soughtCoins } from '../transactions/utxo/follow-coins.ts'
import { NOTHING_WITNESSED, type Witnessed } from '../deposits/confirm-immediately.ts'
import { hasDetected } from '../deposits/rows.ts'
import type { Tx } from '../store/database.ts'
import { assertLease } from '../store/lease.ts'
import type { BlocksAhead, NextRun } from './ahead.ts'
import { confirmAtTip, connectBlocks, disconnectBlock, type Findings, stopChain } from './apply.ts'
import { NOTHING_DUE, findDue } from './find-due.ts'
import { type Seen, type View, finalAmong, look, proveNodes } from './look.ts'
import { prepareNext } from './next-run.ts'
import { rebase } from './rebase.ts'
import { type Step, chainedRun } from './reconcile.ts'
import { insertBlocks, selectBlocks } from './rows.ts'
import { NOBODY, scopeOf } from './scope.ts'
import { UnlistedTokens } from './unlisted.ts'
import type { Holder } from './watcher.ts'
import { witnessRun } from './witness-run.ts'

/**
 * Result of a step; `idle`: nothing to do until the node has news; `resting`: it has none, and the
 * database was not asked.
 */
export type Progress = 'idle' | 'moved' | 'resting'

/**
 * One step of the scanner of a chain: compares our tip with the chain of the node, then connects,
 * disconnects, confirms or halts. Each step is one commit; a failed step changes nothing. Throws an
 * Outage if the node or the database does not answer.
 */
export async function followChain(holder: Holder, ahead: BlocksAhead): Promise<Progress> {
  const { adapter, clock, rest } = holder
  const heard = rest?.isOn(clock.now()) === true ? await adapter.tip() : null
  if (heard !== null && rest?.isAt(heard) === true) return 'resting'
  rest?.end()
  const view = await readView(holder)
  if (view === null) return begin(holder, await adapter.tip())
  if (view.state.condition === 'halted') return 'idle'
  const seen = await look(holder, view, heard ?? (await adapter.tip()))
  if (!UNDOING.includes(seen.step.type)) return act(holder, ahead, { view, seen })
  // A node on another network does not know our blocks either: identify the nodes first.
  await proveNodes(holder, view)
  return act(holder, ahead, { view, seen: await look(holder, view, await adapter.tip()) })
}

/** Steps that depend on nodes reporting that blocks of ours left the chain. */
const UNDOING: readonly Step['type'][] = ['disconnect', 'rebase', 'halt']

async function act(
  holder: Holder,
  ahead: BlocksAhead,
  { view, seen }: { view: View; seen: Seen },
): Promise<Progress> {
  const { step, hasTip, tip, final } = seen
  const note: HeadNote = {
    headHeight: tip.head.height,
    isUndoing: view.state.isUndoing && !hasTip,
    // Our block at the final height may itself have been replaced: keep the stored one.
    final: UNDOING.includes(step.type) ? view.state.final : final,
  }
  // The commit that connects blocks takes the note with it.
  if (step.type !== 'connect') await takeNote(holder, view, note)
  return takeStep(holder, ahead, { view, step, seen, note })
}

async function takeStep(
  holder: Holder,
  ahead: BlocksAhead,
  { view, step, seen, note }: { view: View; step: Step; seen: Seen; note: HeadNote },
): Promise<Progress> {
  // Blocks fetched and judged ahead are valid only for connecting.
  if (step.type !== 'connect') ahead.drop()
  switch (step.type) {
    case 'connect':
      return paced(ahead, () => connect(holder, ahead, { view, step, seen, note }))
    case 'disconnect':
      return disconnect(holder, step.block)
    case 'rebase':
      return (await rebase(holder, step.block)) ? 'moved' : 'idle'
    case 'halt':
      return halt(holder, step.cause)
    case 'wait':
      return paced(ahead, () => confirm(holder, ahead, { view, seen }))
    default:
      return step satisfies never
  }
}

async function readView(holder: Holder): Promise<View | null> {
  const { database, entry, unlisted = new UnlistedTokens() } = holder
  return database.transaction(async (tx) => {
    const state = await readChainState(tx, entry.id)
    if (state === null) return null
    const seeks = await soughtCoins(tx, entry)
    const besides = await unlisted.read(tx, holder)
    const ours = await selectBlocks(tx, entry.id)
    return { state, ours, seeks, unlisted: besides, isAwaiting: await isAwaiting(tx, entry.id) }
  })
}

/** The first contact stores the cursor; addresses may be issued afterwards (engineering, 13). */
async function begin(holder: Holder, tip: Tip): Promise<Progress> {
  const { adapter, entry, database, lease } = holder
  const height = holder.startHeight === null ? tip.head.height : Math.max(0, holder.startHeight - 1)
  const first = await adapter.blockAt({ height }, NOBODY)
  const identity = (await adapter.identify()).find(({ outcome }) => outcome.state === 'serves')
  if (first === null || identity?.outcome.state !== 'serves') return 'idle'
  holder.crash?.('begin.fetched')
  const { genesis } = identity.outcome.identity
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    const state = { chainId: entry.id, genesis, tip: first, tipTime: first.time }
    await startChain(tx, { ...state, headHeight: tip.head.height, final: null })
    await insertBlocks(tx, { chainId: entry.id, blocks: [first] })
    holder.crash?.('begin.stored')
  })
  holder.crash?.('begin.committed')
  holder.log.info({ chainId: entry.id, height }, 'scanning begins after this block')
  return 'moved'
}

/** Whether something of the chain waits for confirmations, or for the end of a dispute. */
async function isAwaiting(tx: Tx, chainId: ChainId): Promise<boolean> {
  const [transfers, spends, dispute] = await Promise.all([
    hasDetected(tx, chainId),
    selectSpending(tx, [chainId]),
    isAlertOpen(tx, { code: 'chain.disputed', subject: chainId }),
  ])
  return transfers || spends.length > 0 || dispute
}

async function takeNote(
  { database, entry, lease, crash }: Holder,
  { state }: View,
  note: HeadNote,
): Promise<void> {
  const { headHeight, final, isUndoing } = note
  const isSame = state.headHeight === headHeight && state.final?.hash === final?.hash
  if (isSame && state.isUndoing === isUndoing) return
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    await noteHead(tx, { chainId: entry.id, ...note })
    crash?.('note.stored')
  })
  crash?.('note.committed')
}

interface Connecting {
  view: View
  step: Extract<Step, { type: 'connect' }>
  seen: Seen
  note: HeadNote
}

/**
 * After an outage blocks come one by one, so that an unavailable block does not delay those below
 * it, and each further outage reduces the number of deposits judged together.
 */
async function paced(ahead: BlocksAhead, work: () => Promise<Progress>): Promise<Progress> {
  try {
    return await work()
  } catch (error) {
    ahead.slowDown()
    throw error
  }
}

async function connect(
  holder: Holder,
  ahead: BlocksAhead,
  { view, step, seen, note }: Connecting,
): Promise<Progress> {
  const { from, to } = step
  const { state, seeks, unlisted } = view
  const scope = scopeOf({ ...holder, seeks, unlisted })
  const ready = ahead.ready(state.tip)
  let run: readonly Block[] = []
  try {
    run = ready?.blocks ?? (await fetchRun(holder, ahead, { tip: state.tip, from, to, scope }))
  } finally {
    // Without a block the head is noted alone, so that the lag is known.
    if (run.length === 0) await takeNote(holder, view, note)
  }
  const last = run.at(-1)
  if (last === undefined) return 'idle'
  holder.crash?.('connect.fetched')
  // The next blocks are fetched while these commit.
  ahead.prepare({ from: last.height + 1, to, scope })
  const { final } = seen
  const isRunning = state.condition === 'running'
  const judging = isRunning ? await judgeRun(holder, ahead, { view, run, final, ready }) : UNJUDGED
  const { findings, witnessed, isJudged } = judging
  holder.crash?.('connect.judged')
  const noted = { ...note, final: finalAmong([...view.ours, ...run], state.final, seen.tip) }
  const [connected] = await both(
    holder.database.transaction((tx) =>
      connectBlocks(tx, holder, {
        from: state.tip,
        blocks: run,
        note: noted,
        witnessed,
        ...findings,
      }),
    ),
    isJudged ? prepareNext(holder, ahead, { last, to, final, judged: findings.judged }) : null,
  )
  holder.crash?.('connect.committed')
  if (isJudged) ahead.speedUp()
  else ahead.blocksCame()
  const chainId = holder.entry.id
  const { detected, confirmed } = connected
  const isBareRun = !view.isAwaiting && run.every(isBare)
  const blocks = run.length
  holder.notice({ type: 'connected', chainId, blocks, deposits: detected, isBare: isBareRun })
  if (confirmed > 0) holder.notice({ type: 'confirmed', chainId, deposits: confirmed })
  const isDone = isJudged && isBareRun && last.height === to
  if (!isDone) return 'moved'
  holder.rest?.begin(seen.tip, holder.clock.now())
  return 'idle'
}

/** Whether a block has nothing of ours, as far as the filter of addresses knows. */
function isBare({ transfers, transactions, sought = [] }: Block): boolean {
  return transfers.length + transactions.length + sought.length === 0
}

/** Judgements on what a run confirms. */
interface Judging {
  findings: Findings
  witnessed: Witnessed
  isJudged: boolean
}

/** Blocks are connected without confirmations. */
const UNJUDGED: Judging = { findings: NOTHING_DUE, witnessed: NOTHING_WITNESSED, isJudged: false }

/**
 * Queries that must precede confirmations. No block waits for the answers: without them its
 * transfers are detected, and those due are confirmed by a later run or at the tip.
 */
async function judgeRun(
  holder: Holder,
  ahead: BlocksAhead,
  given: { view: View; run: readonly Block[]; final: BlockRef | null; ready: NextRun | null },
): Promise<Judging> {
  const { view, run, final, ready } = given
  const tip = run.at(-1)
  if (tip === undefined || !ahead.judgesNext()) return UNJUDGED
  const work = `confirmations ${holder.entry.id}`
  try {
    const [findings, witnessed] = await both(
      view.isAwaiting
        ? findDue(holder, { tip, final }, { ready: ready?.judged, judgeMax: ahead.judgeMax })
        : Promise.resolve(NOTHING_DUE),
      ready?.witnessed ?? witnessFetched(holder, ahead, { blocks: run, final }),
    )
    logSuccess(holder, work)
    return { findings, witnessed, isJudged: true }
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    ahead.putOffJudging()
    logOutage(holder, { work, outage: error, height: tip.height })
    return UNJUDGED
  }
}

async function fetchRun(
  { runMax }: Holder,
  ahead: BlocksAhead,
  { tip, from, to, scope }: { tip: BlockRef; from: number; to: number; scope: BlockScope },
): Promise<readonly Block[]> {
  ahead.start({ from, to, scope })
  const blocks = await ahead.take(from, runMax)
  const run = chainedRun(tip, blocks)
  if (run.length < blocks.length) ahead.drop()
  return run
}

/** While blocks come one by one only necessary queries are sent. */
async function witnessFetched(
  holder: Holder,
  ahead: BlocksAhead,
  given: Parameters<typeof witnessRun>[1],
): Promise<Witnessed> {
  return ahead.isSlow ? NOTHING_WITNESSED : witnessRun(holder, given)
}

/** Waits for both even if one fails: no part of a step outlives it. */
async function both<T, U>(first: Promise<T>, other: Promise<U> | U): Promise<[T, U]> {
  await Promise.allSettled([first, other])
  return [await first, await other]
}

async function disconnect(holder: Holder, block: BlockRef): Promise<Progress> {
  await holder.database.transaction((tx) => disconnectBlock(tx, holder, block))
  holder.crash?.('disconnect.committed')
  const { height, hash } = block
  holder.log.warn(
    { chainId: holder.entry.id, height, hash },
    'a block left the chain and was undone',
  )
  holder.notice({ type: 'disconnected', chainId: holder.entry.id, height })
  return 'moved'
}

async function halt(holder: Holder, cause: string): Promise<Progress> {
  const chainId = holder.entry.id
  await holder.database.transaction(async (tx) => {
    await assertLease(tx, holder.lease)
    await stopChain(tx, { chainId, condition: 'halted', cause })
    tx.beforeCommit(async () => holder.crash?.('halt.stored'))
  })
  holder.crash?.('halt.committed')
  holder.log.error({ chainId, cause }, 'the chain is halted')
  return 'idle'
}

/**
 * Confirms what is due at an unchanged tip: finality moved, or a batch was too large for one
 * commit.
 */
async function confirm(
  holder: Holder,
  ahead: BlocksAhead,
  { view, seen }: { view: View; seen: Seen },
): Promise<Progress> {
  if (view.state.condition !== 'running') return 'idle'
  if (!view.isAwaiting) {
    holder.rest?.begin(seen.tip, holder.clock.now())
    return 'idle'
  }
  const { tip } = view.state
  const { final } = seen
  const findings = await findDue(holder, { tip, final }, { judgeMax: ahead.judgeMax })
  const { judged, settledUpTo } = findings
  if (judged.length === 0 && settledUpTo < 0) return 'idle'
  holder.crash?.('confirm.judged')
  const deposits = await holder.database.transaction((tx) =>
    confirmAtTip(tx, holder, { tip, ...findings }),
  )
  holder.crash?.('confirm.committed')
  ahead.speedUp()
  holder.notice({ type: 'confirmed', chainId: holder.entry.id, deposits })
  return 'moved'
}
