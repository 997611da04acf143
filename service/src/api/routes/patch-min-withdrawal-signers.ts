import { setMinSigners } from '../../orgs/signers.ts'
import { orTellForged } from '../../orgs/thresholds.ts'
import { tellMinSigners } from '../../webhooks/tell-setting.ts'
import { actorOf } from '../http/actor.ts'
import { configure } from '../http/configure.ts'
import { route } from '../http/route.ts'

/**
 * Section 4.2: new withdrawals need so many approvals; those that were created keep theirs. Refuses
 * with INVALID_TOTP, INVALID_MIN_SIGNERS, and with INTERNAL_ERROR if the number was changed in the
 * database.
 */
export const patchMinWithdrawalSigners = route('patchMinWithdrawalSigners', async (asked) => {
  const { database, serviceKey, caller, body } = asked
  const { minWithdrawalSigners: value } = body
  const given = { orgId: caller.orgId, value, actor: actorOf(caller) }
  await orTellForged(database, () =>
    configure(asked, async (tx) => {
      const { previous } = await setMinSigners(tx, serviceKey, given)
      tellMinSigners(tx, { caller, previous, current: value })
      return { result: null, isChanged: previous !== value }
    }),
  )
  return {}
})
