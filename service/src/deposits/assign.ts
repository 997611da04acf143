import { findAccount } from '../accounts/find.ts'
import type { RowVerifier } from '../accounts/row-mac.ts'
import { assert } from '../base/assert.ts'
import { Refusal } from '../base/fault.ts'
import { depositPlace } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { resolveAlert } from '../alerts/raise-alert.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { post } from '../ledger/post.ts'
import type { StillSigns } from '../orgs/still-signs.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { emitDetected } from './emit.ts'
import { attributedPosting } from './postings.ts'
import { insertNew } from './rows.ts'
import type { Unattributed } from './unattributed.ts'
import { lockUnattributed, moveUnattributed, selectUnattributed } from './unattributed-rows.ts'

/** One decision about an unattributed transfer. */
export interface Assignment {
  catalogue: Catalogue
  serviceKey: RowVerifier
  stillSigns: StillSigns
  /** Id of the unattributed transfer. */
  id: string
  externalUserId: string
  /** A user of the organization whose one-time code was used up. */
  userId: string
  reason: string
}

/** Unattributed transfers, oldest first; of one organization, or of all (null). */
export function listUnattributed(
  tx: Tx,
  query: { orgId: string | null; limit: number },
): Promise<Unattributed[]> {
  return selectUnattributed(tx, query)
}

/** Organization of an unattributed transfer. Refuses with NOT_FOUND. */
export async function ownerOfUnattributed(tx: Tx, id: string): Promise<string> {
  return (await lockOpen(tx, id)).orgId
}

/**
 * Assigns an unattributed transfer to an end user. The first user proposes, a second one who names
 * the same end user makes it a deposit, which is then credited like any other. Another name starts
 * a new proposal, as does the first name if its proposer is no signer any more. Audit-logged.
 * Refuses with NOT_FOUND, and with BAD_REQUEST if the end user has no account there or the same
 * user confirms. Throws TamperedAccount if the row of the account was tampered with.
 */
export async function assignUnattributed(tx: Tx, assignment: Assignment): Promise<Unattributed> {
  const before = await lockOpen(tx, assignment.id)
  const { orgId, chainId, state } = before
  const { serviceKey, stillSigns, externalUserId, userId } = assignment
  const account = await findAccount(tx, serviceKey, { orgId, chainId, externalUserId })
  if (account === null) {
    const says = `The end user ${externalUserId} has no account on ${chainId}.`
    throw new Refusal('BAD_REQUEST', { externalUserId, chainId }, says)
  }
  const isSaid = state === 'Proposed' && before.externalUserId === externalUserId
  if (isSaid && before.proposedBy === userId) {
    throw new Refusal('BAD_REQUEST', { userId }, 'A second user must confirm the assignment.')
  }
  const isSecond = isSaid && (await stillSigns(tx, { orgId, userId: before.proposedBy }))
  const now = isSecond
    ? await assigned(tx, assignment, { before, accountId: account.id })
    : { ...before, state: 'Proposed' as const, externalUserId, proposedBy: userId }
  const moved = await moveUnattributed(tx, before, now)
  assert(moved, 'a locked unattributed transfer did not move', { id: before.id })
  await writeAudit(tx, {
    orgId,
    actor: `user:${userId}`,
    action: isSecond ? 'deposit.assign' : 'deposit.propose-assignment',
    object: before.id,
    details: { externalUserId, reason: assignment.reason, amount: before.amount.toString() },
  })
  return now
}

async function lockOpen(tx: Tx, id: string): Promise<Unattributed> {
  const found = await lockUnattributed(tx, id)
  if (found !== null && found.state !== 'Assigned') return found
  throw new Refusal('NOT_FOUND', { id }, `No unattributed transfer has the id ${id}.`)
}

async function assigned(
  tx: Tx,
  { catalogue, externalUserId, userId }: Assignment,
  { before, accountId }: { before: Unattributed; accountId: string },
): Promise<Unattributed> {
  const [deposit] = await insertNew(tx, [depositOf(tx, before, { externalUserId, accountId })])
  assert(deposit !== undefined, 'an unattributed transfer is a deposit already', { id: before.id })
  await post(tx, [attributedPosting(deposit)])
  emitDetected(tx, catalogue, deposit)
  await resolveAlert(tx, { code: 'deposit.unattributed', subject: before.id })
  const assignedBy = userId
  return { ...before, state: 'Assigned', externalUserId, assignedBy, depositId: deposit.id }
}

function depositOf(
  tx: Tx,
  parked: Unattributed,
  { externalUserId, accountId }: { externalUserId: string; accountId: string },
): Deposit {
  const { orgId, chainId, txnHash, position, tokenId, address, senderAddress, block } = parked
  const now = tx.clock.now()
  return {
    orgId,
    id: tx.ids.next(),
    chainId,
    txnHash,
    position,
    accountId,
    tokenId,
    accountChainId: chainId,
    externalUserId,
    purpose: 'deposit',
    place: depositPlace(chainId),
    address,
    senderAddress,
    amount: parked.amount,
    netMovement: parked.netMovement,
    status: 'Detected',
    booked: 'unconfirmed',
    gasPart: 0n,
    heldCause: '',
    cleared: false,
    block,
    maturesAt: null,
    confirmedAt: null,
    confirmedHeight: null,
    createdAt: now,
    updatedAt: now,
  }
}
