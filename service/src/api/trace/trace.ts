import type { PaymentTrace, TraceCode, TracedPayment, TraceStep } from '@sluice/wire'
import type { TraceFacts } from './facts.ts'
import { judgePayments, outcomeOf } from './judge-payments.ts'
import { judgeTransaction } from './judge-transaction.ts'
import { step } from './step.ts'

/** Codes after which `NOTHING_FOR_YOU` would be premature or redundant. */
const SUPPRESSING: readonly string[] = [
  'CHAIN_NOT_FOLLOWED',
  'NODE_AWAY',
  'TRANSACTION_NOT_FOUND',
  'TRANSACTION_WAITS',
  'TRANSACTION_FAILED',
  'OWN_TRANSACTION',
  'OWN_WITHDRAWAL',
]

/** Conditions of the chain, which may or may not affect a payment of the transaction. */
const CONDITIONS: readonly TraceCode[] = ['CHAIN_FROZEN', 'CHAIN_HALTED', 'CHAIN_DISPUTED']

/**
 * Explains why the payments of a transaction are credited or not. Pure. Facts of one organization
 * reveal no other organization.
 */
export function trace(facts: TraceFacts): PaymentTrace {
  const payments = judgePayments(facts)
  const found = judgeTransaction(facts)
  const isSuppressed =
    found.some(({ code }) => SUPPRESSING.includes(code)) || facts.seen === 'unasked'
  const steps = payments.length > 0 || isSuppressed ? found : [...found, nothing()]
  const outcome = outcomeOfAll(steps, payments)
  return { chainId: facts.entry.id, txnHash: facts.txnHash, outcome, steps, payments }
}

/**
 * The outcome of a single payment, else the last step. The chain's condition counts only if it
 * stops one of the payments, or if there is no other step.
 */
function outcomeOfAll(steps: readonly TraceStep[], payments: readonly TracedPayment[]): TraceCode {
  const [only, another] = payments
  if (only !== undefined && another === undefined) return only.outcome
  const isRelevant = ({ code }: TraceStep) =>
    !CONDITIONS.includes(code) || payments.some(({ outcome }) => outcome === code)
  const relevant = steps.filter(isRelevant)
  return outcomeOf(relevant.length > 0 ? relevant : steps)
}

function nothing() {
  const message =
    'It pays none of your addresses. Compare the recipient with the address that ' +
    'GET /payments/deposit-address returns for the user.'
  return step('NOTHING_FOR_YOU', message)
}
