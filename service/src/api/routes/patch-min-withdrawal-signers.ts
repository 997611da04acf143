import { setMinSigners } from '../../orgs/signers.ts'
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
    await database.forOrg(orgId, (tx) =>
      setMinSigners(tx, serviceKey, { orgId, value, actor: actorOf(caller) }),
    )
    return {}
  },
)
