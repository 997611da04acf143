import { Secret } from '../../base/secret.ts'
import { countUnreadable, logIn } from '../../orgs/log-in.ts'
import { limitHeaders } from '../http/limits.ts'
import { route } from '../http/route.ts'

/**
 * Section 4.1: an access token for user name, password and two-factor code. Refuses with
 * UNAUTHORIZED, INVALID_TOTP and RATE_LIMIT_EXCEEDED; the headers tell of the nearest limit. What
 * cannot be read is an attempt as well.
 */
export const postLogin = route(
  'postLogin',
  ({ database, settings, peer, body, ...means }) => {
    const { serviceKey, sessions, clock, passwords } = means
    const { username, totpCode } = body
    const given = { username, password: new Secret(body.password), totpCode, peer }
    const counting = { serviceKey, sessions, clock, passwords, rates: settings.logInRates }
    return logIn(database, counting, given, (taken) => means.setHeaders(limitHeaders(taken)))
  },
  {
    countMalformed: ({ database, serviceKey, settings }, peer, setHeaders) =>
      countUnreadable(database, { serviceKey, rates: settings.logInRates }, peer, (taken) =>
        setHeaders(limitHeaders(taken)),
      ),
  },
)
