import type { ORGANIZATION_OPERATIONS } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import type { Secret } from '../../base/secret.ts'
import { type Caller, permissionsOf } from '../../orgs/caller.ts'
import { guardGuesses } from '../../orgs/guess.ts'
import { readOrganization, setWebhookUrl } from '../../orgs/settings.ts'
import { readMinHumans, setMinHumans, setMinSigners } from '../../orgs/signers.ts'
import { readSigningSecrets, rotateSigningSecret } from '../../orgs/signing-secret.ts'
import { orRaiseForged } from '../../orgs/thresholds.ts'
import { consumeTotp } from '../../orgs/totp.ts'
import { resolveTampered } from '../../webhooks/end-deliveries.ts'
import { emitSecretRotated, emitThreshold, emitUrlChanged } from '../../webhooks/emit-setting.ts'
import { actorOf } from '../http/actor.ts'
import { checkUrl, configure } from '../http/configure.ts'
import type { Call, Handlers } from '../http/route.ts'
import { viewOrganization } from '../views/views.ts'

/** The end of the signing secret that identifies it to people. */
const SHOWN_LENGTH = 4

export const organizationRoutes: Handlers<keyof typeof ORGANIZATION_OPERATIONS> = {
  getOrganisation: async (call) => {
    const { database, serviceKey, caller } = call
    const { orgId } = caller
    const isWhole = showsSecret(caller) || (await hasProvenCode(call))
    const { organization, secrets, humans } = await database.forOrg(orgId, async (tx) => {
      const read = await readOrganization(tx, orgId)
      return {
        organization: read,
        secrets: await readSigningSecrets(tx, serviceKey, orgId),
        humans: await readMinHumans(tx, serviceKey, read),
      }
    })
    const current = secrets.find((secret) => secret.current)
    assert(current !== undefined, 'organization without a signing secret', { orgId })
    return viewOrganization(organization, {
      humans,
      secret: shown(current.secret, isWhole),
      permissions: permissionsOf(caller, call.settings),
    })
  },

  patchWebhook: async (call) => {
    const { database, serviceKey, caller, body } = call
    const { orgId } = caller
    const { webhookUrl: url } = body
    const change = { orgId, url, actor: actorOf(caller) }
    await checkUrl(call, url)
    await configure(call, async (tx) => {
      const { previous } = await setWebhookUrl(tx, serviceKey, change)
      emitUrlChanged(tx, serviceKey, { caller, previous, current: url })
      return { result: null, isChanged: previous !== url }
    })
    await resolveTampered(database, orgId)
    return {}
  },

  patchSigningSecret: async (call) => {
    const { serviceKey, random, caller } = call
    const { orgId } = caller
    const secret = await configure(call, async (tx) => {
      const rotation = { orgId, actor: actorOf(caller), random }
      const result = await rotateSigningSecret(tx, serviceKey, rotation)
      emitSecretRotated(tx, caller)
      return { result, isChanged: true }
    })
    return { webhookSigningSecret: secret.reveal() }
  },

  patchMinWithdrawalSigners: async (call) => {
    const { database, serviceKey, caller, body } = call
    const { minWithdrawalSigners: value } = body
    const change = { orgId: caller.orgId, value, actor: actorOf(caller) }
    await orRaiseForged(database, () =>
      configure(call, async (tx) => {
        const { previous } = await setMinSigners(tx, serviceKey, change)
        emitThreshold(tx, { caller, setting: 'minWithdrawalSigners', previous, current: value })
        return { result: null, isChanged: previous !== value }
      }),
    )
    return {}
  },

  patchMinHumanApprovals: async (call) => {
    const { database, serviceKey, caller, body } = call
    const { minHumanApprovals: value } = body
    const change = { orgId: caller.orgId, value, actor: actorOf(caller) }
    await orRaiseForged(database, () =>
      configure(call, async (tx) => {
        const { previous } = await setMinHumans(tx, serviceKey, change)
        emitThreshold(tx, { caller, setting: 'minHumanApprovals', previous, current: value })
        return { result: null, isChanged: previous !== value }
      }),
    )
    return {}
  },
}

/** A key that may configure could also replace the secret. */
function showsSecret(caller: Caller): boolean {
  return caller.credential === 'apiKey' && caller.limits.scopes.includes('configure')
}

function shown(secret: Secret, isWhole: boolean): string {
  return isWhole ? secret.reveal() : secret.reveal().slice(-SHOWN_LENGTH)
}

async function hasProvenCode(call: Call<'getOrganisation'>): Promise<boolean> {
  const { database, serviceKey, clock, caller, peer, totpCode: code } = call
  const { orgId, userId, role } = caller
  if (role !== 'admin' || code === null) return false
  await guardGuesses(database, serviceKey, { userId, peer }, () =>
    database.forOrg(orgId, (tx) => consumeTotp(tx, serviceKey, { orgId, userId, code, clock })),
  )
  return true
}
