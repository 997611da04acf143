import type { TokenId } from '@sluice/wire'
import { type Alarm, openAlarm } from '../chains/alarm.ts'
import { type Millis, isPausing } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { logOutage, logSuccess } from '../base/log.ts'
import { backoffMs } from '../base/retry.ts'
import type { Random } from '../base/random.ts'
import { holdLease } from '../store/hold-lease.ts'
import { BlocksAhead } from './ahead.ts'
import { followChain } from './follow.ts'
import { KnownBalances } from './known-balances.ts'
import { recount } from './recount.ts'
import { Rest } from './rest.ts'
import { continueRescan } from './rescan.ts'
import { UnlistedTokens } from './unlisted.ts'
import type { Holder, Watcher } from './watcher.ts'

const OUTAGE_BACKOFF = { firstMs: 250, maxMs: 10_000, attemptsMax: Number.POSITIVE_INFINITY }

/** Pause of a rescan after an outage. */
const RESCAN_PAUSE_MS = 15_000

/** The name of the lease under which one process scans a chain. */
export function scannerLease(chainId: string): string {
  return `scanner:${chainId}`
}

/**
 * Scans a chain until the signal aborts: waits for the lease, then steps along the chain, without a
 * pause while there is work, and at the head every `pollMs` or when a node announces a block.
 * Retries outages with backoff; after a lost lease it applies again.
 */
export async function runScanner(
  watcher: Watcher & { random: Random; holder: string; pollMs: number },
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, entry } = watcher
  const lease = { name: scannerLease(entry.id), holder: watcher.holder }
  await holdLease({ database, clock, log: watcher.log }, lease, signal, async (held, term) => {
    await scan({ ...watcher, lease: held }, term)
  })
}

async function scan(
  holder: Holder & { random: Random; pollMs: number },
  signal: AbortSignal,
): Promise<void> {
  const ahead = new BlocksAhead(holder.adapter, holder.fetchMax, 2 * holder.runMax)
  const known = new KnownBalances()
  const unlisted = new UnlistedTokens()
  const rest = new Rest()
  const alarm = openAlarm()
  const stop = holder.adapter.listen(alarm.ring)
  try {
    await step({ ...holder, known, rest, unlisted }, ahead, { alarm, signal })
  } finally {
    stop()
  }
}

async function step(
  holder: Holder & { random: Random; pollMs: number },
  ahead: BlocksAhead,
  { alarm, signal }: { alarm: Alarm; signal: AbortSignal },
): Promise<void> {
  const work = `scanner ${holder.entry.id}`
  let failures = 0
  let stuckAt: Millis | null = null
  let uncounted: readonly TokenId[] = holder.catalogue.tokensOf(holder.entry.id).map(({ id }) => id)
  while (!signal.aborted) {
    try {
      if (uncounted.length > 0) uncounted = await recount(holder, uncounted)
      const wasPartial = ahead.isPartial
      const progress = await followChain(holder, ahead)
      logSuccess(holder, work)
      failures = 0
      // A slow step has asked for a part alone, and so has one whose questions were put off.
      if (!wasPartial && !ahead.isPartial) holder.known?.forget()
      if (progress === 'moved') continue
      const isPaused = isPausing(holder.clock.now(), stuckAt, RESCAN_PAUSE_MS)
      const mayRescan = progress !== 'resting' && !isPaused
      const reread = mayRescan ? await rescanOrWait(holder) : 'nothing'
      if (reread === 'stuck') stuckAt = holder.clock.now()
      if (reread !== 'read') await alarm.sleep(holder.clock, holder.pollMs, signal)
    } catch (error) {
      if (!(error instanceof Outage)) throw error
      failures += 1
      logOutage(holder, { work, outage: error })
      const wait = Math.max(
        error.retryAfterMs ?? 0,
        backoffMs(OUTAGE_BACKOFF, failures, holder.random),
      )
      await holder.clock.sleep(wait, signal)
    }
  }
}

/** An outage of a rescan must not slow down the head of the chain. */
async function rescanOrWait(holder: Holder): Promise<'read' | 'nothing' | 'stuck'> {
  const work = `rescan ${holder.entry.id}`
  try {
    const hasRead = await continueRescan(holder)
    logSuccess(holder, work)
    return hasRead ? 'read' : 'nothing'
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    logOutage(holder, { work, outage: error, what: work })
    return 'stuck'
  }
}
