import { checkAccounts } from '../accounts/check.ts'
import { FIRST_PLACE } from '../accounts/check-rows.ts'
import type { Auditor } from '../audit/auditor.ts'
import { auditCycle, BEGINNING, type Place } from '../audit/cycle.ts'
import { auditLedger } from '../audit/run.ts'
import { Outage } from '../base/fault.ts'
import { logOutage, logSuccess } from '../base/log.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { LEDGER_BROKEN, haltSigning, liftHalt, reraiseHalts } from '../audit-log/signing-halt.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { holdLease } from '../store/hold-lease.ts'
import type { ChainWorld } from './chain-world.ts'
import { type Loop, every } from './loops.ts'
import { reportUnsealed } from './seal-loop.ts'

/**
 * The loop of the role `audit`: one process at a time compares the ledger with itself and with the
 * chains, and a part of the accounts with the xpubs of their wallets; the next round goes on there.
 */
export function auditLoop(world: ChainWorld, serviceKey: ServiceKey): Loop {
  const lease = { name: 'audit', holder: world.holder }
  const auditors = world.chains.all().flatMap((adapter): Auditor[] => {
    const entry = world.catalogue.chain(adapter.chainId)
    return entry === null ? [] : [{ ...world, adapter, entry }]
  })
  const rounds = new Map<string, Place>()
  const begunAt = world.clock.now()
  let account = FIRST_PLACE
  const tick = async () => {
    await reportDrift(world, serviceKey)
    account = (await checkAccounts({ ...world, serviceKey }, account)).next ?? FIRST_PLACE
    await reportUnsealed(world, begunAt)
    for (const auditor of auditors) await auditOne(world, auditor, rounds)
  }
  const ticking = every(world, { name: 'audit', everyMs: world.config.auditMs, tick })
  return {
    name: 'audit',
    run: (signal) => holdLease(world, lease, signal, (_lease, term) => ticking.run(term)),
  }
}

/**
 * Raises `ledger.broken` and halts signing while a balance is not what its postings add up to, and
 * lifts both when all are again.
 */
export async function reportDrift(
  world: Pick<ChainWorld, 'database'>,
  serviceKey: ServiceKey,
): Promise<void> {
  const drift = await auditLedger(world)
  const message = `${drift.length} balances are not what their postings add up to.`
  await world.database.transaction(async (tx) => {
    if (drift.length === 0) {
      await resolveAlert(tx, LEDGER_BROKEN)
      await liftHalt(tx, serviceKey, LEDGER_BROKEN)
    } else {
      await raiseAlert(tx, { ...LEDGER_BROKEN, message })
      await haltSigning(tx, serviceKey, LEDGER_BROKEN)
    }
    await reraiseHalts(tx, serviceKey)
  })
}

/**
 * If the nodes of a chain do not answer, it is compared at the next run; a bug is logged as an
 * error. Neither delays the other chains.
 */
async function auditOne(
  { clock, log }: ChainWorld,
  auditor: Auditor,
  rounds: Map<string, Place>,
): Promise<void> {
  const chainId = auditor.entry.id
  const work = `audit ${chainId}`
  try {
    const place = rounds.get(chainId) ?? BEGINNING
    const { after, left } = await auditCycle(auditor, { now: clock.now(), ...place })
    rounds.set(chainId, { after, left })
    logSuccess({ clock, log }, work)
  } catch (error) {
    const told = { chainId, err: error }
    if (error instanceof Outage) logOutage({ clock, log }, { work, outage: error })
    else log.error(told, 'the audit of a chain failed')
  }
}
