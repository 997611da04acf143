import { rejectWithdrawal } from '../../withdrawals/reject.ts'
import { actorOf } from '../actor.ts'
import { route } from '../route.ts'
import { withCode } from '../with-code.ts'
import { viewWithdrawal } from '../withdrawal-views.ts'

/**
 * Decisions, section 6. Refuses with BAD_REQUEST (reason), WITHDRAWAL_NOT_FOUND,
 * WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED, INVALID_TOTP and RATE_LIMIT_EXCEEDED.
 */
export const postWithdrawalReject = route('postWithdrawalReject', async (asked) => {
  const { catalogue, caller, params, body, serviceKey } = asked
  const { orgId, userId } = caller
  const reason = body.reason ?? ''
  const given = { catalogue, orgId, userId, id: params.id, reason, actor: actorOf(caller) }
  const withdrawal = await withCode(asked, { caller, code: body.totpCode }, (tx, consume) =>
    rejectWithdrawal(tx, serviceKey, given, consume),
  )
  return { withdrawal: viewWithdrawal(withdrawal) }
})
