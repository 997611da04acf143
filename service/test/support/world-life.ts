import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { openWatchFilter, type WatchFilter } from '../../src/accounts/watch-filter.ts'
import { type Catalogue, openCatalogue } from '../../src/catalogue/find.ts'
import { type OperatorToken, operatorToken } from '../../src/catalogue/operator-token.ts'
import type { TokenEntry } from '../../src/catalogue/tokens.ts'
import type { CompletenessMode, TraceMode } from '../../src/chains/options.ts'
import { type Chains, openChains } from '../../src/chains/registry.ts'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { scannerLease } from '../../src/scanner/run.ts'
import type { Holder } from '../../src/scanner/watcher.ts'
import type { AddressType } from '../../src/keys/paths.ts'
import type { HooksByPurpose } from '../../src/transactions/core/hooks.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { takeLease } from '../../src/store/lease.ts'
import { parseChain } from '../adapters/brands.ts'
import { type ManualClock, SeededRandom, silentLog } from './clock.ts'
import type { TestDatabase } from './database.ts'

/** The two test networks whose addresses are watched on each other. */
export const SEPOLIA = parseChain('eip155:11155111')
export const BSC_TESTNET = parseChain('eip155:97')
/** Blocks on top that a deposit needs on both, as the catalogue has it. */
export const REQUIRED = 3

const LEASE_MS = 3_600_000

/** A chain of a world, and the nodes by which it is reached. */
export interface WorldChain {
  id: ChainId
  nodes: readonly string[]
  startHeight?: number
  confirmations?: number
  traces?: TraceMode
  completeness?: CompletenessMode
  timeoutMs?: number
  runMax?: number
  addressType?: AddressType
  /** False: the catalogue's tokens are not configured. */
  catalogueTokens?: boolean
}

export interface WorldOptions {
  /** Keys and ids follow from it: two worlds of one seed give out the same addresses. */
  seed: string
  chains: readonly WorldChain[]
  tokens?: readonly OperatorToken[]
  /** Instead of those of the program, for tests that spend by themselves. */
  hooks?: HooksByPurpose
  /** Scanners match addresses with a filter, as the program's do. */
  filters?: boolean
  /** The clock of the signer (`signerWith`). */
  blockTime?: () => number
}

/** The memory of a process, from start to stop. */
export interface Life {
  database: Database
  catalogue: Catalogue
  chains: Chains
  filter: WatchFilter | null
  ahead(chainId: ChainId): BlocksAhead
  lease(chainId: ChainId): Promise<Holder['lease']>
}

let lives = 0

/** Begins a process on what the database holds. */
export function startLife(harness: TestDatabase, options: WorldOptions): Life {
  const { clock, urls, ids } = harness
  lives += 1
  const name = `${options.seed}/${lives}`
  const database = openDatabase({ urls, clock, ids, log: silentLog(), poolMax: 5 })
  const chains = chainsOf(options, clock, name)
  const aheads = new Map<ChainId, BlocksAhead>()
  const leases = new Map<ChainId, Promise<Holder['lease']>>()
  return {
    database,
    catalogue: catalogueOf(options),
    chains,
    filter: options.filters === true ? openWatchFilter(database) : null,
    ahead(chainId) {
      const adapter = chains.get(chainId)
      if (adapter === null) throw new Error(`${chainId} has no nodes`)
      const known = aheads.get(chainId) ?? new BlocksAhead(adapter, 8)
      aheads.set(chainId, known)
      return known
    },
    lease(chainId) {
      const known = leases.get(chainId) ?? takeOver(database, chainId, name)
      leases.set(chainId, known)
      return known
    },
  }
}

/** Ends a process at any point of its work. */
export async function endLife({ database, chains }: Life): Promise<void> {
  await chains.close()
  await database.close()
}

/**
 * A process that was killed leaves its lease behind; the next one need not wait for its end here.
 */
async function takeOver(database: Database, chainId: ChainId, name: string) {
  const lease = scannerLease(chainId)
  await database.transaction((tx) =>
    tx.run(sql`
      update leases
         set expires_at = '-infinity'
       where name = ${lease}`),
  )
  const taken = await takeLease(database, { name: lease, holder: name, ttlMs: LEASE_MS })
  if (taken === null) throw new Error(`${lease} is held by another`)
  return taken
}

function chainsOf(options: WorldOptions, clock: ManualClock, name: string): Chains {
  return openChains({
    chains: options.chains.map((chain) => ({
      chainId: chain.id,
      nodes: chain.nodes.map((url) => ({ url })),
      traces: chain.traces ?? 'auto',
      completeness: chain.completeness ?? 'receipts',
      timeoutMs: chain.timeoutMs ?? 10_000,
      finalityTag: true,
    })),
    clock,
    random: new SeededRandom(name),
    log: silentLog(),
  })
}

function catalogueOf(options: WorldOptions): Catalogue {
  const chains = options.chains.map((chain) => {
    const { id, confirmations = REQUIRED, addressType, catalogueTokens = true } = chain
    return { id, confirmations, catalogueTokens, ...(addressType !== undefined && { addressType }) }
  })
  const tokens = (options.tokens ?? []).map((given): TokenEntry => {
    const entry = operatorToken(given)
    if ('problem' in entry) throw new Error(`${given.id}: ${entry.problem}`)
    return entry
  })
  return openCatalogue({ chains, tokens })
}
