import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso } from '../../base/clock.ts'
import type { Tx } from '../../store/database.ts'
import type { WaitingFor } from '../withdrawal.ts'

/** Which pending withdrawals of a chain are meant; what is left out may be anything. */
interface Waiting {
  chainId: ChainId
  orgId?: string
  id?: string
}

/**
 * Notes what pending withdrawals of a chain wait for, except those that wait for one of `spared`.
 * Since when stays where they wait for it already; else the time that they may wait begins anew.
 */
export async function markWaiting(
  tx: Tx,
  given: Waiting & { waitingFor: WaitingFor; spared?: readonly WaitingFor[] },
): Promise<void> {
  const { chainId, orgId = null, id = null, waitingFor, spared = [] } = given
  await tx.run(sql`
    update withdrawals
       set waiting_for = ${waitingFor},
           waiting_since = ${iso(tx.clock.now())}
     where chain_id = ${chainId}
       and status = 'Pending'
       and waiting_for is distinct from ${waitingFor}
       and coalesce(waiting_for <> all(${spared}::text[]), true)
       and (${orgId}::uuid is null or org_id = ${orgId})
       and (${id}::uuid is null or id = ${id})`)
}

/** Notes that withdrawals whose transactions are under way wait for the chain to go on. */
export async function markStopped(tx: Tx, chainId: ChainId): Promise<void> {
  await tx.run(sql`
    update withdrawals
       set waiting_for = 'chain',
           waiting_since = ${iso(tx.clock.now())}
     where chain_id = ${chainId}
       and status = 'Processing'
       and waiting_for is distinct from 'chain'`)
}

/** Notes that a chain goes on: what is under way waits for confirmations again. */
export async function markRunning(tx: Tx, chainId: ChainId): Promise<void> {
  await tx.run(sql`
    update withdrawals
       set waiting_for = 'confirmations',
           waiting_since = ${iso(tx.clock.now())}
     where chain_id = ${chainId}
       and waiting_for = 'chain'
       and status = 'Processing'`)
}

/** Whether a pending withdrawal is noted as waiting for the chain. */
export async function isAnyStopped(tx: Tx, chainId: ChainId): Promise<boolean> {
  const { found } = await tx.one(sql<{ found: boolean }>`
    select exists (
           select 1
             from withdrawals
            where chain_id = ${chainId}
              and waiting_for = 'chain'
              and status = 'Pending') as found`)
  return found
}

/** What pending withdrawals wait for is not known any more, where it was this. */
export async function forgetWaiting(
  tx: Tx,
  given: Waiting & { waitingFor: WaitingFor },
): Promise<void> {
  const { chainId, orgId = null, id = null, waitingFor } = given
  await tx.run(sql`
    update withdrawals
       set waiting_for = null,
           waiting_since = null
     where chain_id = ${chainId}
       and status = 'Pending'
       and waiting_for = ${waitingFor}
       and (${orgId}::uuid is null or org_id = ${orgId})
       and (${id}::uuid is null or id = ${id})`)
}
