import { approveWithdrawal } from '../../withdrawals/approve/approve.ts'
import { orTellTampered } from '../../withdrawals/tell-tampered.ts'
import { actorOf } from '../http/actor.ts'
import { route } from '../http/route.ts'
import { withCode } from '../http/with-code.ts'
import { viewWithdrawal } from '../views/withdrawal-views.ts'

/**
 * Decisions, section 6. Refuses with WITHDRAWAL_NOT_FOUND, WITHDRAWAL_NOT_PENDING,
 * WITHDRAWAL_ALREADY_PROCESSED, INVALID_TOTP, RATE_LIMIT_EXCEEDED, and as Tampered.
 */
export const postWithdrawalApprove = route('postWithdrawalApprove', async (asked) => {
  const { database, catalogue, caller, params, body, settings, serviceKey } = asked
  const { orgId, userId } = caller
  const given = { catalogue, orgId, userId, maxAgeMs: settings.approvalMaxAgeMs, id: params.id }
  const withdrawal = await orTellTampered({ database, actor: actorOf(caller) }, () =>
    withCode(asked, { caller, code: body.totpCode }, (tx, consume) =>
      approveWithdrawal(tx, serviceKey, given, consume),
    ),
  )
  return { withdrawal: viewWithdrawal(withdrawal) }
})
