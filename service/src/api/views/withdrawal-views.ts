import type {
  CancelledWithdrawal,
  SingleWithdrawal,
  SpeedUp,
  Withdrawal as WithdrawalView,
} from '@sluice/wire'
import { iso } from '../../base/clock.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { displayAddress } from '../../chains/format-address.ts'
import type { User } from '../../orgs/user.ts'
import type { SpeedUpOutlook } from '../../transactions/speed-up.ts'
import type { Decisions } from '../../withdrawals/list.ts'
import type { Payments } from '../../withdrawals/speed-up.ts'
import { shownWait, type Withdrawal } from '../../withdrawals/withdrawal.ts'
import { viewTransactions } from './withdrawal-transactions.ts'

/** The records that the single read shows with a withdrawal. */
export interface WithdrawalRecords {
  decisions: Decisions
  eligible: readonly User[]
  payments: Payments
}

/** Section 2.2 and decisions, 6 and 7. */
export function viewWithdrawal(withdrawal: Withdrawal): WithdrawalView {
  const { chainId, recipient, fee } = withdrawal
  return {
    id: withdrawal.id,
    orgId: withdrawal.orgId,
    chainId,
    tokenId: withdrawal.tokenId,
    amount: withdrawal.amount.toString(),
    recipient: displayAddress(chainId, recipient),
    memo: withdrawal.memo,
    reference: withdrawal.reference,
    internalNote: withdrawal.internalNote,
    status: withdrawal.status,
    txnHash: withdrawal.txnHash,
    txnError: withdrawal.txnError,
    failureCode: withdrawal.failureCode,
    initiator: withdrawal.initiator,
    approvers: [...withdrawal.approvers],
    requiredApprovals: withdrawal.requiredApprovals,
    requiredHumans: withdrawal.requiredHumans,
    externalUserId: withdrawal.externalUserId,
    fee: fee === null ? null : fee.toString(),
    waitingFor: shownWait(withdrawal.waitingFor),
    waitingSince: withdrawal.waitingSince === null ? null : iso(withdrawal.waitingSince),
    createdAt: iso(withdrawal.createdAt),
    updatedAt: iso(withdrawal.updatedAt),
  }
}

/** The single read (section 2.2): "" for no end user, which keeps the field's type. */
export function viewSingleWithdrawal(
  withdrawal: Withdrawal,
  { catalogue, decisions, eligible, payments }: WithdrawalRecords & { catalogue: Catalogue },
): SingleWithdrawal {
  return {
    ...viewWithdrawal(withdrawal),
    externalUserId: withdrawal.externalUserId ?? '',
    Token: catalogue.summary(withdrawal.tokenId),
    initiatorName: decisions.initiatorName,
    eligibleApprovers: eligible.map(({ id: userId, username: name }) => ({ userId, name })),
    transactions: viewTransactions(payments.spends),
    approvals: decisions.approvals.map(viewApproval),
    cancellation: viewCancellation(decisions.cancelled),
    speedUp: viewSpeedUp(payments.outlook),
  }
}

/** Whether the transaction can be replaced by one with a higher fee, and when that was asked. */
export function viewSpeedUp({ reason, requestedAt }: SpeedUpOutlook): SpeedUp {
  return {
    possible: reason === null,
    reason,
    requestedAt: requestedAt === null ? null : iso(requestedAt),
  }
}

function viewApproval(
  approval: Decisions['approvals'][number],
): SingleWithdrawal['approvals'][number] {
  const { userId, name, createdAt, method, voidedAt, voidCause } = approval
  const isVoid = voidedAt !== null
  return {
    userId,
    name,
    createdAt: iso(createdAt),
    method,
    voidedAt: isVoid ? iso(voidedAt) : null,
    voidCause: isVoid ? voidCause : null,
  }
}

function viewCancellation(cancelled: Decisions['cancelled']): SingleWithdrawal['cancellation'] {
  if (cancelled === null) return null
  const { userId, name, at, rejectReason: reason } = cancelled
  return { kind: reason === null ? 'cancelled' : 'rejected', userId, name, at: iso(at), reason }
}

/** The response to a cancellation (section 4.3). */
export function viewCancelled(withdrawal: Withdrawal): CancelledWithdrawal {
  const { id, status, txnError, updatedAt } = viewWithdrawal(withdrawal)
  return { id, status, txnError, updatedAt }
}
