import type { WithdrawalEvent } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import type { Withdrawal } from './withdrawal.ts'

export type WithdrawalEventType =
  | 'withdrawal.created'
  | 'withdrawal.approved'
  | 'withdrawal.processing'
  | 'withdrawal.completed'
  | 'withdrawal.failed'
  | 'withdrawal.cancelled'

/** Emits the event of a change in the commit of the change. It never contains the internal note. */
export function emitWithdrawal(
  tx: Tx,
  type: WithdrawalEventType,
  { catalogue, withdrawal }: { catalogue: Catalogue; withdrawal: Withdrawal },
): void {
  const { orgId, id: subjectId } = withdrawal
  appendEvent(tx, { orgId, type, subjectId, payload: withdrawalPayload(catalogue, withdrawal) })
}

/** The payload of every `withdrawal.*` event (section 6.3, decisions, 10). */
function withdrawalPayload(catalogue: Catalogue, withdrawal: Withdrawal): WithdrawalEvent {
  const { chainId, tokenId, completedAt } = withdrawal
  return {
    id: withdrawal.id,
    chainId,
    tokenId,
    amount: withdrawal.amount.toString(),
    toAddress: displayAddress(chainId, withdrawal.recipient),
    memo: withdrawal.memo,
    reference: withdrawal.reference,
    status: withdrawal.status,
    txnHash: withdrawal.txnHash,
    txnError: withdrawal.txnError,
    externalUserId: withdrawal.externalUserId,
    initiator: withdrawal.initiator,
    approvedBy: [...withdrawal.approvers],
    requiredApprovals: withdrawal.requiredApprovals,
    createdAt: iso(withdrawal.createdAt),
    updatedAt: iso(withdrawal.updatedAt),
    completedAt: completedAt === null ? null : iso(completedAt),
    Token: catalogue.summary(tokenId),
  }
}
