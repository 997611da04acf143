import type { Deposit } from '../deposits/deposit.ts'
import type { Tx } from '../store/database.ts'
import { selectSpend } from '../transactions/core/spend-rows.ts'
import { selectSince } from './list-rows.ts'
import type { Sweep } from './sweep.ts'

/** A sweep with its transaction; without a hash until it is signed. */
export interface FoundSweep {
  sweep: Sweep
  txnHash: string | null
}

/**
 * The sweep that moved a deposit to the settlement address, or will move it: the first one of its
 * address and token that was signed after the credit, or is not signed yet. Null if the deposit is
 * not credited or not swept, and after a failed sweep until the next one is planned.
 */
export async function findSweepOf(tx: Tx, deposit: Deposit): Promise<FoundSweep | null> {
  const { orgId, status, place, confirmedAt: since } = deposit
  if (status !== 'Confirmed' || place !== 'deposits' || since === null) return null
  for (const sweep of await selectSince(tx, { ...deposit, since })) {
    const { spendId } = sweep
    const spend = spendId === null ? null : await selectSpend(tx, { orgId, id: spendId })
    if (spend === null) return { sweep, txnHash: null }
    if (spend.createdAt >= since) return { sweep, txnHash: spend.txnHash }
  }
  return null
}
