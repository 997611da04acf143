import type { Millis } from '../../base/clock.ts'
import type { Address, Intent, QuoteRefusal } from '../../chains/port.ts'
import type { SentJoint } from '../../transactions/send-joint.ts'
import type { Count, Voided } from '../approve/recount.ts'
import type { FailureCode, WaitingFor, Withdrawal } from '../withdrawal.ts'

/** All that decides about a pending withdrawal, read in one transaction while its row is locked. */
export interface Facts {
  withdrawal: Withdrawal
  now: Millis
  /** How long it may wait for gas, a fee or funds. */
  gasWaitMs: Millis
  /** Its token is suspended, missing from the configuration, or short on the chain. */
  isTokenStopped: boolean
  approvals: Pick<Count, 'tampered' | 'isEnough' | 'wasEnough' | 'voided'>
  /** Evidence that the row was changed or signed before; null for none. */
  forgery: string | null
  /** Base units of its token that the organization may use; below zero after a reorg. */
  available: bigint
  /** The settlement account; null if the organization has none on the chain. */
  payer: { address: Address; isHalted: boolean } | null
  /** Whether a gas wallet pays the fee. */
  hasGasWallet: boolean
  /** Whether missing funds may still arrive; read only once it has waited for them too long. */
  mayReceive: boolean
  /** Whether another payment of the same token found no gas in this round. */
  isGasGone: boolean
  /** Whether the signer has refused it, so that it waits until it is signed or cancelled. */
  isRefused: boolean
}

export type AnswerCode =
  | QuoteRefusal
  | Exclude<SentJoint['outcome'], 'sent'>
  | 'loan-pending'
  | 'signed-before'

/** Why a node or the signing transaction did not let a withdrawal be paid. */
export interface Answer {
  code: AnswerCode
  /** The node's own words, or the cause that halted the sender. */
  says?: string
}

export type Alert = 'gas-short' | 'unfunded' | 'owed' | 'refused'

export type Decision =
  | { act: 'pay'; intent: Intent; isResumed: boolean }
  /** Changes nothing. */
  | { act: 'skip' }
  /** The chain is not signed for now. */
  | { act: 'stop' }
  | { act: 'wait'; waitingFor: WaitingFor; alert?: Alert; says?: string }
  /** Withdrawals of the organization wait, except those that wait for one of `spared`. */
  | { act: 'wait-together'; waitingFor: WaitingFor; spared: readonly WaitingFor[] }
  /** Approvals that released it no longer count: it must be approved again (A11, A17). */
  | { act: 'recall'; voided: readonly Voided[] }
  /** It was tampered with and must not be signed (A13). */
  | { act: 'report'; cause: string }
  | { act: 'fail'; code: FailureCode; says?: string; alert?: Alert }

/** Waits, and fails with `code` once it has waited too long. */
interface Hold {
  act: 'hold'
  waitingFor: WaitingFor
  code: FailureCode
}

const FOR_OPERATOR: Decision = { act: 'wait', waitingFor: 'operator' }
const FOR_GAS: Hold = { act: 'hold', waitingFor: 'gas', code: 'INSUFFICIENT_GAS' }
const FOR_FEE: Hold = { act: 'hold', waitingFor: 'fee', code: 'FEE_TOO_HIGH' }
const FOR_FUNDS: Hold = { act: 'hold', waitingFor: 'funds', code: 'INSUFFICIENT_BALANCE' }

/** The consequence of each answer for a withdrawal. */
const OUTCOMES: Record<AnswerCode, Decision | Hold> = {
  INSUFFICIENT_GAS: FOR_GAS,
  NO_GAS_FOR_ESTIMATE: FOR_GAS,
  'short-of-gas': FOR_GAS,
  FEE_TOO_HIGH: FOR_FEE,
  'too-dear': FOR_FEE,
  INSUFFICIENT_BALANCE: FOR_FUNDS,
  'short-of-native': FOR_FUNDS,
  'short-of-token': FOR_FUNDS,
  RECIPIENT_REFUSES: { act: 'fail', code: 'RECIPIENT_REFUSES' },
  'loan-pending': { act: 'wait', waitingFor: 'confirmations' },
  // Waits for gas, a fee or funds keep their time.
  busy: { act: 'wait-together', waitingFor: 'confirmations', spared: ['gas', 'fee', 'funds'] },
  halted: { act: 'wait-together', waitingFor: 'operator', spared: [] },
  frozen: { act: 'stop' },
  refused: { act: 'wait', waitingFor: 'operator', alert: 'refused' },
  // Its last transaction must expire before another is signed.
  'signed-before': { act: 'wait', waitingFor: 'confirmations' },
  // The next round reads why the signing transaction declined.
  declined: { act: 'skip' },
}
const UNAPPROVED = 'it was never approved by as many as it needs'

/**
 * Decides about a pending withdrawal: before nodes are queried (`answer` is null), with their
 * answer, and once more in the transaction that signs, which only `pay` permits. `facts` is null if
 * the withdrawal is no longer pending.
 */
export function decide(facts: Facts | null, answer: Answer | null): Decision {
  const outcome = answer === null ? null : OUTCOMES[answer.code]
  // About the sender or the chain, in any state of the withdrawal.
  if (outcome?.act === 'wait-together' || outcome?.act === 'stop' || outcome?.act === 'skip')
    return outcome
  if (facts === null) return { act: 'skip' }
  const { withdrawal, approvals, payer } = facts
  if (facts.isTokenStopped) return FOR_OPERATOR
  const cause = approvals.tampered ?? (approvals.wasEnough ? facts.forgery : UNAPPROVED)
  if (cause !== null) return { act: 'report', cause }
  if (!approvals.isEnough) return { act: 'recall', voided: approvals.voided }
  // Neither paid nor failed while the organization owes (A20).
  if (facts.available < 0n) return waitForFunds(facts, 'owed')
  if (payer === null) return { act: 'skip' }
  if (payer.isHalted) return FOR_OPERATOR
  if (outcome?.act === 'hold') return hold(facts, outcome)
  if (outcome?.act === 'fail' || (outcome?.act === 'wait' && outcome.alert === 'refused'))
    return { ...outcome, ...(answer?.says && { says: answer.says }) }
  if (outcome !== null) return outcome
  // Its fee may be lower: no withdrawal fails for gas before it was quoted itself.
  const isSpared = withdrawal.waitingFor !== 'gas' || !hasWaited(facts, 'gas')
  if (facts.isGasGone && isSpared) return { act: 'wait', waitingFor: 'gas', ...gasAlert(facts) }
  const isResumed = withdrawal.waitingFor === 'operator' && !facts.isRefused
  return { act: 'pay', intent: intentOf(withdrawal, payer.address), isResumed }
}

/** Whether it has waited for this as long as it may. */
export function hasWaited(
  { withdrawal, now, gasWaitMs }: Pick<Facts, 'withdrawal' | 'now' | 'gasWaitMs'>,
  waitingFor: WaitingFor,
): boolean {
  const since = withdrawal.waitingFor === waitingFor ? withdrawal.waitingSince : null
  return now - (since ?? now) >= gasWaitMs
}

/** The answer of a signing transaction that signed nothing. */
export function answerOf(unsent: Exclude<SentJoint, { outcome: 'sent' }>): Answer {
  if (unsent.outcome === 'halted') return { code: 'halted', says: unsent.cause }
  if (unsent.outcome === 'refused') {
    const { code, says } = unsent
    return code === 'not-expired'
      ? { code: 'signed-before' }
      : { code: 'refused', says: `${code}. ${says}` }
  }
  return { code: unsent.outcome }
}

/** The payment that a withdrawal's row states. */
export function intentOf(withdrawal: Withdrawal, from: Address): Intent {
  const { chainId, tokenId, amount, recipient: to, memo } = withdrawal
  return { chainId, tokenId, from, to, amount, memo }
}

/** A withdrawal that lacks funds waits as long as funds can still arrive (X13, B06). */
function hold(facts: Facts, { waitingFor, code }: Hold): Decision {
  const alert = waitingFor === 'gas' ? gasAlert(facts) : {}
  if (!hasWaited(facts, waitingFor)) return { act: 'wait', waitingFor, ...alert }
  if (waitingFor === 'funds' && facts.mayReceive) return waitForFunds(facts, 'unfunded')
  return { act: 'fail', code, ...alert }
}

function gasAlert({ hasGasWallet }: Facts): { alert?: Alert } {
  return hasGasWallet ? { alert: 'gas-short' } : {}
}

function waitForFunds(facts: Facts, alert: Alert): Decision {
  return { act: 'wait', waitingFor: 'funds', ...(hasWaited(facts, 'funds') && { alert }) }
}
