import { proveOwnAddress } from '../accounts/own-address.ts'
import { assert } from '../base/assert.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Intent } from '../chains/port.ts'
import { isAlertOpen, raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import { forEachIsolated } from '../transactions/core/for-each-isolated.ts'
import type { PaymentRequest, SpendDeps } from '../transactions/core/payment-request.ts'
import { selectUnsettled } from '../transactions/core/unsettled-rows.ts'
import { sendSpend } from '../transactions/send.ts'
import { lockLoan, moveLoan, selectLent, selectUses } from './loan-rows.ts'
import { isOver, type Loan, LOAN_MOVES, notReturned } from './loan.ts'
import type { Send } from './send-top-up.ts'

/** Loans looked at in one round. */
const LOOK_MAX = 200

/**
 * Takes lent energy back once every payment that uses it is settled, or if it was not used for
 * long, for example after its process stopped. Returns the number of spends sent. Throws an Outage
 * if no node answers.
 */
export async function takeBackEnergy(deps: SpendDeps, send: Send = sendSpend): Promise<number> {
  const { database, adapter, entry } = deps
  if (adapter.paymentModel !== 'window') return 0
  const due = await database.transaction(async (tx) => {
    const lent = await selectLent(tx, { chainId: entry.id, limit: LOOK_MAX })
    const over: Loan[] = []
    for (const loan of lent) if (await isDue(tx, loan)) over.push(loan)
    return over
  })
  return forEachIsolated(due, (loan) => takeBack(deps, loan, send))
}

async function isDue(tx: Tx, loan: Loan): Promise<boolean> {
  const { orgId } = loan
  const uses = await selectUses(tx, loan)
  const subjectIds = uses.map(({ subjectId }) => subjectId)
  const unsettled = (await selectUnsettled(tx, { orgId, subjectIds })).length
  return isOver(loan, { uses: uses.length, unsettled, now: tx.clock.now() })
}

async function takeBack(deps: SpendDeps, loan: Loan, send: Send): Promise<boolean> {
  const { database, adapter, catalogue, entry, caps, keys, log } = deps
  const { orgId, id, stake, address } = loan
  const gas = await database.transaction((tx) =>
    proveOwnAddress(tx, { keys, entry, orgId, purpose: 'gas' }),
  )
  assert(gas, 'loan has no gas wallet', { orgId, id })
  const tokenId = catalogue.nativeToken(entry.id).id
  const delegation = { act: 'take-back', stake } as const
  const parties = { chainId: entry.id, tokenId, from: gas.address, to: address }
  const intent: Intent = { ...parties, amount: 0n, memo: null, delegation }
  const quote = await adapter.quote(intent, { ...caps, relativePercent: null })
  if (!quote.ok) {
    log.warn({ orgId, loan: id, address, ...quote }, 'lent energy cannot be taken back')
    if (quote.code === 'INSUFFICIENT_BALANCE') await forget(deps, loan)
    else await raiseNotReturned(deps, loan, quote.message)
    return false
  }
  const returnId = await database.transaction(async (tx) => tx.ids.next())
  const request: PaymentRequest = {
    purpose: 'undelegation',
    orgId,
    subjectId: returnId,
    intent,
    terms: quote.terms,
    claim: async (tx) => ((await claimReturn(tx, loan, returnId)) ? intent : null),
    sent: async () => undefined,
  }
  return (await send(deps, request)).outcome === 'sent'
}

/** Nothing counts on it any more, in the transaction that signs. */
async function claimReturn(tx: Tx, { orgId, id, stake }: Loan, returnId: string): Promise<boolean> {
  const loan = await lockLoan(tx, { orgId, id })
  if (loan === null || loan.stake !== stake || !(await isDue(tx, loan))) return false
  return (await moveLoan(tx, { orgId, id, move: LOAN_MOVES.takeBack, returnId })) !== null
}

/** The chain shows no such loan: another transaction has taken it back. */
async function forget({ database }: SpendDeps, loan: Loan): Promise<void> {
  const { orgId, id } = loan
  await database.transaction(async (tx) => {
    await moveLoan(tx, { orgId, id, move: LOAN_MOVES.arrive })
    await resolveAlert(tx, notReturned(loan))
  })
}

/** Raised once; the return is retried in each round. */
async function raiseNotReturned({ database }: SpendDeps, loan: Loan, why: string): Promise<void> {
  const alert = notReturned(loan)
  const to = displayAddress(loan.chainId, loan.address)
  const message = `Energy lent to ${to} cannot be taken back and will be retried: ${why}.`
  await database.transaction(async (tx) => {
    if (!(await isAlertOpen(tx, alert))) await raiseAlert(tx, { ...alert, message })
  })
}
