import type { AUTHENTICATION_OPERATIONS } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { Secret } from '../../base/secret.ts'
import { rotateApiKey } from '../../orgs/change-api-key.ts'
import { permissionsOf } from '../../orgs/caller.ts'
import { countUnreadable, logIn } from '../../orgs/log-in.ts'
import { readOrganization } from '../../orgs/settings.ts'
import { readUsers } from '../../orgs/signers.ts'
import { actorOf } from '../http/actor.ts'
import { configure } from '../http/configure.ts'
import { limitHeaders } from '../http/limits.ts'
import type { CountMalformed, Handlers } from '../http/route.ts'

export const authenticationRoutes: Handlers<keyof typeof AUTHENTICATION_OPERATIONS> = {
  postLogin: ({ database, settings, peer, body, ...deps }) => {
    const { serviceKey, sessions, clock, passwords } = deps
    const { username, totpCode } = body
    const attempt = { username, password: new Secret(body.password), totpCode, peer }
    const counting = { serviceKey, sessions, clock, passwords, rates: settings.logInRates }
    return logIn(database, counting, attempt, (taken) => deps.setHeaders(limitHeaders(taken)))
  },

  getProfile: async ({ database, serviceKey, settings, caller }) => {
    const { orgId, userId } = caller
    const { org, user } = await database.forOrg(orgId, async (tx) => ({
      org: await readOrganization(tx, orgId),
      user: (await readUsers(tx, serviceKey, { orgId, ids: [userId] })).get(userId),
    }))
    assert(user !== undefined, 'session without its user', { userId })
    const { id, username, role } = user
    const permissions = permissionsOf(caller, settings)
    return { id, username, role, permissions, org: { id: org.id, name: org.name } }
  },

  patchApiKey: async (call) => {
    const { serviceKey, random, caller } = call
    const { orgId } = caller
    const key = await configure(call, async (tx) => ({
      result: await rotateApiKey(tx, serviceKey, { orgId, actor: actorOf(caller), random }),
      isChanged: true,
    }))
    return { apiKey: key.reveal() }
  },
}

/** A malformed login counts as an attempt. */
export const countMalformedLogin: CountMalformed = (
  { database, serviceKey, settings },
  peer,
  setHeaders,
) =>
  countUnreadable(database, { serviceKey, rates: settings.logInRates }, peer, (taken) =>
    setHeaders(limitHeaders(taken)),
  )
