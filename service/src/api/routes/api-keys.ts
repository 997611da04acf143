import type { API_KEY_OPERATIONS } from '@sluice/wire'
import type { Millis } from '../../base/clock.ts'
import { listApiKeys } from '../../orgs/api-key.ts'
import { changeApiKey, replaceApiKey, revokeApiKey } from '../../orgs/change-api-key.ts'
import { createApiKey } from '../../orgs/create-api-key.ts'
import { actorOf } from '../http/actor.ts'
import { configure } from '../http/configure.ts'
import { answerList } from '../http/paging.ts'
import { parseTime } from '../http/parse-values.ts'
import type { Handlers } from '../http/route.ts'
import { viewApiKey } from '../views/api-keys.ts'

export const apiKeyRoutes: Handlers<keyof typeof API_KEY_OPERATIONS> = {
  getApiKeys: async ({ database, clock, caller: { orgId }, exporting, query }) => {
    const { limit: _limit, cursor: _cursor, ...filter } = query
    return answerList(
      { ...query, exporting },
      {
        key: 'apiKeys',
        read: async (after, limit) => {
          const page = { filter, after, limit }
          const keys = await database.forOrg(orgId, (tx) => listApiKeys(tx, orgId, page))
          const now = clock.now()
          return keys.map((key) => ({ place: key, view: viewApiKey(key, now) }))
        },
      },
    )
  },

  postApiKey: async (call) => {
    const { serviceKey, random, clock, caller, body, setStatus } = call
    const { name, scopes, allowedCidrs: networks = [] } = body
    const terms = { name, scopes, networks, expiresAt: expiryIn(body) ?? null }
    const creation = { orgId: caller.orgId, terms, actor: actorOf(caller), random }
    const { apiKey, key } = await configure(call, async (tx) => ({
      result: await createApiKey(tx, serviceKey, creation),
      isChanged: true,
    }))
    setStatus(201)
    return { apiKey: viewApiKey(apiKey, clock.now()), key: key.reveal() }
  },

  patchApiKeyTerms: async (call) => {
    const { serviceKey, clock, caller, params, body } = call
    const { name, scopes, allowedCidrs: networks } = body
    const expiresAt = expiryIn(body)
    const terms = {
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes }),
      ...(networks !== undefined && { networks }),
      ...(expiresAt !== undefined && { expiresAt }),
    }
    const change = { orgId: caller.orgId, id: params.id, actor: actorOf(caller), terms }
    const apiKey = await configure(call, async (tx) => {
      const changed = await changeApiKey(tx, serviceKey, change)
      return { result: changed.apiKey, isChanged: changed.isChanged }
    })
    return { apiKey: viewApiKey(apiKey, clock.now()) }
  },

  postApiKeyRotate: async (call) => {
    const { serviceKey, random, clock, caller, params, body, setStatus } = call
    const { overlapSeconds = 0 } = body
    const expiresAt = expiryIn(body)
    const rotation = {
      orgId: caller.orgId,
      id: params.id,
      actor: actorOf(caller),
      random,
      overlapMs: overlapSeconds * 1000,
      ...(expiresAt !== undefined && { expiresAt }),
    }
    const { apiKey, key } = await configure(call, async (tx) => ({
      result: await replaceApiKey(tx, serviceKey, rotation),
      isChanged: true,
    }))
    setStatus(201)
    return { apiKey: viewApiKey(apiKey, clock.now()), key: key.reveal() }
  },

  deleteApiKey: async (call) => {
    const { serviceKey, clock, caller, params } = call
    const revocation = { orgId: caller.orgId, id: params.id, actor: actorOf(caller) }
    const apiKey = await configure(call, async (tx) => {
      const revoked = await revokeApiKey(tx, serviceKey, revocation)
      return { result: revoked.apiKey, isChanged: revoked.isChanged }
    })
    return { apiKey: viewApiKey(apiKey, clock.now()) }
  },
}

/** Undefined without the field, null for no expiry. */
function expiryIn({ expiresAt }: { expiresAt?: string | null }): Millis | null | undefined {
  return typeof expiresAt === 'string' ? parseTime('expiresAt', expiresAt) : expiresAt
}
