import type { ChainId } from '@sluice/wire'
import type { Clock, Millis } from '../base/clock.ts'
import { selectLending } from '../gas/loan-rows.ts'
import { selectNewestOrganization } from '../orgs/rows.ts'
import type { Database } from '../store/database.ts'
import { sharing } from '../store/sharing.ts'
import { selectSweeping } from '../sweeps/rows.ts'
import { selectSpending } from '../transactions/core/unsettled-rows.ts'
import { selectPayable } from '../withdrawals/open-rows.ts'

/** How often a chain without open work is looked at; all chains at the same time. */
const LOOK_MS: Millis = 1_000

/** Chains that ask within this time share one query. */
const SHARE_MS: Millis = 5

/** What the rounds of the spenders act on. */
export interface OpenWork {
  /** Chains with withdrawals to pay, or with spends, sweeps or loans that have not ended. */
  chains: ReadonlySet<ChainId>
  /** The newest organization, whose own addresses may be missing; "" without organizations. */
  newest: string
}

/** Tells the spenders of one process whether a round has anything to act on. */
export interface OpenWorkReader {
  /** Chains that ask together share one transaction. The signal ends the waiting. */
  read(signal: AbortSignal): Promise<OpenWork>
  /** Milliseconds until the next time at which chains without work ask. */
  untilNext(): Millis
}

/** Opens the reader of these chains. */
export function openWorkReader(
  { database, clock }: { database: Database; clock: Clock },
  chainIds: readonly ChainId[],
): OpenWorkReader {
  return {
    read: sharing(clock, SHARE_MS, () => readOpenWork(database, chainIds)),
    untilNext: () => LOOK_MS - (clock.now() % LOOK_MS),
  }
}

function readOpenWork(database: Database, chainIds: readonly ChainId[]): Promise<OpenWork> {
  return database.transaction(async (tx) => {
    const [newest, ...found] = await Promise.all([
      selectNewestOrganization(tx),
      selectPayable(tx, chainIds),
      selectSpending(tx, chainIds),
      selectSweeping(tx, chainIds),
      selectLending(tx, chainIds),
    ])
    return { chains: new Set(found.flat()), newest }
  })
}
