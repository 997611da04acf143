import { readGenuine } from '../../withdrawals/list.ts'
import { orTellOnce } from '../../withdrawals/tell-tampered.ts'
import { actorOf } from '../http/actor.ts'
import { route } from '../http/route.ts'
import { viewSingleWithdrawal } from '../views/withdrawal-views.ts'

/** Section 4.3: one withdrawal, not wrapped. Refuses with WITHDRAWAL_NOT_FOUND, and as Tampered. */
export const getWithdrawal = route(
  'getWithdrawal',
  async ({ database, serviceKey, catalogue, caller, params: { id } }) => {
    const { orgId } = caller
    const withdrawal = await orTellOnce({ database, actor: actorOf(caller) }, () =>
      database.forOrg(orgId, (tx) => readGenuine(tx, serviceKey, { orgId, id })),
    )
    return viewSingleWithdrawal(withdrawal, { catalogue })
  },
)
