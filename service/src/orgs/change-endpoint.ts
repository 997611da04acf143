import type { EventType } from '@sluice/wire'
import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { type Endpoint, isAuthentic, macOfEndpoint } from './endpoint.ts'
import { selectEndpoint, updateEndpoint } from './endpoint-rows.ts'

/** The new values; an absent field keeps its value. */
export interface EndpointChange {
  url?: string
  /** Empty for all types. */
  eventTypes?: readonly EventType[]
  isPaused?: boolean
  secretId?: string
}

const TAMPERED =
  'The webhook endpoint was changed in the database, and receives no events. Set its URL again, ' +
  'which resets its event types and resumes it, or delete it.'

/** An endpoint of the organization. Refuses with NOT_FOUND. */
export async function readEndpoint(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Endpoint> {
  const endpoint = isId(id) ? await selectEndpoint(tx, { orgId, id }) : null
  if (endpoint !== null) return endpoint
  throw new Refusal('NOT_FOUND', { id }, 'No webhook endpoint of your organization has this id.')
}

/**
 * Changes an endpoint under a new version, with its MAC. The caller has locked the organization's
 * settings and validated the URL (webhooks/target). An endpoint that was changed in the database
 * is refused with INTERNAL_ERROR (`details.reason` `tampered`) unless its URL is set; its other
 * fields then have their defaults. Refuses with NOT_FOUND.
 */
export async function changeEndpoint(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac' | 'verify'>,
  params: { orgId: string; id: string; change: EndpointChange },
): Promise<{ previous: Endpoint; isChanged: boolean }> {
  const { change } = params
  const previous = await readEndpoint(tx, params)
  const wasAuthentic = isAuthentic(serviceKey, previous)
  if (!wasAuthentic && change.url === undefined)
    throw new Refusal('INTERNAL_ERROR', { id: params.id, reason: 'tampered' }, TAMPERED)
  const base = wasAuthentic ? previous : { ...previous, eventTypes: [], pausedAt: null }
  const { isPaused = base.pausedAt !== null, ...values } = change
  const pausedAt = isPaused ? (base.pausedAt ?? tx.clock.now()) : null
  const next = { ...base, ...values, pausedAt, version: tx.ids.next() }
  const isChanged = !wasAuthentic || keyOf(next) !== keyOf(previous)
  if (isChanged) await updateEndpoint(tx, { ...next, mac: macOfEndpoint(serviceKey, next) })
  return { previous, isChanged }
}

function keyOf({ url, eventTypes, pausedAt, secretId }: Endpoint): string {
  return JSON.stringify([url, eventTypes, pausedAt, secretId])
}
