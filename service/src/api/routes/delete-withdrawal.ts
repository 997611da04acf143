import { cancelWithdrawal } from '../../withdrawals/approve/cancel.ts'
import { orTellTampered } from '../../withdrawals/tell-tampered.ts'
import { actorOf } from '../http/actor.ts'
import { forCaller } from '../http/for-caller.ts'
import { route } from '../http/route.ts'
import { viewCancelled } from '../views/withdrawal-views.ts'

/** Section 4.3. Refuses with WITHDRAWAL_NOT_FOUND, WITHDRAWAL_NOT_PENDING, and as Tampered. */
export const deleteWithdrawal = route('deleteWithdrawal', async (asked) => {
  const { database, serviceKey, catalogue, caller, params } = asked
  const { orgId, userId } = caller
  const { id } = params
  const withdrawal = await orTellTampered({ database, actor: actorOf(caller) }, () =>
    forCaller(asked, (tx) => cancelWithdrawal(tx, serviceKey, { catalogue, orgId, userId, id })),
  )
  return { withdrawal: viewCancelled(withdrawal) }
})
