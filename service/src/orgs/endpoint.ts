import type { EventType } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { ServiceKey } from '../keys/service-key.ts'

/** A receiver of an organization's events. The default one has the id of its organization. */
export interface Endpoint {
  orgId: string
  id: string
  /** "" until set; only the default endpoint can be without a URL. */
  url: string
  /** The types that it receives; empty for all. */
  eventTypes: readonly EventType[]
  /** Since when its deliveries wait; null if they are sent. */
  pausedAt: Millis | null
  /** The current signing secret. */
  secretId: string
  /** Differs for each change. */
  version: string
  /** Of the service key; empty if a later state of the row took its place. */
  mac: Uint8Array
  createdAt: Millis
  updatedAt: Millis
  /** Results of attempts, at most a few seconds old; null without any. */
  lastSuccessAt: Millis | null
  lastFailureAt: Millis | null
  /** The first failed attempt after the last accepted one; null while it accepts. */
  failingSince: Millis | null
}

/** The fields that are protected from changes in the database. */
export type AuthenticatedEndpoint = Pick<
  Endpoint,
  'orgId' | 'id' | 'url' | 'eventTypes' | 'pausedAt' | 'secretId' | 'version'
>

export function isDefault({ orgId, id }: Pick<Endpoint, 'orgId' | 'id'>): boolean {
  return id === orgId
}

/** The MAC over the protected fields. */
export function macOfEndpoint(
  serviceKey: Pick<ServiceKey, 'mac'>,
  endpoint: AuthenticatedEndpoint,
): Uint8Array {
  return serviceKey.mac('webhook-endpoint', fieldsOf(endpoint))
}

/** Whether the MAC of the endpoint matches. */
export function isAuthentic(
  serviceKey: Pick<ServiceKey, 'verify'>,
  endpoint: AuthenticatedEndpoint & Pick<Endpoint, 'mac'>,
): boolean {
  return serviceKey.verify('webhook-endpoint', fieldsOf(endpoint), endpoint.mac)
}

/** The alert that an endpoint was changed in the database. */
export function tamperedEndpoint({ id }: Pick<Endpoint, 'id'>) {
  return { code: 'webhook_endpoint.tampered', subject: id } as const
}

function fieldsOf(endpoint: AuthenticatedEndpoint) {
  const { orgId, id, url, eventTypes, pausedAt, secretId, version } = endpoint
  return [orgId, id, url, eventTypes.join(' '), pausedAt, secretId, version]
}
