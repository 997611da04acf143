import type { ServiceKey } from '../keys/service-key.ts'
import type { Approval, Requested, Withdrawal } from './withdrawal.ts'

/** The part of the service key that authenticates rows. */
export type MacKey = Pick<ServiceKey, 'mac' | 'verify'>

type Fields = Parameters<ServiceKey['mac']>[1]

/** The cause of an alert about a withdrawal that is not authentic. */
export const CHANGED = 'its fields are not those that were requested'

/**
 * The MAC over all fields that decide what is paid, to whom and with which approvals (engineering,
 * 7).
 */
export function macOfWithdrawal(serviceKey: MacKey, requested: Requested): Uint8Array {
  return serviceKey.mac('withdrawal', fieldsOf(requested))
}

/** Whether a withdrawal is still the one that was requested. */
export function isAuthentic(serviceKey: Pick<MacKey, 'verify'>, withdrawal: Withdrawal): boolean {
  return serviceKey.verify('withdrawal', fieldsOf(withdrawal), withdrawal.mac)
}

/**
 * The MAC over an approval. It covers the withdrawal's MAC and so all of its fields: the approval
 * is invalid for another withdrawal, or for this one with another recipient (A13).
 */
export function macOfApproval(
  serviceKey: MacKey,
  approval: Omit<Approval, 'mac'>,
  withdrawal: Pick<Withdrawal, 'mac'>,
): Uint8Array {
  return serviceKey.mac('approval', approvalFields(approval, withdrawal))
}

/** Whether an approval belongs to this withdrawal, user and time. */
export function isAuthenticApproval(
  serviceKey: MacKey,
  approval: Approval,
  withdrawal: Pick<Withdrawal, 'mac'>,
): boolean {
  return serviceKey.verify('approval', approvalFields(approval, withdrawal), approval.mac)
}

function fieldsOf(requested: Requested): Fields {
  const { amount, createdAt, ...rest } = requested
  return [
    rest.orgId,
    rest.id,
    rest.chainId,
    rest.tokenId,
    amount.toString(),
    rest.recipient,
    rest.memo,
    rest.reference,
    rest.internalNote,
    rest.externalUserId,
    rest.requiredApprovals,
    rest.requiredHumans,
    rest.initiator,
    createdAt,
  ]
}

function approvalFields(approval: Omit<Approval, 'mac'>, { mac }: Pick<Withdrawal, 'mac'>): Fields {
  return [
    Buffer.from(mac).toString('hex'),
    approval.orgId,
    approval.id,
    approval.withdrawalId,
    approval.userId,
    approval.totpStep,
    approval.passkeyId,
    approval.createdAt,
  ]
}
