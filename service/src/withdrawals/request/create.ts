import { assert } from '../../base/assert.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { displayAddress } from '../../chains/format-address.ts'
import { writeAudits } from '../../audit-log/write-audit.ts'
import type { Organization } from '../../orgs/organization.ts'
import { requireCallers } from '../../orgs/require-caller.ts'
import { readMinHumans } from '../../orgs/signers.ts'
import { requireAuthentic } from '../../orgs/thresholds.ts'
import type { Tx } from '../../store/database.ts'
import type { Outcome } from '../../store/grouping.ts'
import { insertWithdrawals, type NewWithdrawal } from '../approval-rows.ts'
import { macOfApproval, macOfWithdrawal, type MacKey } from '../mac.ts'
import { emitWithdrawal } from '../payload.ts'
import { reserveAmounts } from '../reserve.ts'
import { firstWait, type Requested, type Withdrawal } from '../withdrawal.ts'
import {
  type Accepted,
  checkGroup,
  type Creation,
  duplicateOf,
  type Initiator,
  type Offers,
} from './check.ts'
import { readPicture, readTaken } from './picture.ts'

/**
 * Creates a withdrawal and reserves its amount, in the caller's commit; with one signer it is
 * approved at once. Refuses as `requireCaller` does, then in the order of decisions, 4
 * (`checkGroup`), and with INTERNAL_ERROR if the organization's thresholds were changed in the
 * database; throws Overdrawn if others took the balance meanwhile, and an Outage if the fee is
 * unknown.
 */
export async function createWithdrawal(
  tx: Tx,
  serviceKey: MacKey,
  creation: Creation,
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<Withdrawal> {
  const [outcome] = await createWithdrawals(tx, serviceKey, [creation], offersOf)
  assert(outcome, 'a request without an outcome', { orgId: creation.orgId })
  if ('value' in outcome) return outcome.value
  throw outcome.refusal
}

/**
 * Creates the withdrawals of one organization as `createWithdrawal` does, in the caller's commit;
 * one that is refused changes nothing. Null for a request whose outcome depends on an earlier one
 * of the group: it must be repeated alone. Throws what concerns all of them.
 */
export async function createWithdrawals(
  tx: Tx,
  serviceKey: MacKey,
  group: readonly Creation[],
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<(Outcome<Withdrawal> | null)[]> {
  // Sent first: the picture is read after the wait for the caller's row.
  const [, picture] = await Promise.all([
    requireCallers(tx, serviceKey, group),
    readPicture(tx, group, offersOf),
  ])
  const checked = checkGroup(group, picture)
  const accepted = checked.filter((one) => one !== null && 'named' in one)
  const made = await createAccepted(tx, serviceKey, {
    accepted,
    organization: picture.organization,
  })
  return checked.map((one) => (one !== null && 'named' in one ? (made.get(one) ?? null) : one))
}

async function createAccepted(
  tx: Tx,
  serviceKey: MacKey,
  { accepted, organization }: { accepted: readonly Accepted[]; organization: Organization },
): Promise<ReadonlyMap<Accepted, Outcome<Withdrawal>>> {
  const [first] = accepted
  if (first === undefined) return new Map()
  const { catalogue } = first.creation
  requireAuthentic(serviceKey, organization)
  const requiredHumans = await readMinHumans(tx, serviceKey, organization)
  const rules = { organization, requiredHumans }
  const drafts = accepted.map((one) => ({ ...one, ...draftOf(tx, serviceKey, one, rules), one }))
  // Of two equal requests at once the second waits here, and finds its reference taken.
  const inserted = await insertWithdrawals(tx, drafts)
  const created = drafts.filter(({ withdrawal }) => inserted.has(withdrawal.id))
  const withdrawals = created.map(({ withdrawal }) => withdrawal)
  for (const withdrawal of withdrawals) emitCreated(tx, { catalogue, withdrawal })
  // The audit entries come before the balances, whose locks other transactions wait for.
  await Promise.all([
    writeCreated(tx, withdrawals),
    reserveAmounts(tx, { catalogue, reservations: created }),
  ])
  const outcomes = new Map<Accepted, Outcome<Withdrawal>>(
    created.map(({ one, withdrawal }) => [one, { value: withdrawal }]),
  )
  const lost = accepted.filter((one) => !outcomes.has(one))
  const taken = await readTaken(
    tx,
    lost.map(({ creation }) => creation),
  )
  for (const one of lost) {
    const { request, orgId } = one.creation
    const refusal = duplicateOf(taken.get(request.reference), request)
    assert(refusal, 'a reference is taken by no withdrawal', { orgId })
    outcomes.set(one, { refusal })
  }
  return outcomes
}

/** A new withdrawal, and its first approval. */
function draftOf(
  tx: Tx,
  serviceKey: MacKey,
  { creation, named }: Accepted,
  { organization, requiredHumans }: { organization: Organization; requiredHumans: number },
): NewWithdrawal {
  const { orgId, initiator, caller, request } = creation
  const requested: Requested = {
    orgId,
    id: tx.ids.next(),
    chainId: named.entry.id,
    tokenId: named.token.id,
    amount: named.amount,
    recipient: named.recipient,
    memo: named.memo,
    reference: request.reference,
    internalNote: request.internalNote,
    externalUserId: request.externalUserId,
    requiredApprovals: organization.minWithdrawalSigners,
    requiredHumans,
    initiator: initiator.id,
    createdAt: tx.clock.now(),
  }
  const mac = macOfWithdrawal(serviceKey, requested)
  const withdrawal = newWithdrawal(requested, mac, initiator)
  const apiKeyId = caller?.credential === 'apiKey' ? caller.credentialId : null
  return { withdrawal, approval: firstApproval(tx, serviceKey, withdrawal), apiKeyId }
}

function newWithdrawal(requested: Requested, mac: Uint8Array, initiator: Initiator): Withdrawal {
  const humans = initiator.role === 'api' ? 0 : 1
  const isApproved = requested.requiredApprovals <= 1 && requested.requiredHumans <= humans
  const status = isApproved ? 'Pending' : 'PendingApproval'
  const waitingFor = firstWait(status)
  return {
    ...requested,
    mac,
    status,
    approvers: [initiator.id],
    spendId: null,
    txnHash: null,
    txnError: null,
    failureCode: null,
    fee: null,
    waitingFor,
    waitingSince: waitingFor === null ? null : requested.createdAt,
    completedAt: null,
    updatedAt: requested.createdAt,
  }
}

/** The request counts as the initiator's approval, without a code (decisions, 6). */
function firstApproval(tx: Tx, serviceKey: MacKey, withdrawal: Withdrawal) {
  const { orgId, id: withdrawalId, initiator: userId, createdAt } = withdrawal
  const proof = { totpStep: 0, passkeyId: null }
  const approval = { orgId, id: tx.ids.next(), withdrawalId, userId, ...proof, createdAt }
  return { ...approval, mac: macOfApproval(serviceKey, approval, withdrawal) }
}

/** Writes the initiators of new withdrawals into the audit log. */
function writeCreated(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<void> {
  return writeAudits(
    tx,
    withdrawals.map(({ orgId, id: object, initiator, ...asked }) => ({
      orgId,
      actor: `user:${initiator}`,
      action: 'withdrawal.create',
      object,
      details: detailsOf(asked),
    })),
  )
}

/** The requested payment, sealed with the audit entry in case the row is tampered with. */
function detailsOf(
  asked: Pick<Withdrawal, 'chainId' | 'tokenId' | 'amount' | 'recipient' | 'memo' | 'reference'>,
): Record<string, unknown> {
  const { chainId, tokenId, amount, recipient, memo, reference } = asked
  return {
    chainId,
    tokenId,
    amount: amount.toString(),
    recipient: displayAddress(chainId, recipient),
    ...(memo !== null && { memo }),
    reference,
  }
}

/** Emits the events of a new withdrawal: `approved` too if no further approval is needed. */
function emitCreated(tx: Tx, created: { catalogue: Catalogue; withdrawal: Withdrawal }): void {
  emitWithdrawal(tx, 'withdrawal.created', created)
  if (created.withdrawal.status === 'Pending') emitWithdrawal(tx, 'withdrawal.approved', created)
}
