import type { Profile, SingleWithdrawal, Withdrawal } from '@sluice/client'

/** Whether a person may approve a withdrawal; the reason if not. */
export type Standing = 'mayApprove' | 'initiator' | 'approved' | 'notAllowed' | 'over'

/** Whether a person may approve a withdrawal, or the reason against it. */
export function standingOf(
  { status, initiator, approvers }: Pick<Withdrawal, 'status' | 'initiator' | 'approvers'>,
  person: Pick<Profile, 'id' | 'permissions'> | undefined,
): Standing {
  if (status !== 'PendingApproval') return 'over'
  if (person === undefined || !person.permissions.includes('approveWithdrawals'))
    return 'notAllowed'
  if (person.id === initiator) return 'initiator'
  return approvers.includes(person.id) ? 'approved' : 'mayApprove'
}

/** How many approvals a withdrawal has, and how many it needs. */
export interface Progress {
  given: number
  needed: number
}

/**
 * The approvals so far. `names` are all people: an approver without a name is an API key, which
 * does not count as one of the people who must approve.
 */
export function progressOf(
  withdrawal: Pick<Withdrawal, 'approvers' | 'requiredApprovals' | 'requiredHumans'>,
  names: ReadonlyMap<string, string> | undefined,
): Progress {
  const { approvers, requiredApprovals, requiredHumans } = withdrawal
  const given = approvers.length
  const people = names === undefined ? given : approvers.filter((id) => names.has(id)).length
  const missing = Math.max(requiredApprovals - given, requiredHumans - people, 0)
  return { given, needed: given + missing }
}

/** The decision that a withdrawal no longer waits for. */
export interface Decision {
  kind: 'approved' | 'rejected' | 'cancelled'
  userId: string
  name: string
  at: string
}

/** The last decision on a withdrawal; null while it waits for one. */
export function lastDecision(
  withdrawal: Pick<SingleWithdrawal, 'status' | 'approvals' | 'cancellation'>,
): Decision | null {
  const { status, approvals, cancellation } = withdrawal
  if (status === 'PendingApproval') return null
  if (cancellation !== null) {
    const { kind, userId, name, at } = cancellation
    return { kind, userId, name, at }
  }
  const counting = approvals.filter(({ voidedAt }) => voidedAt === null)
  const last = counting.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0]
  if (last === undefined) return null
  return { kind: 'approved', userId: last.userId, name: last.name, at: last.createdAt }
}

/** The sum of several withdrawals of one token. */
export interface Sum {
  tokenId: string
  chainId: string
  amount: string
  count: number
}

/** The sums of withdrawals, by token. */
export function sumsOf(
  withdrawals: readonly Pick<Withdrawal, 'tokenId' | 'chainId' | 'amount'>[],
): Sum[] {
  const sums = new Map<string, Sum>()
  for (const { tokenId, chainId, amount } of withdrawals) {
    const { amount: before, count } = sums.get(tokenId) ?? { amount: '0', count: 0 }
    const sum = (BigInt(before) + BigInt(amount)).toString()
    sums.set(tokenId, { tokenId, chainId, amount: sum, count: count + 1 })
  }
  return [...sums.values()]
}

/** The ids in the address of a batch, each once. */
export function idsIn(search: string): string[] {
  const ids = new URLSearchParams(search).get('ids') ?? ''
  return [...new Set(ids.split(',').filter((id) => id !== ''))]
}
