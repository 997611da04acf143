import type { EventType } from '@sluice/wire'
import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { readEndpoint } from './change-endpoint.ts'
import { isDefault, macOfEndpoint } from './endpoint.ts'
import { deleteEndpointRow, insertEndpoint, selectEndpoints } from './endpoint-rows.ts'
import { retireSecret } from './secret-rows.ts'
import { addSigningSecret } from './signing-secret.ts'

/** The endpoints of an organization, the default one included. */
const ENDPOINTS_MAX = 20

/**
 * Adds an endpoint with a new signing secret, which is returned once. The caller has locked the
 * organization's settings and validated the URL (webhooks/target). Refuses with BAD_REQUEST if the
 * organization has as many as it may have.
 */
export async function addEndpoint(
  tx: Tx,
  serviceKey: ServiceKey,
  params: {
    orgId: string
    url: string
    eventTypes: readonly EventType[]
    actor: string
    random: Random
  },
): Promise<{ id: string; secret: Secret }> {
  const { orgId, url, eventTypes, actor } = params
  if ((await selectEndpoints(tx, orgId)).length >= ENDPOINTS_MAX)
    throw new Refusal(
      'BAD_REQUEST',
      { reason: 'TOO_MANY', max: ENDPOINTS_MAX },
      `An organization may have ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`,
    )
  const id = tx.ids.next()
  const secret = await openEndpoint(tx, serviceKey, { ...params, id })
  const details = { url, eventTypes }
  await writeAudit(tx, { orgId, actor, action: 'webhook-endpoint.create', object: id, details })
  return { id, secret }
}

/** Stores an endpoint of a new id with its secret. */
export async function openEndpoint(
  tx: Tx,
  serviceKey: ServiceKey,
  params: {
    orgId: string
    id: string
    url: string
    eventTypes: readonly EventType[]
    random: Random
  },
): Promise<Secret> {
  const { orgId, id, url, eventTypes, random } = params
  const added = await addSigningSecret(tx, serviceKey, { orgId, endpointId: id, random })
  const version = tx.ids.next()
  const fields = { orgId, id, url, eventTypes, pausedAt: null, secretId: added.id, version }
  await insertEndpoint(tx, { ...fields, mac: macOfEndpoint(serviceKey, fields) })
  return added.secret
}

/**
 * Deletes an endpoint; its deliveries are ended by `endDeliveries` and by the deliverers. The
 * caller has locked the organization's settings. Refuses with NOT_FOUND, and with BAD_REQUEST for
 * the default endpoint.
 */
export async function deleteEndpoint(
  tx: Tx,
  { orgId, id, actor }: { orgId: string; id: string; actor: string },
): Promise<{ url: string }> {
  const endpoint = await readEndpoint(tx, { orgId, id })
  if (isDefault(endpoint))
    throw new Refusal(
      'BAD_REQUEST',
      { reason: 'DEFAULT_ENDPOINT' },
      'The default webhook endpoint cannot be deleted. Pause it instead.',
    )
  const { url } = endpoint
  await deleteEndpointRow(tx, { orgId, id })
  await retireSecret(tx, { orgId, endpointId: id, validUntil: tx.clock.now() })
  const details = { url }
  await writeAudit(tx, { orgId, actor, action: 'webhook-endpoint.delete', object: id, details })
  return { url }
}
