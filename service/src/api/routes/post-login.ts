import { Secret } from '../../base/secret.ts'
import { logIn } from '../../orgs/log-in.ts'
import { route } from '../route.ts'

/**
 * Section 4.1: an access token for user name, password and two-factor code. Refuses with
 * UNAUTHORIZED, INVALID_TOTP and RATE_LIMIT_EXCEEDED.
 */
export const postLogin = route('postLogin', ({ database, settings, peer, body, ...means }) => {
  const { serviceKey, sessions, clock } = means
  const { username, totpCode } = body
  const given = { username, password: new Secret(body.password), totpCode, peer }
  return logIn(database, { serviceKey, sessions, clock, rates: settings.logInRates }, given)
})
