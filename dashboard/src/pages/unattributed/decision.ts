import type { UnattributedPayment } from '@sluice/client'

/**
 * The effect of naming an end user: `confirm` a proposal of another person, `propose`, or nothing
 * because the proposal is the caller's `own`.
 */
export function decisionOf(
  payment: Pick<UnattributedPayment, 'status' | 'externalUserId' | 'proposedBy'>,
  { userId, callerId }: { userId: string; callerId: string },
): 'confirm' | 'propose' | 'own' {
  if (payment.status !== 'Proposed' || payment.externalUserId !== userId) return 'propose'
  return payment.proposedBy === callerId ? 'own' : 'confirm'
}
