import { setMinSigners } from '../../orgs/signers.ts'
import { tellMinSigners } from '../../webhooks/tell-setting.ts'
import { actorOf } from '../actor.ts'
import { route } from '../route.ts'

/**
 * Section 4.2: new withdrawals need so many approvals; those that were created keep theirs. Refuses
 * with INVALID_MIN_SIGNERS.
 */
export const patchMinWithdrawalSigners = route(
  'patchMinWithdrawalSigners',
  async ({ database, serviceKey, caller, body: { minWithdrawalSigners: value } }) => {
    const { orgId } = caller
    await database.forOrg(orgId, async (tx) => {
      const given = { orgId, value, actor: actorOf(caller) }
      const { previous } = await setMinSigners(tx, serviceKey, given)
      tellMinSigners(tx, { caller, previous, current: value })
    })
    return {}
  },
)
