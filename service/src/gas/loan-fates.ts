import { displayAddress } from '../chains/format-address.ts'
import { raiseAlert, resolveAlert } from '../journal/raise-alert.ts'
import type { SpendFate } from '../transactions/core/fates.ts'
import type { Spend } from '../transactions/core/spend.ts'
import type { Tx } from '../store/database.ts'
import { LOAN_MOVES, type LoanMove, notReturned } from './loan.ts'
import { moveLoan, selectReturning } from './loan-rows.ts'

/** What follows when the chain says what became of energy to be lent. It moves no money. */
export function delegationFate(): SpendFate {
  const become = async (tx: Tx, spend: Spend, move: LoanMove) => {
    const { orgId, subjectId: id } = spend
    const loan = await moveLoan(tx, { orgId, id, move })
    // What a reorg took away was never lent, and nothing of it is to be taken back.
    if (loan?.state === 'Failed') await resolveAlert(tx, alertOf(spend))
  }
  return {
    included: (tx, seen) => become(tx, seen, seen.succeeded ? LOAN_MOVES.lend : LOAN_MOVES.fail),
    unincluded: (tx, undone) => become(tx, undone, LOAN_MOVES.undoLend),
    settled: async () => undefined,
    replaced: async () => undefined,
    displaced: (tx, spend) => become(tx, spend, LOAN_MOVES.fail),
  }
}

/** The same of energy that was to be taken back: what stays lent is asked for again later. */
export function undelegationFate(): SpendFate {
  return {
    included: async (tx, seen) => {
      if (!seen.succeeded) return stay(tx, seen)
      await moveReturning(tx, seen, LOAN_MOVES.arrive)
      await resolveAlert(tx, alertOf(seen))
    },
    unincluded: (tx, undone) => moveReturning(tx, undone, LOAN_MOVES.undoReturn),
    settled: async () => undefined,
    replaced: async () => undefined,
    displaced: stay,
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
  const message = `Energy lent to ${to} could not be taken back; it is tried again.`
  await raiseAlert(tx, { ...alertOf(spend), message, details: { txnHash } })
}

/** The recipient of what takes energy back is whom it was lent to. */
function alertOf({ chainId, recipient }: Spend) {
  return notReturned({ chainId, address: recipient })
}
