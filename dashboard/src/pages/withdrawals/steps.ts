import type { SingleWithdrawal } from '@sluice/client'
import { personOf } from '../../data/person-of.ts'
import type { Step } from '../../parts/timeline.tsx'
import { sentence, t } from '../../text/text.ts'

/** Steps in order; the last one is the end of the withdrawal. */
const STEPS = ['requested', 'approved', 'signed', 'included'] as const
type StepName = (typeof STEPS)[number]
type Names = ReadonlyMap<string, string> | undefined
const IN_A_BLOCK: readonly string[] = ['Included', 'Confirmed', 'Failed']

/**
 * The steps of a withdrawal, past and to come, with their times as far as the record and its events
 * know them. `eventTimes` are times by the type of the event; `waiting` is shown at the current
 * step, and `names` tell people from API keys.
 */
export function stepsOf(
  withdrawal: SingleWithdrawal,
  eventTimes: ReadonlyMap<string, string>,
  { waiting, names }: { waiting?: string | undefined; names?: Names },
): Step[] {
  const reached = reachedBy(withdrawal)
  const times = timesOf(withdrawal, eventTimes)
  const passed = STEPS.slice(0, reached).map((name): Step => {
    const detail = name === 'included' ? blockOf(withdrawal) : undefined
    return { ...stepOf(name, 'done'), at: times[name], detail }
  })
  const ending = endingOf(withdrawal, eventTimes, names)
  if (ending !== null) return [...passed, ending]
  const [current, ...later] = [...STEPS.slice(reached), 'completed'] as const
  const now: Step[] =
    current === undefined ? [] : [{ ...stepOf(current, 'current'), detail: waiting }]
  return [...passed, ...now, ...later.map((name) => stepOf(name, 'todo'))]
}

function stepOf(name: StepName | 'completed', state: Step['state']): Step {
  return { title: t(`withdrawal.step.${name}`), state }
}

/** The number of steps that are done. */
function reachedBy(withdrawal: SingleWithdrawal): number {
  const { status, transactions, approvals, requiredApprovals } = withdrawal
  const after = (name: StepName) => STEPS.indexOf(name) + 1
  if (transactions.some(({ state }) => IN_A_BLOCK.includes(state))) return after('included')
  if (transactions.length > 0) return after('signed')
  const counting = approvals.filter(({ voidedAt }) => voidedAt === null).length
  const isOver = status === 'Cancelled' || status === 'Failed'
  const isApproved = isOver ? counting >= requiredApprovals : status !== 'PendingApproval'
  return after(isApproved ? 'approved' : 'requested')
}

function timesOf(
  { createdAt, approvals, transactions }: SingleWithdrawal,
  eventTimes: ReadonlyMap<string, string>,
): Record<StepName, string | null> {
  const given = approvals.filter(({ voidedAt }) => voidedAt === null).map((one) => one.createdAt)
  return {
    requested: createdAt,
    approved: eventTimes.get('withdrawal.approved') ?? given.toSorted().at(-1) ?? null,
    signed: transactions[0]?.signedAt ?? null,
    included: null,
  }
}

function blockOf({ transactions }: SingleWithdrawal): string | undefined {
  const found = transactions.find(({ blockNumber }) => blockNumber !== null)
  return found === undefined
    ? undefined
    : t('withdrawal.inBlock', { block: String(found.blockNumber) })
}

function endingOf(
  { status, updatedAt, cancellation, txnError }: SingleWithdrawal,
  eventTimes: ReadonlyMap<string, string>,
  names: Names,
): Step | null {
  if (status === 'Completed') {
    const at = eventTimes.get('withdrawal.completed') ?? updatedAt
    return { ...stepOf('completed', 'done'), at }
  }
  if (status === 'Failed') {
    const at = eventTimes.get('withdrawal.failed') ?? updatedAt
    const detail = txnError === null ? undefined : sentence(txnError)
    return { title: t('withdrawal.step.failed'), state: 'failed', at, detail }
  }
  if (status !== 'Cancelled') return null
  if (cancellation === null)
    return { title: t('withdrawal.step.cancelled'), state: 'failed', at: updatedAt }
  const { kind, userId, name, at, reason } = cancellation
  const by = t('withdrawal.by', { name: personOf(name, userId, names) })
  const detail = `${by} ${reason ?? ''}`.trim()
  return { title: t(`withdrawal.step.${kind}`), state: 'failed', at, detail }
}
