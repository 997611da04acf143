import type { Millis } from '../../base/clock.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import { isSigner, readUsers } from '../../orgs/signers.ts'
import { PERMISSIONS, type Role, type User } from '../../orgs/user.ts'
import type { Tx } from '../../store/database.ts'
import { selectApprovals } from '../approval-rows.ts'
import { CHANGED, isGenuine, isGenuineApproval } from '../mac.ts'
import type { Approval, Withdrawal } from '../withdrawal.ts'

/** An approval that no longer counts, and why. */
export interface Voided {
  id: string
  userId: string
  cause: string
}

/** What the approvals of a withdrawal come to. */
export interface Count {
  /** What was changed behind the service's back; null for nothing. Then nothing below counts. */
  tampered: string | null
  /** Whether those that count are enough, and enough of them people's. */
  isEnough: boolean
  /** Whether it would be enough if the void ones counted still: so it was, when it was released. */
  wasEnough: boolean
  /** Users whose approval counts, the earliest first. */
  counted: readonly string[]
  voided: readonly Voided[]
}

/**
 * Counts who stands behind a withdrawal, from nothing but what the service key vouches for
 * (engineering, 6 and 7; A11, A13, A17). The initiator counts while active and allowed to create,
 * however long ago that was: the request itself says what it wants. Others count while they are
 * active signers, for `maxAgeMs` from their approval on.
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
  if (!isGenuine(serviceKey, withdrawal)) return CHANGED
  for (const approval of approvals) {
    if (!isGenuineApproval(serviceKey, approval, withdrawal))
      return `the approval of ${approval.userId} was never given to it`
    if (users.get(approval.userId)?.genuine !== true)
      return `the role or status of ${approval.userId} was changed in the database`
  }
  const voices = new Set(approvals.map(({ userId }) => userId))
  return voices.size === approvals.length ? null : 'one user approved twice'
}

function causeToVoid(given: {
  withdrawal: Withdrawal
  approval: Approval
  user: User | undefined
  staleBefore: Millis
}): string | null {
  const { withdrawal, approval, user, staleBefore } = given
  if (user === undefined || user.status !== 'active') return 'the user is not active'
  if (approval.userId === withdrawal.initiator && approval.totpStep === 0)
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
