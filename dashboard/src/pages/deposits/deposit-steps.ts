import type { Client } from '@sluice/client'
import { formatProgress, type Progress } from '../../data/progress.ts'
import { formatTime } from '../../data/times.ts'
import type { Step } from '../../parts/timeline.tsx'
import { sentence, t } from '../../text/text.ts'

export type SingleDeposit = Awaited<ReturnType<Client['payments']['deposit']>>

/**
 * The way of a deposit: seen, in a block, confirmed, credited, notified, swept. Its notification is
 * the delivery to the default one of the organization's webhook endpoints.
 */
export function stepsOf(
  deposit: SingleDeposit,
  progress: Progress | undefined,
  endpointCount = 1,
): Step[] {
  return [
    { title: t('deposit.step.seen'), state: 'done', at: deposit.detectedAt },
    inBlock(deposit),
    confirmed(deposit, progress),
    credited(deposit),
    notified(deposit, endpointCount),
    ...swept(deposit),
  ]
}

function inBlock({ status, blockNumber }: SingleDeposit): Step {
  const title = t('deposit.step.inBlock')
  if (status === 'Orphaned')
    return { title, state: 'failed', detail: t('deposit.step.orphaned', { block: blockNumber }) }
  return { title, state: 'done', detail: t('deposit.step.block', { block: blockNumber }) }
}

function confirmed(deposit: SingleDeposit, progress: Progress | undefined): Step {
  const { status, confirmations, requiredConfirmations: required } = deposit
  const title = t('deposit.step.confirmed')
  if (status === 'Orphaned') return { title, state: 'todo' }
  const counted = t('progress.counted', { confirmations, required })
  if (status === 'Detected')
    return { title, state: 'current', detail: progress ? formatProgress(progress) : counted }
  return { title, state: 'done', ...(confirmations <= required && { detail: counted }) }
}

function credited({ status, confirmedAt, heldReason }: SingleDeposit): Step {
  const title = t('deposit.step.credited')
  if (status === 'Confirmed') return { title, state: 'done', at: confirmedAt }
  if (status === 'Held')
    return { title, state: 'failed', detail: heldReason ?? t('trace.code.HELD') }
  if (status === 'BelowMinimum')
    return { title, state: 'current', detail: t('trace.code.BELOW_MINIMUM') }
  return { title, state: 'todo' }
}

function notified({ status, notification }: SingleDeposit, endpointCount: number): Step {
  const title = t('deposit.step.notified')
  if (notification === null) return { title, state: 'todo' }
  const { state, finishedAt, lastError, nextAttemptAt, attemptCount } = notification.delivery
  if (state === 'delivered') {
    const others = endpointCount > 1 ? { detail: t('deposit.step.byDefault') } : {}
    return { title, state: 'done', at: finishedAt, ...others }
  }
  if (state === 'none') return { title, state: 'todo', detail: t('deposit.step.noEndpoint') }
  const tried = t('deposit.step.attempts', { count: attemptCount })
  const reason = lastError === '' ? tried : `${tried} ${sentence(lastError)}`
  if (state === 'failed') return { title, state: 'failed', at: finishedAt, detail: reason }
  const next =
    nextAttemptAt === null ? '' : t('deposit.step.nextAttempt', { time: formatTime(nextAttemptAt) })
  return {
    title,
    state: status === 'Confirmed' ? 'current' : 'todo',
    detail: attemptCount === 0 ? t('deposit.step.sending') : `${reason} ${next}`.trim(),
  }
}

/** Deposits of Bitcoin and of the XRP Ledger are not swept. */
function swept({ chainId, status, sweep }: SingleDeposit): Step[] {
  const title = t('deposit.step.swept')
  if (sweep === null) {
    const isNever = /^(?:bip122|xrpl):/.test(chainId)
    const isNext = status === 'Confirmed'
    if (isNever) return []
    return [{ title, state: 'todo', ...(isNext && { detail: t('deposit.step.notSwept') }) }]
  }
  const detail = t(`sweeps.status.${sweep.status}`)
  if (sweep.status === 'Done') return [{ title, state: 'done', at: sweep.updatedAt }]
  return [{ title, state: sweep.status === 'Failed' ? 'failed' : 'current', detail }]
}
