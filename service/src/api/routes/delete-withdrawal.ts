import { cancelWithdrawal } from '../../withdrawals/cancel.ts'
import { orTellTampered } from '../../withdrawals/tell-tampered.ts'
import { actorOf } from '../actor.ts'
import { forCaller } from '../for-caller.ts'
import { route } from '../route.ts'
import { viewCancelled } from '../withdrawal-views.ts'

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
