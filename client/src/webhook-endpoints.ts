import type { EndpointTest, WebhookEndpoint } from './generated.ts'
import type { Body, CallOptions } from './operation.ts'
import type { CodeOptions } from './organisation.ts'
import type { Ask } from './transport.ts'

/** The URL and the event types of a new endpoint; `eventTypes` null or absent for all. */
export type NewWebhookEndpoint = Omit<Body<'postWebhookEndpoint'>, 'totpCode'>

/** The settings of an endpoint to change; the others keep their values. */
export type WebhookEndpointChange = Omit<Body<'patchWebhookEndpoint'>, 'totpCode'>

/**
 * The receivers of events, at most 20. The default one is that of `organisation.setWebhook`. With
 * an access token every change needs `totpCode`.
 */
export interface WebhookEndpoints {
  /** All endpoints, the default one first. */
  list(options?: CallOptions): Promise<WebhookEndpoint[]>
  get(id: string, options?: CallOptions): Promise<WebhookEndpoint>
  /** Adds an endpoint; its secret is returned once. Not retried automatically. */
  create(
    endpoint: NewWebhookEndpoint,
    options?: CodeOptions,
  ): Promise<{ endpoint: WebhookEndpoint; signingSecret: string }>
  /** Changes the URL or the event types, pauses or resumes. */
  update(id: string, change: WebhookEndpointChange, options?: CodeOptions): Promise<WebhookEndpoint>
  /** Deletes an endpoint; its pending deliveries fail. */
  delete(id: string, options?: CodeOptions): Promise<void>
  /**
   * Replaces the secret and returns the new one; for 24 hours deliveries are signed with both. Not
   * retried automatically.
   */
  rotateSecret(id: string, options?: CodeOptions): Promise<string>
  /** Sends a test event and returns the result of the attempt. Not retried automatically. */
  test(id: string, options?: CallOptions): Promise<EndpointTest>
}

export function openWebhookEndpoints(ask: Ask): WebhookEndpoints {
  return {
    list: async (options) => (await ask('getWebhookEndpoints', {}, options)).endpoints,
    get: async (id, options) =>
      (await ask('getWebhookEndpoint', { path: { id } }, options)).endpoint,
    create: (endpoint, { totpCode, ...options } = {}) =>
      ask('postWebhookEndpoint', { body: { ...endpoint, totpCode } }, options),
    update: async (id, change, { totpCode, ...options } = {}) => {
      const input = { path: { id }, body: { ...change, totpCode } }
      return (await ask('patchWebhookEndpoint', input, options)).endpoint
    },
    delete: async (id, { totpCode, ...options } = {}) => {
      await ask('deleteWebhookEndpoint', { path: { id }, ...bodyWith(totpCode) }, options)
    },
    rotateSecret: async (id, { totpCode, ...options } = {}) => {
      const input = { path: { id }, ...bodyWith(totpCode) }
      return (await ask('postWebhookEndpointSecret', input, options)).signingSecret
    },
    test: async (id, options) =>
      (await ask('postWebhookEndpointTest', { path: { id } }, options)).test,
  }
}

function bodyWith(totpCode: string | undefined): { body?: { totpCode: string } } {
  return totpCode === undefined ? {} : { body: { totpCode } }
}
