import { worstError } from '../chains/doubt.ts'
import { freeAt } from '../gas/holding.ts'
import { type Send, topUpsUnderWay } from '../gas/send-top-up.ts'
import { noteFailure } from './failure.ts'
import { type GasStep, giveGas } from './give-gas.ts'
import type { SweepDeps } from './deps.ts'
import { selectSent } from './rows.ts'
import { BOOKED_WITHIN_MS, type Sweep } from './sweep.ts'

/** Sweeps looked at in one round. */
const LOOK_MAX = 128

/**
 * Gives gas again to signed sweeps whose address can no longer pay the fee: a reorg removed a
 * deposit that it counted on, or another transaction cost more in its new block. Waits first,
 * because the deposit may return. If more than a fee is missing, the swept amount itself is
 * missing, and no gas is sent. Returns the number of top-ups. Throws an Outage if no node answers;
 * other errors are thrown after all sweeps were tried.
 */
export async function refuelSweeps(deps: SweepDeps, send?: Send): Promise<number> {
  const { database, entry, clock } = deps
  const before = clock.now() - BOOKED_WITHIN_MS
  const stuck = await database.transaction((tx) =>
    selectSent(tx, { chainId: entry.id, before, limit: LOOK_MAX }),
  )
  let toppedUp = 0
  const failures: unknown[] = []
  const seen = new Set<string>()
  for (const sweep of stuck) {
    if (deps.term?.aborted) break
    // All that an address signed is counted at once.
    if (seen.has(sweep.address)) continue
    seen.add(sweep.address)
    try {
      const step = await refuel(deps, sweep, send)
      if (step === 'topped-up') toppedUp += 1
      if (step === 'stop') break
    } catch (error) {
      if (noteFailure(deps, { sweep, error, failures })) break
    }
  }
  if (failures.length > 0) throw worstError(failures)
  return toppedUp
}

async function refuel(deps: SweepDeps, sweep: Sweep, send?: Send): Promise<GasStep> {
  const missing = await missingAt(deps, sweep)
  if (missing <= 0n || missing > deps.caps.absolute) return 'waits'
  return giveGas(deps, { sweep, needed: missing, available: 0n, ...(send && { send }) })
}

/**
 * By how much the native currency that the ledger places there falls short of what was signed, in
 * base units; 0 while gas is on its way.
 */
function missingAt(
  { database, catalogue, entry }: SweepDeps,
  { orgId, chainId, address }: Sweep,
): Promise<bigint> {
  const native = catalogue.nativeToken(entry.id).id
  return database.transaction(async (tx) => {
    if ((await topUpsUnderWay(tx, { chainId, addresses: [address] })).size > 0) return 0n
    return -(await freeAt(tx, { orgId, chainId, native, kind: 'deposits', address }))
  })
}
