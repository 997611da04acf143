import { Refusal } from '../base/fault.ts'
import type { Millis } from '../base/clock.ts'
import { isId } from '../base/id.ts'
import { selectKeyName } from '../orgs/key-rows.ts'
import { selectUsersById } from '../orgs/user-rows.ts'
import type { Tx } from '../store/database.ts'
import { refuseUnknown } from './approve/approve.ts'
import { type GivenApproval, selectEveryApproval, selectNotes } from './decision-rows.ts'
import { type PageAsked, selectPage } from './list-rows.ts'
import { CHANGED, isAuthentic, type MacKey } from './mac.ts'
import { selectById, selectWithdrawal } from './rows.ts'
import { Tampered } from './tampered.ts'
import type { Withdrawal } from './withdrawal.ts'

/**
 * One page of an organization's withdrawals, newest first, after a keyset; fewer than `limit` only
 * at the end. Rows are not authenticated: an approver reads a withdrawal with `readAuthentic`.
 */
export function listWithdrawals(tx: Tx, asked: PageAsked): Promise<Withdrawal[]> {
  return selectPage(tx, asked)
}

/**
 * One withdrawal as it was requested. An approver must not see a row that was changed and is
 * changed back before the approval. Refuses with WITHDRAWAL_NOT_FOUND, also for another
 * organization's, and as Tampered.
 */
export async function readAuthentic(
  tx: Tx,
  serviceKey: MacKey,
  named: { orgId: string; id: string },
): Promise<Withdrawal> {
  const withdrawal = await readWithdrawal(tx, named)
  if (isAuthentic(serviceKey, withdrawal)) return withdrawal
  throw new Tampered(withdrawal, CHANGED)
}

/** The decisions of people about a withdrawal. */
export interface Decisions {
  /** The name of the person or API key that created it. */
  initiatorName: string
  /** The earliest first, void ones included. */
  approvals: readonly (GivenApproval & { name: string })[]
  /** Null unless a user cancelled or rejected it. */
  cancelled: Cancelled | null
}

interface Cancelled {
  userId: string
  name: string
  at: Millis
  /** The reason of a rejection, or empty; null if it was cancelled. */
  rejectReason: string | null
}

const CANCELLED_BY = /^CANCELLED BY (.+)$/

/**
 * The initiator of a withdrawal, its approvals and its cancellation. Not authenticated: for people
 * to read.
 */
export async function readDecisions(tx: Tx, withdrawal: Withdrawal): Promise<Decisions> {
  const { orgId, initiator, status, txnError, updatedAt: at } = withdrawal
  const [approvals, { rejectReason, apiKeyId }] = await Promise.all([
    selectEveryApproval(tx, withdrawal),
    selectNotes(tx, withdrawal),
  ])
  const by = status === 'Cancelled' ? CANCELLED_BY.exec(txnError ?? '')?.[1] : undefined
  const userId = by !== undefined && isId(by) ? by : null
  const ids = [
    initiator,
    ...approvals.map((approval) => approval.userId),
    ...(userId === null ? [] : [userId]),
  ]
  const [users, keyName] = await Promise.all([
    selectUsersById(tx, { orgId, ids }),
    apiKeyId === null ? null : selectKeyName(tx, { orgId, id: apiKeyId }),
  ])
  const nameOf = (id: string) => users.find((user) => user.id === id)?.username ?? ''
  return {
    initiatorName: keyName ?? nameOf(initiator),
    approvals: approvals.map((approval) => ({ ...approval, name: nameOf(approval.userId) })),
    // Its status is its last, so it was changed last when it was cancelled.
    cancelled: userId === null ? null : { userId, name: nameOf(userId), at, rejectReason },
  }
}

/**
 * One withdrawal as it is stored. Refuses with WITHDRAWAL_NOT_FOUND, also for another
 * organization's.
 */
export async function readWithdrawal(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Withdrawal> {
  const found = isId(id) ? await selectWithdrawal(tx, { orgId, id }) : null
  return found ?? refuseUnknown()
}

/**
 * One withdrawal of any organization as it is stored, for an operator. Refuses with
 * WITHDRAWAL_NOT_FOUND.
 */
export async function findWithdrawal(tx: Tx, id: string): Promise<Withdrawal> {
  const found = isId(id) ? await selectById(tx, id) : null
  if (found !== null) return found
  const says = 'No withdrawal has this id: sluice withdrawal list --org <id>'
  throw new Refusal('WITHDRAWAL_NOT_FOUND', { withdrawalId: id }, says)
}
