import type { ServiceKey } from '../keys/service-key.ts'

/** The own URL of a delivery. */
interface DirectedUrl {
  orgId: string
  eventId: string
  endpointId: string
  url: string
}

/** The MAC of a delivery's own URL, so that a writer of the database cannot redirect it. */
export function macOfUrl(serviceKey: Pick<ServiceKey, 'mac'>, directed: DirectedUrl): Uint8Array {
  return serviceKey.mac('delivery-url', fieldsOf(directed))
}

/** Whether the MAC of a delivery's own URL matches. */
export function isUrlAuthentic(
  serviceKey: Pick<ServiceKey, 'verify'>,
  directed: DirectedUrl,
  mac: Uint8Array,
): boolean {
  return serviceKey.verify('delivery-url', fieldsOf(directed), mac)
}

function fieldsOf({ orgId, eventId, endpointId, url }: DirectedUrl) {
  return [orgId, eventId, endpointId, url]
}
