import { type RecordedEvent, toEvent } from './event-log.ts'
import type { Organization } from './generated.ts'
import type { Answer, CallOptions } from './operation.ts'
import type { Ask } from './transport.ts'

/** The organization of the caller, and its settings. */
export interface Organisation {
  get(options?: CallOptions): Promise<Organization>
  /** Sets the URL that receives events. */
  setWebhook(webhookUrl: string, options?: CallOptions): Promise<void>
  /**
   * Replaces the secret that signs deliveries, and gives the new one; for 24 hours deliveries are
   * signed with both. Never repeated: the second time would make another one.
   */
  rotateSigningSecret(options?: CallOptions): Promise<string>
  /** Sends a test event to the webhook URL. Not repeated by itself. */
  sendTestEvent(options?: CallOptions): Promise<RecordedEvent>
  /** Sets how many approvals a new withdrawal needs. */
  setMinWithdrawalSigners(minWithdrawalSigners: number, options?: CallOptions): Promise<void>
  /**
   * Replaces the API key, and gives the new one; the one before is refused at once. Needs an access
   * token. Never repeated: after a lost answer, rotate again.
   */
  rotateApiKey(options?: CallOptions): Promise<string>
}

export function openOrganisation(ask: Ask): Organisation {
  return {
    get: (options) => ask('getOrganisation', {}, options),
    setWebhook: (webhookUrl, options) =>
      done(ask('patchWebhook', { body: { webhookUrl } }, options)),
    rotateSigningSecret: async (options) =>
      (await ask('patchSigningSecret', {}, options)).webhookSigningSecret,
    sendTestEvent: async (options) => toEvent((await ask('postWebhookTest', {}, options)).event),
    setMinWithdrawalSigners: (minWithdrawalSigners, options) =>
      done(ask('patchMinWithdrawalSigners', { body: { minWithdrawalSigners } }, options)),
    rotateApiKey: async (options) => (await ask('patchApiKey', {}, options)).apiKey,
  }
}

async function done(answer: Promise<Answer<'patchWebhook'>>): Promise<void> {
  await answer
}
