import type { SingleDeposit } from '@sluice/wire'
import { accountPayload } from '../../accounts/payload.ts'
import { selectAccountsById } from '../../accounts/rows.ts'
import { iso } from '../../base/clock.ts'
import { readChainState } from '../../catalogue/chain-state.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { displayAddress } from '../../chains/format-address.ts'
import { readDeposit } from '../../deposits/list.ts'
import type { Tx } from '../../store/database.ts'
import { findSweepOf, type FoundSweep } from '../../sweeps/find-sweep.ts'
import type { StoredEvent } from '../../webhooks/event.ts'
import { listEvents } from '../../webhooks/list-events.ts'
import { viewEvent } from './event-views.ts'
import { viewDeposit } from './views.ts'

/** One deposit with its account, notification and sweep. Refuses with NOT_FOUND. */
export async function readSingleDeposit(
  tx: Tx,
  { catalogue, orgId, id }: { catalogue: Catalogue; orgId: string; id: string },
): Promise<SingleDeposit> {
  const deposit = await readDeposit(tx, { orgId, id })
  const { chainId, accountId, address, heldCause } = deposit
  const filter = { subjectId: id, type: 'deposit.confirmed' } as const
  const [state, [stored], [event], found] = await Promise.all([
    readChainState(tx, chainId),
    selectAccountsById(tx, [{ orgId, id: accountId }]),
    listEvents(tx, { orgId, filter, place: null, limit: 1 }),
    findSweepOf(tx, deposit),
  ])
  const view = viewDeposit(deposit, { catalogue, tipHeight: state?.tip.height ?? null })
  const account = stored === undefined ? null : accountPayload(stored.account)
  return {
    ...view,
    orgDepositAccountId: accountId,
    recipientAddress: displayAddress(chainId, address),
    destinationTag: account?.properties.destinationTag ?? null,
    heldReason: deposit.status === 'Held' ? heldCause : null,
    detectedAt: iso(deposit.createdAt),
    notification: event === undefined ? null : viewNotification(event),
    sweep: found === null ? null : viewSweepOf(found),
  }
}

function viewNotification(event: StoredEvent): SingleDeposit['notification'] {
  const { id: eventId, timestamp, delivery } = viewEvent(event)
  return { eventId, timestamp, delivery }
}

function viewSweepOf({ sweep, txnHash }: FoundSweep): SingleDeposit['sweep'] {
  const { id, state: status, createdAt, updatedAt } = sweep
  return { id, status, txnHash, createdAt: iso(createdAt), updatedAt: iso(updatedAt) }
}
