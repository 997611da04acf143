import { assert } from '../base/assert.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { post } from '../ledger/post.ts'
import type { Posting } from '../ledger/posting.ts'
import { reversalOf, toppedUp } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import type { SpendHooks } from '../transactions/core/hooks.ts'
import { postShown } from '../transactions/core/shown.ts'
import type { IncludedSpend, Spend } from '../transactions/core/spend.ts'
import { emitPlaceBalance } from './emit-place-balance.ts'
import { moveLoan, selectReturning } from './loan-rows.ts'
import { LOAN_MOVES, type LoanMove, notReturned } from './loan.ts'
import { moveTopUp, selectTopUp } from './rows.ts'
import { TOP_UP_MOVES, type TopUp } from './top-up.ts'

/** Hooks of top-ups. */
export function topUpHooks({ catalogue }: { catalogue: Catalogue }): SpendHooks {
  return {
    onIncluded: async (tx, seen) => {
      const move = seen.succeeded ? TOP_UP_MOVES.done : TOP_UP_MOVES.fail
      await moveTopUp(tx, { orgId: seen.orgId, id: seen.subjectId, move })
      if (!seen.succeeded) return
      const posting = await postingOf(tx, seen)
      await postShown(tx, posting)
      await emitGasBalance(tx, catalogue, { spend: seen, delta: -seen.amount })
    },
    onReorged: async (tx, undone) => {
      const move = TOP_UP_MOVES.undo
      await moveTopUp(tx, { orgId: undone.orgId, id: undone.subjectId, move })
      if (!undone.succeeded) return
      await post(tx, [reversalOf(await postingOf(tx, undone))])
      await emitGasBalance(tx, catalogue, { spend: undone, delta: undone.amount })
    },
    onSettled: async () => undefined,
    onReplaced: async () => undefined,
    onDisplaced: async (tx, { orgId, subjectId: id }) => {
      await moveTopUp(tx, { orgId, id, move: TOP_UP_MOVES.fail })
    },
  }
}

/** Fillers move nothing: their fee is booked by transactions. */
export function fillerHooks(): SpendHooks {
  const nothing = async () => undefined
  return {
    onIncluded: nothing,
    onReorged: nothing,
    onSettled: nothing,
    onReplaced: nothing,
    onDisplaced: nothing,
  }
}

/** From the spend as it was signed; only the kind of its place is the top-up's to say. */
async function postingOf(tx: Tx, spend: IncludedSpend): Promise<Posting> {
  const topUp = await readTopUp(tx, spend)
  const { orgId, chainId, tokenId, amount, block, sender, recipient } = spend
  const moved = { orgId, chainId, tokenId, amount, referenceId: topUp.id }
  const to = { kind: topUp.place, address: recipient }
  return toppedUp({ ...moved, blockHeight: block.height }, { from: sender, to })
}

async function readTopUp(tx: Tx, { orgId, subjectId: id }: Spend): Promise<TopUp> {
  const topUp = await selectTopUp(tx, { orgId, id })
  assert(topUp !== null, 'top-up not found', { orgId, id })
  return topUp
}

/** Emits the gas wallet's balance before and after. */
function emitGasBalance(
  tx: Tx,
  catalogue: Catalogue,
  { spend, delta }: { spend: Spend; delta: bigint },
): Promise<void> {
  const { sender: address } = spend
  return emitPlaceBalance(tx, catalogue, { spend, kind: 'gas', address, delta, reason: 'gas' })
}

/** Hooks of lending energy. They move no money. */
export function delegationHooks(): SpendHooks {
  const become = async (tx: Tx, spend: Spend, move: LoanMove) => {
    const { orgId, subjectId: id } = spend
    const loan = await moveLoan(tx, { orgId, id, move })
    // After a reorg removed the loan, no energy has to be taken back.
    if (loan?.state === 'Failed') await resolveAlert(tx, alertOf(spend))
  }
  return {
    onIncluded: (tx, seen) => become(tx, seen, seen.succeeded ? LOAN_MOVES.lend : LOAN_MOVES.fail),
    onReorged: (tx, undone) => become(tx, undone, LOAN_MOVES.undoLend),
    onSettled: async () => undefined,
    onReplaced: async () => undefined,
    onDisplaced: (tx, spend) => become(tx, spend, LOAN_MOVES.fail),
  }
}

/** The same of energy that was to be taken back: what stays lent is asked for again later. */
export function undelegationHooks(): SpendHooks {
  return {
    onIncluded: async (tx, seen) => {
      if (!seen.succeeded) return stay(tx, seen)
      await moveReturning(tx, seen, LOAN_MOVES.arrive)
      await resolveAlert(tx, alertOf(seen))
    },
    onReorged: (tx, undone) => moveReturning(tx, undone, LOAN_MOVES.undoReturn),
    onSettled: async () => undefined,
    onReplaced: async () => undefined,
    onDisplaced: stay,
  }
}

async function moveReturning(tx: Tx, spend: Spend, move: LoanMove): Promise<void> {
  const { orgId, subjectId: returnId } = spend
  const loan = await selectReturning(tx, { orgId, returnId })
  if (loan !== null) await moveLoan(tx, { orgId, id: loan.id, move })
}

async function stay(tx: Tx, spend: Spend): Promise<void> {
  await moveReturning(tx, spend, LOAN_MOVES.stay)
  const { chainId, recipient, txnHash } = spend
  const to = displayAddress(chainId, recipient)
  const message = `Energy lent to ${to} could not be taken back; it will be retried.`
  await raiseAlert(tx, { ...alertOf(spend), message, details: { txnHash } })
}

/** The recipient of what takes energy back is whom it was lent to. */
function alertOf({ chainId, recipient }: Spend) {
  return notReturned({ chainId, address: recipient })
}
