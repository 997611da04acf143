import type { Profile } from './generated.ts'
import type { Answer, Body, CallOptions } from './operation.ts'
import type { Ask } from './transport.ts'

/** People and their sessions. */
export interface Auth {
  /**
   * Signs a person in. The access token is for a client of its own: `createClient({ baseUrl,
   * accessToken })`. Never repeated: a one-time code works once.
   */
  login(credentials: Body<'postLogin'>, options?: CallOptions): Promise<Answer<'postLogin'>>
  /** Who is signed in. Needs an access token. */
  profile(options?: CallOptions): Promise<Profile>
}

export function openAuth(ask: Ask): Auth {
  return {
    login: (body, options) => ask('postLogin', { body }, options),
    profile: (options) => ask('getProfile', {}, options),
  }
}
