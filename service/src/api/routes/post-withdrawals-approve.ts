import { approveWithdrawals } from '../../withdrawals/approve/approve.ts'
import { orTellTampered, tellTampered } from '../../withdrawals/tell-tampered.ts'
import { actorOf } from '../http/actor.ts'
import { route } from '../http/route.ts'
import { withCode } from '../http/with-code.ts'
import { viewWithdrawal } from '../views/withdrawal-views.ts'

/**
 * Engineering, 27: several approvals with one code; those that cannot be are told in `refused`.
 * Refuses with BAD_REQUEST, INVALID_TOTP and RATE_LIMIT_EXCEEDED.
 */
export const postWithdrawalsApprove = route('postWithdrawalsApprove', async (asked) => {
  const { database, catalogue, caller, body, settings, serviceKey } = asked
  const { orgId, userId } = caller
  const given = { catalogue, orgId, userId, maxAgeMs: settings.approvalMaxAgeMs, ids: body.ids }
  const actor = actorOf(caller)
  const { withdrawals, refused, tampered } = await orTellTampered({ database, actor }, () =>
    withCode(asked, { caller, code: body.totpCode }, (tx, consume) =>
      approveWithdrawals(tx, serviceKey, given, consume),
    ),
  )
  await tellTampered({ database, actor }, tampered)
  return { withdrawals: withdrawals.map(viewWithdrawal), refused }
})
