import { type RecordedEvent, toEvent } from './event-log.ts'
import type { Chain, Organization, Token } from './generated.ts'
import type { Answer, CallOptions } from './operation.ts'
import type { Ask } from './transport.ts'

/** Options of a call that a person's fresh two-factor code confirms; API keys need none. */
export interface CodeOptions extends CallOptions {
  totpCode?: string
}

/**
 * The organization of the caller, and its settings. With an access token every change needs
 * `totpCode`, and is refused with `INVALID_TOTP` without it.
 */
export interface Organisation {
  /**
   * The signing secret in it is whole for an API key, and for an admin with a `totpCode`; others
   * get its last four characters.
   */
  get(options?: CodeOptions): Promise<Organization>
  /** Sets the URL that receives events. */
  setWebhook(webhookUrl: string, options?: CodeOptions): Promise<void>
  /**
   * Replaces the secret that signs deliveries, and gives the new one; for 24 hours deliveries are
   * signed with both. Never repeated: the second time would make another one.
   */
  rotateSigningSecret(options?: CodeOptions): Promise<string>
  /** Sends a test event to the webhook URL. Not retried automatically. */
  sendTestEvent(options?: CallOptions): Promise<RecordedEvent>
  /** Sets how many approvals a new withdrawal needs. */
  setMinWithdrawalSigners(minWithdrawalSigners: number, options?: CodeOptions): Promise<void>
  /**
   * Sets how many approvals of a new withdrawal people must give; null for the default. Needs an
   * access token and a `totpCode`.
   */
  setMinHumanApprovals(minHumanApprovals: number | null, options?: CodeOptions): Promise<void>
  /** Switches a chain off or on for the organization; the operator's switch stays. */
  setChain(chainId: string, enabled: boolean, options?: CodeOptions): Promise<Chain>
  /** Switches a token off or on for the organization; the operator's switch stays. */
  setToken(tokenId: string, enabled: boolean, options?: CodeOptions): Promise<Token>
  /**
   * Replaces the default API key, and gives the new one; the one before is refused at once. Needs
   * an access token and a `totpCode`. Never repeated: after a lost answer, rotate again.
   */
  rotateApiKey(options?: CodeOptions): Promise<string>
}

export function openOrganisation(ask: Ask): Organisation {
  return {
    get: ({ totpCode, ...options } = {}) =>
      ask(
        'getOrganisation',
        totpCode === undefined ? {} : { headers: { 'x-totp-code': totpCode } },
        options,
      ),
    setWebhook: (webhookUrl, { totpCode, ...options } = {}) =>
      done(ask('patchWebhook', { body: { webhookUrl, totpCode } }, options)),
    rotateSigningSecret: async ({ totpCode, ...options } = {}) =>
      (await ask('patchSigningSecret', bodyWith(totpCode), options)).webhookSigningSecret,
    sendTestEvent: async (options) => toEvent((await ask('postWebhookTest', {}, options)).event),
    setMinWithdrawalSigners: (minWithdrawalSigners, { totpCode, ...options } = {}) =>
      done(ask('patchMinWithdrawalSigners', { body: { minWithdrawalSigners, totpCode } }, options)),
    setMinHumanApprovals: (minHumanApprovals, { totpCode, ...options } = {}) =>
      done(ask('patchMinHumanApprovals', { body: { minHumanApprovals, totpCode } }, options)),
    setChain: async (chainId, enabled, { totpCode, ...options } = {}) =>
      (await ask('patchOrganisationChain', { body: { chainId, enabled, totpCode } }, options))
        .chain,
    setToken: async (tokenId, enabled, { totpCode, ...options } = {}) =>
      (await ask('patchOrganisationToken', { body: { tokenId, enabled, totpCode } }, options))
        .token,
    rotateApiKey: async ({ totpCode, ...options } = {}) =>
      (await ask('patchApiKey', bodyWith(totpCode), options)).apiKey,
  }
}

function bodyWith(totpCode: string | undefined): { body?: { totpCode: string } } {
  return totpCode === undefined ? {} : { body: { totpCode } }
}

async function done(answer: Promise<Answer<'patchWebhook'>>): Promise<void> {
  await answer
}
