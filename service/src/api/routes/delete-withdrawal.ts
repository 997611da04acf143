import { cancelWithdrawal } from '../../withdrawals/cancel.ts'
import { route } from '../route.ts'
import { viewCancelled } from '../withdrawal-views.ts'

/** Section 4.3. Refuses with WITHDRAWAL_NOT_FOUND and WITHDRAWAL_NOT_PENDING. */
export const deleteWithdrawal = route(
  'deleteWithdrawal',
  async ({ database, serviceKey, catalogue, caller: { orgId, userId }, params: { id } }) => {
    const withdrawal = await database.forOrg(orgId, (tx) =>
      cancelWithdrawal(tx, serviceKey, { catalogue, orgId, userId, id }),
    )
    return { withdrawal: viewCancelled(withdrawal) }
  },
)
