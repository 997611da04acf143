import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { Tx } from '../store/database.ts'
import { refuseUnknown } from './approve/approve.ts'
import {
  type Cancelled,
  type NamedApproval,
  selectCancelled,
  selectNamedApprovals,
} from './decision-rows.ts'
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
  /** The earliest first, void ones included. */
  approvals: readonly NamedApproval[]
  cancelled: Cancelled | null
}

/** The approvals of a withdrawal and its cancellation. Not authenticated: for people to read. */
export async function readDecisions(
  tx: Tx,
  named: { orgId: string; id: string },
): Promise<Decisions> {
  const [approvals, cancelled] = await Promise.all([
    selectNamedApprovals(tx, named),
    selectCancelled(tx, named),
  ])
  return { approvals, cancelled }
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
