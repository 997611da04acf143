import { readWithdrawal } from '../../withdrawals/list.ts'
import { route } from '../route.ts'
import { viewSingleWithdrawal } from '../withdrawal-views.ts'

/** Section 4.3: one withdrawal, not wrapped. Refuses with WITHDRAWAL_NOT_FOUND. */
export const getWithdrawal = route(
  'getWithdrawal',
  async ({ database, catalogue, caller: { orgId }, params: { id } }) => {
    const withdrawal = await database.forOrg(orgId, (tx) => readWithdrawal(tx, { orgId, id }))
    return viewSingleWithdrawal(withdrawal, { catalogue })
  },
)
