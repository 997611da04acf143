import type { RowVerifier } from '../accounts/row-mac.ts'
import { type WatchFilter, openWatchFilter } from '../accounts/watch-filter.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import { runScanner } from '../scanner/run.ts'
import type { ScannerNotice, Watched } from '../scanner/watcher.ts'
import { lookAgain, watchChain } from './chain-watch.ts'
import type { ChainWorld } from './chain-world.ts'
import type { LoopRole } from './config-settings.ts'
import { crashing } from './crash-at.ts'
import { type Loop, every } from './loops.ts'
import { openSpendHooks } from './spend-hooks.ts'
import { watchTokens } from './token-watch.ts'

const WATCH_MS = 60_000
const AGAIN_MS = 5_000
const VERIFY_TOKENS_MS = 60_000
const RUN_MAX = 64
const FETCH_MAX = 16
/** How far apart looks for new addresses are, for all chains together. */
const LOOK_MS = 20

/** The loops of the role `scanner`: one for each chain, so that a failed chain delays no other. */
export function scannerLoops(world: ChainWorld, serviceKey: RowVerifier): Loop[] {
  const { database, clock } = world
  const filter = openWatchFilter(database, { clock, everyMs: LOOK_MS })
  const perChain = world.chains.all().flatMap((adapter) => {
    const entry = world.catalogue.chain(adapter.chainId)
    return entry === null
      ? []
      : [
          scannerLoop(world, filter, { serviceKey, adapter, entry }),
          ...watchLoops(world, adapter, entry),
        ]
  })
  return [...perChain, tokenLoop(world)]
}

function scannerLoop(
  world: ChainWorld,
  filter: WatchFilter,
  options: { serviceKey: RowVerifier; adapter: ChainAdapter; entry: ChainEntry },
): Loop {
  const { serviceKey, adapter, entry } = options
  const { config, catalogue, database, clock, random, holder, metrics, bell } = world
  const chain = config.chains.find(({ id }) => id === entry.id)
  const watcher = {
    database,
    serviceKey,
    adapter,
    catalogue,
    entry,
    clock,
    random,
    holder,
    log: world.log,
    required: catalogue.required(entry.id),
    startHeight: chain?.startHeight ?? null,
    runMax: RUN_MAX,
    fetchMax: FETCH_MAX,
    hooks: openSpendHooks({ catalogue }),
    watched: watchedOn(filter, entry),
    pollMs: chain?.pollMs ?? config.pollMs,
    notice: (notice: ScannerNotice) => {
      metrics.onScanner(notice)
      if (notice.type !== 'connected' || !notice.isBare) bell.ring()
    },
    ...crashing(config.crashAt),
  }
  return { name: `scanner ${entry.id}`, run: (signal) => runScanner(watcher, signal) }
}

/** The part of the filter that belongs to the scope of one chain. */
export function watchedOn(filter: WatchFilter, entry: ChainEntry): Watched {
  const scope = watchScope(entry)
  return {
    mayWatch: (address) => filter.mayWatch(scope, address),
    mayWatchEach: (words) => filter.mayWatchEach(scope, words),
    hidesKeys: () => filter.hidesKeys(scope),
    refresh: () => filter.refresh(),
  }
}

/** Beside the scanner of a chain: a look at its nodes now and then, and soon after trouble. */
export function watchLoops(
  world: Pick<ChainWorld, 'database' | 'clock' | 'log'>,
  adapter: ChainAdapter,
  entry: ChainEntry,
): Loop[] {
  const tick = (signal: AbortSignal) => watchChain(world, adapter, entry, signal)
  const again = (signal: AbortSignal) => lookAgain(world, adapter, entry, signal)
  return [
    every(world, { name: `watch ${entry.id}`, everyMs: WATCH_MS, tick }),
    every(world, { name: `watch ${entry.id} again`, everyMs: AGAIN_MS, tick: again }),
  ]
}

/** The roles whose work asks nodes. */
const ASKING: readonly LoopRole[] = ['api', 'scanner', 'spender', 'audit']

/**
 * Checks the nodes in a process without a scanner, as often as the scanner does. Each process has
 * to find out which nodes have switched to another chain, and stops querying them (N06). Only the
 * scanner judges the chain itself and raises its alerts.
 */
export function nodeLoops(
  world: Pick<ChainWorld, 'chains' | 'clock' | 'log'>,
  roles: readonly LoopRole[],
): Loop[] {
  if (roles.includes('scanner') || !roles.some((role) => ASKING.includes(role))) return []
  return world.chains.all().map((adapter) => {
    const tick = async () => {
      await adapter.identify()
    }
    return every(world, { name: `nodes ${adapter.chainId}`, everyMs: WATCH_MS, tick })
  })
}

/** Compares tokens with what their contracts say, until all are verified and then now and again. */
function tokenLoop(world: ChainWorld): Loop {
  const tick = () => watchTokens(world)
  return every(world, { name: 'tokens', everyMs: VERIFY_TOKENS_MS, tick })
}
