import { assert } from '../../base/assert.ts'
import { raiseAlert } from '../../journal/raise-alert.ts'
import { post } from '../../ledger/post.ts'
import { reversalOf, withdrawalPaid } from '../../ledger/spend-postings.ts'
import { reservedFor } from '../../ledger/standing.ts'
import type { Catalogue } from '../../catalogue/find.ts'

import type { ReplacementCheck, SpendHooks } from '../../transactions/core/fates.ts'
import { postShown } from '../../transactions/core/shown.ts'
import type { IncludedSpend, Spend } from '../../transactions/core/spend.ts'
import { partsOf, paymentsOf } from '../../transactions/core/subjects.ts'
import type { Tx } from '../../store/database.ts'
import { failWithdrawal } from './fail.ts'
import { CHANGED, isGenuine } from '../mac.ts'
import { intentOf } from '../pay/decide.ts'
import { tellWithdrawal } from '../payload.ts'
import { movedBy, releaseAmount, releaseFee, reserveAgain } from '../reserve.ts'
import { lockWithdrawals, moveWithdrawal, nameTransaction, noteOutcome } from '../rows.ts'
import { MOVES, type Withdrawal } from '../withdrawal.ts'

/**
 * What becomes of withdrawals when the chain shows their spends, in the scanner's commits. A block
 * that has a payment moves the reserved amount out of the settlement account; as deep as a deposit
 * must be, the withdrawal is Completed, or Failed where the transaction failed (decisions, 7).
 */
export function withdrawalFate({ catalogue }: { catalogue: Catalogue }): SpendHooks {
  return {
    included: (tx, seen) => forEach(tx, seen, (part) => payOut(tx, part)),
    unincluded: (tx, undone) => forEach(tx, undone, (spend) => takeBack(tx, { catalogue, spend })),
    settled: (tx, settled) => forEach(tx, settled, (spend) => conclude(tx, { catalogue, spend })),
    replaced,
    displaced: (tx, displaced) =>
      forEach(tx, displaced, (spend) => displace(tx, { catalogue, spend })),
    objection: objectionTo,
  }
}

/** Does it for each withdrawal that the spend pays, with its part of the fee. */
async function forEach<S extends Spend>(
  tx: Tx,
  spend: S,
  work: (part: S) => Promise<void>,
): Promise<void> {
  for (const part of await partsOf(tx, spend)) await work(part)
}

/** Who looks at an explorer is to find it; nobody is told anew, for nothing new was done (I13). */
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
 * The block left the chain. A payment is reserved again, whatever the withdrawal's status, until
 * the same bytes are in another block (engineering, 9). What a failed one had given back is taken
 * again too, below zero where it must be: its transaction may pay after all.
 */
async function takeBack(
  tx: Tx,
  { catalogue, spend }: { catalogue: Catalogue; spend: IncludedSpend },
): Promise<void> {
  const withdrawal = await subjectOf(tx, spend)
  if (spend.succeeded) await post(tx, [reversalOf(paid(withdrawal, spend))])
  if (withdrawal.status !== 'Failed') return
  const { orgId, id: referenceId } = withdrawal
  // Of one that left twice before it was settled anew it stands reserved since the first time.
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
  if (moved === null) return tellWrongState(tx, spend)
  const completedAt = tx.clock.now()
  const withdrawal = await noteOutcome(tx, { orgId, id, fee, txnHash, completedAt })
  tellWithdrawal(tx, 'withdrawal.completed', { catalogue, withdrawal })
  await releaseFee(tx, { catalogue, withdrawal })
}

/** A row that somebody moved behind the service's back must not stop the chain. */
async function tellWrongState(tx: Tx, { orgId, subjectId, txnHash }: Spend): Promise<void> {
  await raiseAlert(tx, {
    code: 'withdrawal.tampered',
    subject: subjectId,
    message: `The withdrawal ${subjectId} was paid, and its status says that it was never signed.`,
    details: { orgId, txnHash },
  })
}

/**
 * A withdrawal that was over when its block left the chain is settled once more. The same outcome
 * needs no second word, and what it costs less than it did then is given back; the other one
 * contradicts what was told, and an operator must know.
 */
async function concludeAgain(
  tx: Tx,
  { catalogue, spend }: { catalogue: Catalogue; spend: IncludedSpend },
): Promise<void> {
  const { orgId, subjectId: id, fee, txnHash } = spend
  const withdrawal = await noteOutcome(tx, { orgId, id, fee, txnHash })
  const hasPaid = withdrawal.status === 'Completed'
  if (hasPaid !== spend.succeeded) return contradicted(tx, { catalogue, withdrawal, spend })
  if (hasPaid) await releaseFee(tx, { catalogue, withdrawal })
  else await releaseAmount(tx, { catalogue, withdrawal })
}

/** Where nothing else can take the place of a transaction it has expired. */
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
  assert(withdrawal !== undefined, 'a spend of no withdrawal', { id, status })
  // Its block had left the chain, and what was given back was set aside again (`takeBack`).
  if (withdrawal.status === 'Failed') return releaseAmount(tx, { catalogue, withdrawal })
  await contradicted(tx, { catalogue, withdrawal, spend })
}

/**
 * What forbids to sign once more for a payment that waits: the withdrawal was never asked for so,
 * or nothing stands reserved for it any more, because it was paid or given back. After a reorg of
 * its block the amount is reserved again, whatever its status. Rows of the spends room alone may
 * have been changed by somebody who writes to the database, and only the bytes of nonces bind a
 * payment to its first signature (A13, A19).
 */
async function objectionTo(
  tx: Tx,
  { spend, intent, showsMemo, serviceKey }: ReplacementCheck,
): Promise<string | null> {
  const { orgId, subjectId: id } = spend
  const [withdrawal] = await lockWithdrawals(tx, { orgId, ids: [id] })
  if (withdrawal === undefined) return 'there is no withdrawal that asked for it'
  if (!isGenuine(serviceKey, withdrawal)) return `of the withdrawal ${id}, ${CHANGED}`
  const asked = intentOf(withdrawal, intent.from)
  const isSame =
    asked.chainId === intent.chainId &&
    asked.tokenId === intent.tokenId &&
    asked.to === intent.to &&
    asked.amount === intent.amount &&
    (!showsMemo || (asked.memo ?? '') === (intent.memo ?? ''))
  if (!isSame) return `the withdrawal ${id} asked for another payment`
  const reserved = await reservedFor(tx, { orgId, referenceId: id })
  return reserved === asked.amount ? null : `nothing stands reserved for the withdrawal ${id}`
}

/** Its status stays, and its money where it stands, until an operator has looked. */
async function contradicted(
  tx: Tx,
  given: { catalogue: Catalogue; withdrawal: Withdrawal; spend: Spend },
): Promise<void> {
  const { withdrawal, spend } = given
  const { symbol } = given.catalogue.summary(withdrawal.tokenId)
  await raiseAlert(tx, {
    code: 'withdrawal.contradicted',
    subject: withdrawal.id,
    message:
      `A withdrawal of ${withdrawal.amount} base units of ${symbol} was ${withdrawal.status}, ` +
      `and after a reorg its transaction ${describe(spend)}.`,
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

/** The withdrawal of a spend; what moved is what was signed, whatever its row says by now. */
async function subjectOf(
  tx: Tx,
  { orgId, subjectId: id, chainId, tokenId, amount }: Spend,
): Promise<Withdrawal> {
  const [withdrawal] = await lockWithdrawals(tx, { orgId, ids: [id] })
  assert(withdrawal !== undefined, 'a spend of no withdrawal', { id })
  return { ...withdrawal, chainId, tokenId, amount }
}
