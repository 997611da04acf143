import type { Millis } from '../../base/clock.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import { isSigner, readUsers } from '../../orgs/signers.ts'
import { PERMISSIONS, type Role, type User } from '../../orgs/user.ts'
import type { Tx } from '../../store/database.ts'
import { selectApprovals } from '../approval-rows.ts'
import { CHANGED, isAuthentic, isAuthenticApproval } from '../mac.ts'
import { type Approval, isRequest, type Withdrawal } from '../withdrawal.ts'

/** An approval that no longer counts, and why. */
export interface Voided {
  id: string
  userId: string
  cause: string
}

/** The count of a withdrawal's approvals. */
export interface Count {
  /** Evidence of tampering, which makes the fields below meaningless; null for none. */
  tampered: string | null
  /** Whether enough approvals count, and enough of them by people. */
  isEnough: boolean
  /** Whether they would be enough if the void ones still counted, as when it was released. */
  wasEnough: boolean
  /** Users whose approval counts, the earliest first. */
  counted: readonly string[]
  voided: readonly Voided[]
}

/**
 * Counts the approvals of a withdrawal, from rows that the service key authenticates (engineering,
 * 6 and 7; A11, A13, A17). The initiator counts while active and allowed to create, without an age
 * limit. Others count while they are active signers, for `maxAgeMs` after their approval.
 */
export async function countApprovals(
  tx: Tx,
  serviceKey: ServiceKey,
  { withdrawal, maxAgeMs }: { withdrawal: Withdrawal; maxAgeMs: Millis },
): Promise<Count> {
  const { orgId } = withdrawal
  const approvals = await selectApprovals(tx, withdrawal)
  const ids = [...new Set(approvals.map(({ userId }) => userId))]
  const users = await readUsers(tx, serviceKey, { orgId, ids })
  const tampered = findTampering(serviceKey, { withdrawal, approvals, users })
  const judged = approvals.map((approval) => {
    const user = users.get(approval.userId)
    const cause = causeToVoid({
      withdrawal,
      approval,
      user,
      staleBefore: tx.clock.now() - maxAgeMs,
    })
    return { approval, user, cause }
  })
  const standing = judged.filter(({ cause }) => cause === null)
  return {
    tampered,
    isEnough: tampered === null && suffices(withdrawal, standing),
    wasEnough: tampered === null && suffices(withdrawal, judged),
    counted: standing.map(({ approval }) => approval.userId),
    voided: judged.flatMap(({ approval: { id, userId }, cause }) =>
      cause === null ? [] : [{ id, userId, cause }],
    ),
  }
}

interface Evidence {
  withdrawal: Withdrawal
  approvals: readonly Approval[]
  users: ReadonlyMap<string, User>
}

function findTampering(
  serviceKey: ServiceKey,
  { withdrawal, approvals, users }: Evidence,
): string | null {
  if (!isAuthentic(serviceKey, withdrawal)) return CHANGED
  for (const approval of approvals) {
    if (!isAuthenticApproval(serviceKey, approval, withdrawal))
      return `the approval of ${approval.userId} was not made for it`
    if (users.get(approval.userId)?.authentic !== true)
      return `the role or status of ${approval.userId} was changed in the database`
  }
  const voices = new Set(approvals.map(({ userId }) => userId))
  return voices.size === approvals.length ? null : 'one user approved twice'
}

function causeToVoid({
  withdrawal,
  approval,
  user,
  staleBefore,
}: {
  withdrawal: Withdrawal
  approval: Approval
  user: User | undefined
  staleBefore: Millis
}): string | null {
  if (user === undefined || user.status !== 'active') return 'the user is not active'
  if (approval.userId === withdrawal.initiator && isRequest(approval))
    return mayCreate(user) ? null : 'the user may no longer create withdrawals'
  if (!isSigner(user)) return 'the user may no longer approve withdrawals'
  return approval.createdAt < staleBefore ? 'the approval is too old' : null
}

function mayCreate({ role }: User): boolean {
  const roles: readonly Role[] = PERMISSIONS.createWithdrawals
  return roles.includes(role)
}

function suffices(
  { requiredApprovals, requiredHumans }: Withdrawal,
  judged: readonly { user: User | undefined }[],
): boolean {
  const humans = judged.filter(({ user }) => user !== undefined && user.role !== 'api')
  return judged.length >= requiredApprovals && humans.length >= requiredHumans
}
