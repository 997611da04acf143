/** The reasons of a refused change that would leave too few people who may approve. */
export interface SignersRefusal {
  /** How many could still approve. */
  left: number
  /** How many approvals new withdrawals need. */
  needed: number
  /** Pending withdrawals that could no longer be approved. */
  withdrawals: readonly { id: string; approvals: number }[]
}

/** Reads `details` of INVALID_MIN_SIGNERS of a change of a person. */
export function signersRefusalOf(details: Readonly<Record<string, unknown>>): SignersRefusal {
  const { signersLeft, minWithdrawalSigners, minHumanApprovals, withdrawals } = details
  return {
    left: countOf(signersLeft),
    needed: Math.max(countOf(minWithdrawalSigners), countOf(minHumanApprovals)),
    withdrawals: Array.isArray(withdrawals) ? withdrawals.flatMap(parseWithdrawal) : [],
  }
}

function parseWithdrawal(value: unknown): { id: string; approvals: number }[] {
  if (typeof value !== 'object' || value === null) return []
  const { withdrawalId, requiredApprovals } = value as Record<string, unknown>
  return typeof withdrawalId === 'string'
    ? [{ id: withdrawalId, approvals: countOf(requiredApprovals) }]
    : []
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
