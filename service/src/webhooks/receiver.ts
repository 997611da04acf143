import { Outage } from '../base/fault.ts'
import type { Log } from '../base/log.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { type Endpoint, isAuthentic, tamperedEndpoint } from '../orgs/endpoint.ts'
import { readSigningSecrets } from '../orgs/signing-secret.ts'
import type { Tx } from '../store/database.ts'
import type { Delivery } from './delivery.ts'

/** The URL and the keys of an endpoint, or the reason why it receives nothing. */
export type Receiver = Pick<Delivery, 'url' | 'keys' | 'problem'>

const DELETED: Receiver = { url: null, keys: null, problem: 'the webhook endpoint was deleted' }

export const TAMPERED = 'the webhook endpoint was changed in the database'
const UNREADABLE = 'the signing secret of the webhook endpoint cannot be read'

/**
 * The receiver of deliveries of an organization to an endpoint, null for a deleted endpoint.
 * An endpoint that was changed in the database receives nothing; `isTampered` then requests the
 * alert.
 */
export async function readReceiver(
  tx: Tx,
  deps: { serviceKey: ServiceKey; log: Log },
  endpoint: Endpoint | null,
): Promise<Receiver & { isTampered: boolean }> {
  if (endpoint === null) return { ...DELETED, isTampered: false }
  const { serviceKey } = deps
  const url = endpoint.url === '' ? null : endpoint.url
  if (!isAuthentic(serviceKey, endpoint))
    return { url, keys: null, problem: TAMPERED, isTampered: true }
  const keys = await readKeys(tx, deps, endpoint)
  const problem = url === null ? 'no webhook URL is set' : keys === null ? UNREADABLE : ''
  return { url, keys, problem, isTampered: false }
}

/** Raises the alert that an endpoint, or the URL of a delivery to it, was changed. */
export async function raiseTampered(tx: Tx, { orgId, id }: Pick<Endpoint, 'orgId' | 'id'>) {
  const message =
    `The webhook endpoint ${id} of the organization ${orgId}, or a delivery to it, was changed ` +
    'in the database. What was changed is not sent until the organization sets the URL again.'
  await raiseAlert(tx, { ...tamperedEndpoint({ id }), message, details: { orgId } })
}

/** The valid secrets, the current one first; an unreadable one fails only its endpoint. */
async function readKeys(
  tx: Tx,
  { serviceKey, log }: { serviceKey: ServiceKey; log: Log },
  { orgId, id, secretId }: Endpoint,
): Promise<Delivery['keys']> {
  try {
    const keys = await readSigningSecrets(tx, serviceKey, orgId, id)
    return keys.some((key) => key.current && key.id === secretId) ? keys : null
  } catch (error) {
    if (error instanceof Outage) throw error
    log.error({ error, orgId, endpointId: id }, 'a webhook signing secret cannot be read')
    return null
  }
}
