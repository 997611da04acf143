import type { PaymentTrace, TraceCode, TracedPayment, TraceStep } from '@sluice/wire'
import type { TraceFacts } from './facts.ts'
import { judgePayments, outcomeOf } from './judge-payments.ts'
import { judgeTransaction } from './judge-transaction.ts'
import { step } from './step.ts'

/** Codes after which it is too early, or too late, to say that nothing concerns who asks. */
const NO_SAY: readonly string[] = [
  'CHAIN_NOT_FOLLOWED',
  'NODE_AWAY',
  'TRANSACTION_NOT_FOUND',
  'TRANSACTION_WAITS',
  'TRANSACTION_FAILED',
  'OWN_TRANSACTION',
  'OWN_WITHDRAWAL',
]

/** Codes of what may keep payments from being credited, and says nothing of any one of them. */
const CONDITIONS: readonly TraceCode[] = ['CHAIN_FROZEN', 'CHAIN_HALTED', 'CHAIN_DISPUTED']

/**
 * Why the payments of a transaction are credited, or are not. Pure: the same facts, the same
 * answer. Only what the facts know of is told: those of one organization tell of no other.
 */
export function trace(facts: TraceFacts): PaymentTrace {
  const payments = judgePayments(facts)
  const found = judgeTransaction(facts)
  const isSilent = found.some(({ code }) => NO_SAY.includes(code)) || facts.seen === 'unasked'
  const steps = payments.length > 0 || isSilent ? found : [...found, nothing()]
  const outcome = outcomeOfAll(steps, payments)
  return { chainId: facts.entry.id, txnHash: facts.txnHash, outcome, steps, payments }
}

/**
 * A single payment's own, else what the last step tells: the condition of the chain only where it
 * keeps one of the payments from being credited, or nothing else is known.
 */
function outcomeOfAll(steps: readonly TraceStep[], payments: readonly TracedPayment[]): TraceCode {
  const [only, another] = payments
  if (only !== undefined && another === undefined) return only.outcome
  const isTelling = ({ code }: TraceStep) =>
    !CONDITIONS.includes(code) || payments.some(({ outcome }) => outcome === code)
  const telling = steps.filter(isTelling)
  return outcomeOf(telling.length > 0 ? telling : steps)
}

function nothing() {
  const message =
    'Nothing in it pays an address of yours. Compare the recipient with the address that ' +
    'GET /payments/deposit-address gives for the user.'
  return step('NOTHING_FOR_YOU', message)
}
