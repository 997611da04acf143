import type { Profile } from './generated.ts'
import type { Answer, Body, CallOptions } from './operation.ts'
import type { Ask } from './transport.ts'

/** People and their sessions. */
export interface Auth {
  /**
   * Signs a user in. Create another client with the access token: `createClient({ baseUrl,
   * accessToken })`. Never repeated: a one-time code works once.
   */
  login(credentials: Body<'postLogin'>, options?: CallOptions): Promise<Answer<'postLogin'>>
  /** The signed-in user. Needs an access token. */
  profile(options?: CallOptions): Promise<Profile>
}

export function openAuth(ask: Ask): Auth {
  return {
    login: (body, options) => ask('postLogin', { body }, options),
    profile: (options) => ask('getProfile', {}, options),
  }
}
