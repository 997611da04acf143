import type { Step } from '../../parts/timeline.tsx'
import { t, type TextKey } from '../../text/text.ts'
import type { WithdrawalRecord } from '../../data/withdrawals.ts'

/** Steps in order; the last one is how it ends. */
const STEPS = ['requested', 'approved', 'signed', 'included'] as const
type StepName = (typeof STEPS)[number]

/** The steps of a withdrawal, past and to come, with their times as far as they are known. */
export function stepsOf(withdrawal: WithdrawalRecord, waiting: Step['detail']): Step[] {
  const reached = reachedBy(withdrawal)
  const ending = endingOf(withdrawal)
  const times = timesOf(withdrawal)
  const passed = STEPS.slice(0, reached)
  const steps: Step[] = passed.map((name) => step(name, 'done', times[name]))
  if (ending !== null) return [...steps, ending]
  const ahead = [...STEPS.slice(reached), 'completed'] as const
  return [
    ...steps,
    ...ahead.map((name, index): Step => {
      if (index > 0) return { title: t(`withdrawal.step.${name}`), state: 'todo' }
      return { title: t(`withdrawal.step.${name}`), state: 'current', detail: waiting }
    }),
  ]
}

function step(name: StepName, state: Step['state'], at: string | null): Step {
  return { title: t(`withdrawal.step.${name}`), state, at }
}

/** How many steps are done. */
function reachedBy(withdrawal: WithdrawalRecord): number {
  const {
    status,
    transactions = [],
    txnHash,
    failureCode,
    approvals,
    requiredApprovals,
  } = withdrawal
  if (status === 'Completed') return STEPS.length
  const isIncluded =
    failureCode === 'REVERTED' || transactions.some(({ state }) => state === 'Included')
  if (isIncluded) return STEPS.indexOf('included') + 1
  if (status === 'Processing' || txnHash !== null) return STEPS.indexOf('signed') + 1
  const counting = approvals.filter(({ voidedAt }) => voidedAt === null).length
  const isApproved =
    status === 'Pending' || (status !== 'PendingApproval' && counting >= requiredApprovals)
  return isApproved ? STEPS.indexOf('approved') + 1 : STEPS.indexOf('requested') + 1
}

function timesOf(withdrawal: WithdrawalRecord): Record<StepName, string | null> {
  const { createdAt, approvals, transactions = [] } = withdrawal
  const given = approvals.filter(({ voidedAt }) => voidedAt === null).map((one) => one.createdAt)
  return {
    requested: createdAt,
    approved: given.toSorted().at(-1) ?? null,
    signed: transactions[0]?.signedAt ?? null,
    included: null,
  }
}

function endingOf(withdrawal: WithdrawalRecord): Step | null {
  const { status, updatedAt, cancellation, txnError } = withdrawal
  if (status === 'Completed')
    return { title: t('withdrawal.step.completed'), state: 'done', at: updatedAt }
  if (status === 'Failed') {
    const title = t('withdrawal.step.failed')
    return { title, state: 'failed', at: updatedAt, detail: txnError }
  }
  if (status !== 'Cancelled') return null
  const kind = cancellation?.kind ?? 'cancelled'
  const by = cancellation === null ? '' : t('withdrawal.by', { name: cancellation.name })
  const detail = [by, cancellation?.reason ?? ''].filter((part) => part !== '').join(' ')
  const title: TextKey = `withdrawal.step.${kind}`
  return { title: t(title), state: 'failed', at: cancellation?.at ?? updatedAt, detail }
}
