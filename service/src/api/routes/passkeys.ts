import type { Passkey as PasskeyView, PASSKEY_OPERATIONS } from '@sluice/wire'
import { iso } from '../../base/clock.ts'
import { addPasskey, offerPasskey } from '../../orgs/add-passkey.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../../orgs/own-passkeys.ts'
import { type Passkey, requireSite } from '../../orgs/passkey.ts'
import { offerApproval } from '../../withdrawals/approve/by-passkey.ts'
import { withFirstTamperAlert } from '../../withdrawals/tampered.ts'
import { actorOf } from '../http/actor.ts'
import { forCaller } from '../http/for-caller.ts'
import { withOwnCode } from '../http/with-code.ts'
import type { Handlers } from '../http/route.ts'

export const passkeyRoutes: Handlers<keyof typeof PASSKEY_OPERATIONS> = {
  getPasskeys: async ({ database, settings, caller }) => {
    const passkeys = await database.forOrg(caller.orgId, (tx) => listPasskeys(tx, caller))
    return { passkeys: passkeys.map(viewPasskey), origin: settings.passkeySite?.origin ?? null }
  },

  postPasskeyOptions: (call) => {
    const { serviceKey, settings, caller } = call
    const site = requireSite(settings.passkeySite)
    return withOwnCode(call, (tx) => offerPasskey(tx, serviceKey, { caller, site }))
  },

  postPasskeys: async (call) => {
    const { serviceKey, settings, caller, body, setStatus } = call
    const site = requireSite(settings.passkeySite)
    const { name, credential } = body
    const passkey = await forCaller(call, (tx) =>
      addPasskey(tx, serviceKey, { caller, site, name, credential }),
    )
    setStatus(201)
    return { passkey: viewPasskey(passkey) }
  },

  patchPasskey: async (call) => {
    const { caller, params, body } = call
    const change = { id: params.id, name: body.name }
    const passkey = await withOwnCode(call, (tx) => renamePasskey(tx, caller, change))
    return { passkey: viewPasskey(passkey) }
  },

  deletePasskey: async (call) => {
    const { caller, params } = call
    await withOwnCode(call, (tx) => removePasskey(tx, caller, params.id))
    return {}
  },

  getWithdrawalPasskeyOptions: (call) => {
    const { database, serviceKey, settings, caller, params } = call
    const { orgId, userId } = caller
    const approver = { orgId, userId, site: requireSite(settings.passkeySite) }
    return withFirstTamperAlert({ database, actor: actorOf(caller) }, () =>
      database.forOrg(orgId, (tx) => offerApproval(tx, serviceKey, { ...approver, id: params.id })),
    )
  },
}

function viewPasskey({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return {
    id,
    name,
    createdAt: iso(createdAt),
    lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
  }
}
