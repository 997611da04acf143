import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso } from '../../base/clock.ts'
import type { Tx } from '../../store/database.ts'
import type { WaitingFor } from '../withdrawal.ts'

/** A selection of pending withdrawals of a chain; omitted fields select all. */
interface Waiting {
  chainId: ChainId
  orgId?: string
  id?: string
}

/**
 * Records the reason why pending withdrawals of a chain wait, except those that wait for one of
 * `spared`. Their time to wait restarts, unless they wait for the same reason already.
 */
export async function markWaiting(
  tx: Tx,
  wait: Waiting & { waitingFor: WaitingFor; spared?: readonly WaitingFor[] },
): Promise<void> {
  const { chainId, orgId = null, id = null, waitingFor, spared = [] } = wait
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

/** Records that `Processing` withdrawals wait for the chain to resume. */
export async function markStopped(tx: Tx, chainId: ChainId): Promise<void> {
  await tx.run(sql`
    update withdrawals
       set waiting_for = 'chain',
           waiting_since = ${iso(tx.clock.now())}
     where chain_id = ${chainId}
       and status = 'Processing'
       and waiting_for is distinct from 'chain'`)
}

/** Records that a chain has resumed: `Processing` withdrawals wait for confirmations again. */
export async function markRunning(tx: Tx, chainId: ChainId): Promise<void> {
  await tx.run(sql`
    update withdrawals
       set waiting_for = 'confirmations',
           waiting_since = ${iso(tx.clock.now())}
     where chain_id = ${chainId}
       and waiting_for = 'chain'
       and status = 'Processing'`)
}

/** Whether a pending withdrawal waits for this reason. */
export async function isAnyWaiting(
  tx: Tx,
  { chainId, waitingFor }: { chainId: ChainId; waitingFor: WaitingFor },
): Promise<boolean> {
  const { found } = await tx.one(sql<{ found: boolean }>`
    select exists (
           select 1
             from withdrawals
            where chain_id = ${chainId}
              and waiting_for = ${waitingFor}
              and status = 'Pending') as found`)
  return found
}

/** Clears this reason to wait of pending withdrawals. */
export async function forgetWaiting(
  tx: Tx,
  wait: Waiting & { waitingFor: WaitingFor },
): Promise<void> {
  const { chainId, orgId = null, id = null, waitingFor } = wait
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
