import { assert } from '../../base/assert.ts'
import { raiseAlert } from '../../alerts/raise-alert.ts'
import { post } from '../../ledger/post.ts'
import { reversalOf, withdrawalPaid } from '../../ledger/spend-postings.ts'
import { reservedFor } from '../../ledger/standing.ts'
import type { Catalogue } from '../../catalogue/find.ts'

import type { ReplacementCheck, SpendHooks } from '../../transactions/core/hooks.ts'
import { postShown } from '../../transactions/core/shown.ts'
import type { IncludedSpend, Spend } from '../../transactions/core/spend.ts'
import { partsOf, paymentsOf } from '../../transactions/core/subjects.ts'
import type { Tx } from '../../store/database.ts'
import { failWithdrawal } from './fail.ts'
import { CHANGED, isAuthentic } from '../mac.ts'
import { intentOf } from '../pay/decide.ts'
import { emitWithdrawal } from '../payload.ts'
import { movedBy, releaseAmount, releaseFee, reserveAgain } from '../reserve.ts'
import { lockWithdrawals, moveWithdrawal, nameTransaction, noteOutcome } from '../rows.ts'
import { fieldsFor } from '../signing-fields.ts'
import { MOVES, type Withdrawal } from '../withdrawal.ts'

/**
 * Settles withdrawals in the scanner's commits. A block that includes a payment moves the reserved
 * amount out of the settlement account; with enough confirmations the withdrawal is Completed, or
 * Failed if the transaction failed (decisions, 7).
 */
export function withdrawalHooks({ catalogue }: { catalogue: Catalogue }): SpendHooks {
  return {
    onIncluded: (tx, seen) => forEach(tx, seen, (part) => payOut(tx, part)),
    onReorged: (tx, undone) => forEach(tx, undone, (spend) => takeBack(tx, { catalogue, spend })),
    onSettled: (tx, settled) => forEach(tx, settled, (spend) => conclude(tx, { catalogue, spend })),
    onReplaced: replaced,
    onDisplaced: (tx, displaced) =>
      forEach(tx, displaced, (spend) => displace(tx, { catalogue, spend })),
    objection: objectionTo,
    withdrawals: fieldsFor,
  }
}

/** Runs `work` for each withdrawal that the spend pays, with its part of the fee. */
async function forEach<S extends Spend>(
  tx: Tx,
  spend: S,
  work: (part: S) => Promise<void>,
): Promise<void> {
  for (const part of await partsOf(tx, spend)) await work(part)
}

/** Records the new hash for explorers. Emits no event: the payment is the same (I13). */
async function replaced(tx: Tx, spend: Spend): Promise<void> {
  const { orgId, txnHash } = spend
  const ids = (await paymentsOf(tx, spend)).map(({ subjectId }) => subjectId)
  await nameTransaction(tx, { orgId, ids, txnHash })
}

async function payOut(tx: Tx, spend: IncludedSpend): Promise<void> {
  if (!spend.succeeded) return
  const withdrawal = await subjectOf(tx, spend)
  await postShown(tx, paid(withdrawal, spend))
}

/**
 * Undoes an included payment after a reorg. Its amount is reserved again in any status, until
 * another block includes the same bytes (engineering, 9). The released amount of a failed
 * withdrawal is reserved too, below zero if necessary: its transaction may still pay.
 */
async function takeBack(
  tx: Tx,
  { catalogue, spend }: { catalogue: Catalogue; spend: IncludedSpend },
): Promise<void> {
  const withdrawal = await subjectOf(tx, spend)
  if (spend.succeeded) await post(tx, [reversalOf(paid(withdrawal, spend))])
  if (withdrawal.status !== 'Failed') return
  const { orgId, id: referenceId } = withdrawal
  // Reserved already if its block left the chain before, and it was not settled since.
  if ((await reservedFor(tx, { orgId, referenceId })) > 0n) return
  await reserveAgain(tx, { catalogue, withdrawal })
}

async function conclude(
  tx: Tx,
  { catalogue, spend }: { catalogue: Catalogue; spend: IncludedSpend },
): Promise<void> {
  const { orgId, id, status } = await subjectOf(tx, spend)
  if (status === 'Failed' || status === 'Completed') return concludeAgain(tx, { catalogue, spend })
  if (!spend.succeeded) {
    const { fee, txnHash } = spend
    await failWithdrawal(tx, { catalogue, orgId, id, code: 'REVERTED', fee, txnHash })
    return
  }
  await complete(tx, { catalogue, spend })
}

async function complete(
  tx: Tx,
  { catalogue, spend }: { catalogue: Catalogue; spend: IncludedSpend },
): Promise<void> {
  const { orgId, subjectId: id, fee, txnHash } = spend
  const moved = await moveWithdrawal(tx, { orgId, id, move: MOVES.complete })
  if (moved === null) return raiseWrongState(tx, spend)
  const completedAt = tx.clock.now()
  const withdrawal = await noteOutcome(tx, { orgId, id, fee, txnHash, completedAt })
  emitWithdrawal(tx, 'withdrawal.completed', { catalogue, withdrawal })
  await releaseFee(tx, { catalogue, withdrawal })
}

/** A row whose status was tampered with must not stop the chain. */
async function raiseWrongState(tx: Tx, { orgId, subjectId, txnHash }: Spend): Promise<void> {
  await raiseAlert(tx, {
    code: 'withdrawal.tampered',
    orgId,
    subject: subjectId,
    message: `The withdrawal ${subjectId} was paid, but its status is that of an unsigned one.`,
    details: { orgId, txnHash },
  })
}

/**
 * Settles a withdrawal again whose block left the chain after it was settled. The same outcome
 * emits no event, and a lower fee releases the difference; the other outcome contradicts the
 * emitted event and raises an alert.
 */
async function concludeAgain(
  tx: Tx,
  { catalogue, spend }: { catalogue: Catalogue; spend: IncludedSpend },
): Promise<void> {
  const { orgId, subjectId: id, fee, txnHash } = spend
  const withdrawal = await noteOutcome(tx, { orgId, id, fee, txnHash })
  const hasPaid = withdrawal.status === 'Completed'
  if (hasPaid !== spend.succeeded) return raiseContradicted(tx, { catalogue, withdrawal, spend })
  if (hasPaid) await releaseFee(tx, { catalogue, withdrawal })
  else await releaseAmount(tx, { catalogue, withdrawal })
}

/** Without nonces or unspent outputs a transaction cannot be replaced, only expire. */
async function displace(
  tx: Tx,
  { catalogue, spend }: { catalogue: Catalogue; spend: Spend },
): Promise<void> {
  const { orgId, id, status } = await subjectOf(tx, spend)
  const entry = catalogue.chain(spend.chainId)
  const code = entry?.paymentModel === 'window' ? 'EXPIRED' : 'DISPLACED'
  const failed = await failWithdrawal(tx, { catalogue, orgId, id, code })
  if (failed !== null) return
  const [withdrawal] = await lockWithdrawals(tx, { orgId, ids: [id] })
  assert(withdrawal !== undefined, 'the withdrawal of a spend is missing', { id, status })
  // Its block had left the chain, and the released amount was reserved again (`takeBack`).
  if (withdrawal.status === 'Failed') return releaseAmount(tx, { catalogue, withdrawal })
  await raiseContradicted(tx, { catalogue, withdrawal, spend })
}

/**
 * The reason not to sign a replacement of a pending payment; null for none: the withdrawal
 * requested another payment, or its amount is not reserved any more, because it was paid or
 * released. After a reorg of its block the amount is reserved again in any status. The rows of
 * `transactions` do not suffice: they may be tampered with, and only a nonce binds a payment to its
 * first signature (A13, A19).
 */
async function objectionTo(
  tx: Tx,
  { spend, intent, showsMemo, serviceKey }: ReplacementCheck,
): Promise<string | null> {
  const { orgId, subjectId: id } = spend
  const [withdrawal] = await lockWithdrawals(tx, { orgId, ids: [id] })
  if (withdrawal === undefined) return 'no withdrawal requested it'
  if (!isAuthentic(serviceKey, withdrawal)) return `of the withdrawal ${id}, ${CHANGED}`
  const asked = intentOf(withdrawal, intent.from)
  const isSame =
    asked.chainId === intent.chainId &&
    asked.tokenId === intent.tokenId &&
    asked.to === intent.to &&
    asked.amount === intent.amount &&
    (!showsMemo || (asked.memo ?? '') === (intent.memo ?? ''))
  if (!isSame) return `the withdrawal ${id} requested another payment`
  const reserved = await reservedFor(tx, { orgId, referenceId: id })
  return reserved === asked.amount ? null : `the amount of the withdrawal ${id} is not reserved`
}

/** Leaves status and balances as they are, until an operator has decided. */
async function raiseContradicted(
  tx: Tx,
  { catalogue, withdrawal, spend }: { catalogue: Catalogue; withdrawal: Withdrawal; spend: Spend },
): Promise<void> {
  const { symbol } = catalogue.summary(withdrawal.tokenId)
  await raiseAlert(tx, {
    code: 'withdrawal.contradicted',
    orgId: withdrawal.orgId,
    subject: withdrawal.id,
    message:
      `A withdrawal of ${withdrawal.amount} base units of ${symbol} was ${withdrawal.status}, ` +
      `but after a reorg its transaction ${describe(spend)}.`,
    details: { chainId: spend.chainId, txnHash: spend.txnHash, spendId: spend.id },
  })
}

function describe({ succeeded, state }: Spend): string {
  if (state === 'Displaced') return 'can never be included'
  return succeeded === true ? 'has paid' : 'has failed'
}

function paid(withdrawal: Withdrawal, { block, sender }: IncludedSpend) {
  return withdrawalPaid(movedBy(withdrawal, block.height), sender)
}

/** The withdrawal of a spend, with the amount that was signed even if its row was changed. */
async function subjectOf(
  tx: Tx,
  { orgId, subjectId: id, chainId, tokenId, amount }: Spend,
): Promise<Withdrawal> {
  const [withdrawal] = await lockWithdrawals(tx, { orgId, ids: [id] })
  assert(withdrawal !== undefined, 'the withdrawal of a spend is missing', { id })
  return { ...withdrawal, chainId, tokenId, amount }
}
