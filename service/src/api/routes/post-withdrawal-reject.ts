import { rejectWithdrawal } from '../../withdrawals/approve/reject.ts'
import { orTellTampered } from '../../withdrawals/tell-tampered.ts'
import { actorOf } from '../http/actor.ts'
import { route } from '../http/route.ts'
import { withCode } from '../http/with-code.ts'
import { viewWithdrawal } from '../views/withdrawal-views.ts'

/**
 * Decisions, section 6. Refuses with BAD_REQUEST (reason), WITHDRAWAL_NOT_FOUND,
 * WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED, INVALID_TOTP, RATE_LIMIT_EXCEEDED, and as
 * Tampered.
 */
export const postWithdrawalReject = route('postWithdrawalReject', async (asked) => {
  const { database, catalogue, caller, params, body, serviceKey } = asked
  const { orgId, userId } = caller
  const reason = body.reason ?? ''
  const actor = actorOf(caller)
  const given = { catalogue, orgId, userId, id: params.id, reason, actor }
  const withdrawal = await orTellTampered({ database, actor }, () =>
    withCode(asked, { caller, code: body.totpCode }, (tx, consume) =>
      rejectWithdrawal(tx, serviceKey, given, consume),
    ),
  )
  return { withdrawal: viewWithdrawal(withdrawal) }
})
