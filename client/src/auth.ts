import type { Passkey, PasskeyCreation, Profile } from './generated.ts'
import type { Answer, Body, CallOptions } from './operation.ts'
import type { CodeOptions } from './organisation.ts'
import { eachOf, type Page, type PageOptions, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/** An open session of the signed-in user. */
export type Session = Answer<'getSessions'>['sessions'][number]

/** People and their sessions. Calls with a one-time code are never repeated: it works once. */
export interface Auth {
  /**
   * Signs a user in. Create another client with the access token: `createClient({ baseUrl,
   * accessToken })`. After a recovery code, `mustEnrolTotp` is true.
   */
  login(credentials: Body<'postLogin'>, options?: CallOptions): Promise<Answer<'postLogin'>>
  /** The signed-in user. Needs an access token, as everything below except for invitations. */
  profile(options?: CallOptions): Promise<Profile>
  /** Shows an invitation and the TOTP secret to enrol. Changes nothing. */
  invitation(token: string, options?: CallOptions): Promise<Answer<'postInvitation'>>
  /** Accepts an invitation; returns the recovery codes, which are shown once, and a session. */
  acceptInvitation(
    acceptance: Body<'postInvitationAccept'>,
    options?: CallOptions,
  ): Promise<Answer<'postInvitationAccept'>>
  /** Changes the password of the user and ends the other sessions. */
  changePassword(
    passwords: Omit<Body<'patchPassword'>, 'totpCode'>,
    options?: CodeOptions,
  ): Promise<void>
  /** Offers a new TOTP secret. After a recovery code it needs no `totpCode`. */
  offerTotp(options?: CodeOptions): Promise<Answer<'postTotp'>>
  /** Replaces the TOTP secret by the offered one, with a code of the new one. */
  confirmTotp(totpCode: string, options?: CallOptions): Promise<void>
  /** Replaces the recovery codes by ten new ones, which are shown once. */
  renewRecoveryCodes(options?: CodeOptions): Promise<string[]>
  /** The passkeys of the user, and the origin at which they work; null if they are not set up. */
  passkeys(options?: CallOptions): Promise<Answer<'getPasskeys'>>
  /** The options of `navigator.credentials.create` for a new passkey. */
  offerPasskey(options?: CodeOptions): Promise<PasskeyCreation>
  /** Stores the passkey that the browser created with the options. */
  addPasskey(passkey: Body<'postPasskeys'>, options?: CallOptions): Promise<Passkey>
  /** Renames a passkey of the user. */
  renamePasskey(id: string, name: string, options?: CodeOptions): Promise<Passkey>
  /** Removes a passkey of the user. */
  removePasskey(id: string, options?: CodeOptions): Promise<void>
  /** A page of the open sessions of the user, newest first. */
  sessions(filter?: PageOptions, options?: CallOptions): Promise<Page<Session>>
  /** Every open session of the user, newest first. */
  allSessions(options?: CallOptions): AsyncGenerator<Session, void, undefined>
  /** Ends an open session of the user. */
  endSession(id: string, options?: CallOptions): Promise<void>
  /** Ends the session of the access token. */
  logout(options?: CallOptions): Promise<void>
}

export function openAuth(ask: Ask): Auth {
  const sessions: Auth['sessions'] = async (filter, options) => {
    const answer = await ask('getSessions', { query: paged(filter) }, options)
    return toPage(answer.sessions, answer.nextCursor)
  }
  return {
    login: (body, options) => ask('postLogin', { body }, options),
    profile: (options) => ask('getProfile', {}, options),
    invitation: (token, options) => ask('postInvitation', { body: { token } }, options),
    acceptInvitation: (body, options) => ask('postInvitationAccept', { body }, options),
    changePassword: async (passwords, { totpCode, ...options } = {}) => {
      await ask('patchPassword', { body: { ...passwords, totpCode } }, options)
    },
    offerTotp: ({ totpCode, ...options } = {}) => ask('postTotp', withCode(totpCode), options),
    confirmTotp: async (totpCode, options) => {
      await ask('postTotpConfirm', { body: { totpCode } }, options)
    },
    renewRecoveryCodes: async ({ totpCode, ...options } = {}) =>
      (await ask('postRecoveryCodes', withCode(totpCode), options)).recoveryCodes,
    passkeys: (options) => ask('getPasskeys', {}, options),
    offerPasskey: ({ totpCode, ...options } = {}) =>
      ask('postPasskeyOptions', withCode(totpCode), options),
    addPasskey: async (body, options) => (await ask('postPasskeys', { body }, options)).passkey,
    renamePasskey: async (id, name, { totpCode, ...options } = {}) =>
      (await ask('patchPasskey', { path: { id }, body: { name, totpCode } }, options)).passkey,
    removePasskey: async (id, { totpCode, ...options } = {}) => {
      const headers = totpCode === undefined ? {} : { headers: { 'x-totp-code': totpCode } }
      await ask('deletePasskey', { path: { id }, ...headers }, options)
    },
    sessions,
    allSessions: (options) => eachOf((part) => sessions(part, options)),
    endSession: async (id, options) => {
      await ask('deleteSession', { path: { id } }, options)
    },
    logout: async (options) => {
      await ask('postLogout', {}, options)
    },
  }
}

function withCode(totpCode: string | undefined): { body?: { totpCode: string } } {
  return totpCode === undefined ? {} : { body: { totpCode } }
}
