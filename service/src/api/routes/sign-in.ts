import type { SIGN_IN_OPERATIONS } from '@sluice/wire'
import { iso } from '../../base/clock.ts'
import { Secret } from '../../base/secret.ts'
import { writeAudit } from '../../audit-log/write-audit.ts'
import { acceptInvitation, offerInvitation } from '../../orgs/accept-invitation.ts'
import { isRecovering } from '../../orgs/caller.ts'
import { changePassword } from '../../orgs/change-password.ts'
import { endSession, listSessions } from '../../orgs/own-sessions.ts'
import { renewRecoveryCodes } from '../../orgs/recovery-codes.ts'
import { confirmTotp, offerTotp } from '../../orgs/replace-totp.ts'
import { actorOf } from '../http/actor.ts'
import { requireCode } from '../http/configure.ts'
import type { ServerDeps } from '../http/deps.ts'
import { forCaller } from '../http/for-caller.ts'
import { countRequest } from '../http/limits.ts'
import { answerList } from '../http/paging.ts'
import type { CountMalformed, Handlers } from '../http/route.ts'
import { withOwnCode } from '../http/with-code.ts'

export const signInRoutes: Handlers<keyof typeof SIGN_IN_OPERATIONS> = {
  postInvitation: async (call) => {
    countInvitation(call, call.peer, call.setHeaders)
    const offer = await offerInvitation(call, new Secret(call.body.token))
    return {
      ...offer,
      expiresAt: iso(offer.expiresAt),
      totpSecret: offer.totpSecret.reveal(),
      otpauthUrl: offer.otpauthUrl.reveal(),
    }
  },

  postInvitationAccept: async (call) => {
    countInvitation(call, call.peer, call.setHeaders)
    const { token, password, totpCode } = call.body
    const accepted = await acceptInvitation(call, {
      token: new Secret(token),
      password: new Secret(password),
      totpCode,
    })
    return { ...accepted, recoveryCodes: accepted.recoveryCodes.map((code) => code.reveal()) }
  },

  patchPassword: async (call) => {
    requireCode(call)
    const { currentPassword, newPassword } = call.body
    await changePassword(call, {
      currentPassword: new Secret(currentPassword),
      newPassword: new Secret(newPassword),
      code: call.totpCode ?? '',
    })
    return {}
  },

  postTotp: async (call) => {
    const { caller, serviceKey } = call
    const offer = isRecovering(caller)
      ? await forCaller(call, (tx) => offerTotp(tx, serviceKey, caller))
      : await withOwnCode(call, (tx) => offerTotp(tx, serviceKey, caller))
    return { totpSecret: offer.totpSecret.reveal(), otpauthUrl: offer.otpauthUrl.reveal() }
  },

  postTotpConfirm: async (call) => {
    await confirmTotp(call, call.body.totpCode)
    return {}
  },

  postRecoveryCodes: async (call) => {
    const { caller, serviceKey, random } = call
    const { orgId, userId } = caller
    const codes = await withOwnCode(call, async (tx) => {
      const action = 'user.renew-recovery-codes'
      await writeAudit(tx, { orgId, actor: actorOf(caller), action, object: userId })
      return renewRecoveryCodes(tx, serviceKey, { orgId, userId, random })
    })
    return { recoveryCodes: codes.map((code) => code.reveal()) }
  },

  getSessions: ({ database, caller, query }) => {
    const { orgId, userId, credentialId } = caller
    return answerList(query, {
      key: 'sessions',
      read: async (after, limit) => {
        const sessions = await database.forOrg(orgId, (tx) =>
          listSessions(tx, { orgId, userId, after, limit }),
        )
        return sessions.map((session) => ({
          place: session,
          view: {
            id: session.id,
            current: session.id === credentialId,
            address: session.address,
            createdAt: iso(session.createdAt),
            expiresAt: iso(session.expiresAt),
          },
        }))
      },
    })
  },

  deleteSession: async (call) => {
    const { caller, params } = call
    await forCaller(call, (tx) => endSession(tx, caller, params.id))
    return {}
  },

  postLogout: async (call) => {
    const { caller } = call
    await forCaller(call, (tx) => endSession(tx, caller, caller.credentialId))
    return {}
  },
}

/** A malformed invitation request counts as an attempt. */
export const countMalformedInvitation: CountMalformed = async (deps, peer, setHeaders) =>
  countInvitation(deps, peer, setHeaders)

/** Counts a request without a credential by its address. Refuses with RATE_LIMIT_EXCEEDED. */
function countInvitation(
  { limits }: Pick<ServerDeps, 'limits'>,
  peer: string,
  setHeaders: (headers: Readonly<Record<string, string>>) => void,
): void {
  countRequest(limits, { kind: 'writes', who: peer }, setHeaders)
}
