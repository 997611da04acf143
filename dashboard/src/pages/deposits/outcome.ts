import type { Deposit, TraceStep } from '@sluice/client'
import { formatAmount, type Unit } from '../../data/amounts.ts'
import { isMoving, isUnknown, type TraceCode } from '../../data/trace-codes.ts'
import type { Tone } from '../../parts/chip.tsx'
import type { Step } from '../../parts/timeline.tsx'
import { t } from '../../text/text.ts'

/** The token of an id, if the catalogue has it. */
export type TokenOf = (tokenId: string | null) => Unit | undefined

const FACTS: ReadonlySet<TraceCode> = new Set([
  'TRANSACTION_FOUND',
  'BLOCK_READ',
  'RECIPIENT_IS_USER',
  'RECIPIENT_IS_SETTLEMENT',
  'RECIPIENT_IS_GAS',
  'OTHER_NETWORK',
  'TOKEN_DISABLED',
  'OWN_TRANSACTION',
  'OWN_WITHDRAWAL',
  'DETECTED',
])

/** How good an outcome is for the end user. */
export function toneOf(code: TraceCode): Tone {
  if (code === 'CREDITED') return 'success'
  if (isMoving(code)) return 'info'
  return FACTS.has(code) ? 'neutral' : 'warning'
}

/**
 * The steps of a trace for a timeline; the last one is the outcome. A code may come up for the
 * transaction and again for a payment: the later one counts. Nodes that know nothing of a
 * transaction do not matter once the records of the service have it.
 */
export function toSteps(
  steps: readonly TraceStep[],
  outcome: TraceCode,
  toText: (step: TraceStep) => string | null,
): Step[] {
  const shown = steps.filter(({ code }, index) => {
    const later = steps.slice(index + 1)
    return !later.some((step) => step.code === code) && (later.length === 0 || !isUnknown(code))
  })
  return shown.map((step, index) => {
    const isLast = index === shown.length - 1
    const { at } = step.details
    const text = toText(step)
    return {
      title: t(`trace.code.${step.code}`),
      state: isLast ? stateOf(outcome) : pastStateOf(step.code),
      at: typeof at === 'string' && at !== '' ? at : null,
      ...(text !== null && { detail: text }),
    }
  })
}

function pastStateOf(code: TraceCode): Step['state'] {
  return toneOf(code) === 'warning' ? 'failed' : 'done'
}

function stateOf(outcome: TraceCode): Step['state'] {
  if (isMoving(outcome)) return 'current'
  return outcome === 'CREDITED' || FACTS.has(outcome) ? 'done' : 'failed'
}

/**
 * The answer on a payment in words: its last step, and each earlier step that went wrong. Empty if
 * the title says everything.
 */
export function answerOf(
  steps: readonly TraceStep[],
  toText: (step: TraceStep) => string | null,
): string {
  const telling = steps.filter(
    ({ code }, index) => index === steps.length - 1 || toneOf(code) === 'warning',
  )
  return telling.flatMap((step) => toText(step) ?? []).join(' ')
}

/** A step in words, with amounts in units of the token. Null if its title says everything. */
export function detailOf({ code, message, details }: TraceStep, token?: Unit): string | null {
  if (code === 'CREDITED') return null
  if (code !== 'BELOW_MINIMUM' || token === undefined || details['missing'] === undefined)
    return message
  const amountOf = (name: string) => formatAmount(String(details[name] ?? '0'), token)
  return t('trace.belowMinimum', {
    arrived: amountOf('arrived'),
    minimum: amountOf('minimum'),
    missing: amountOf('missing'),
  })
}

/** Why a deposit is not credited: a step of its trace, or its own record before the trace. */
export type Reason = Pick<TraceStep, 'code' | 'message' | 'details'>

const CODES = {
  Detected: 'DETECTED',
  Confirmed: 'CREDITED',
  BelowMinimum: 'BELOW_MINIMUM',
  Held: 'HELD',
  Orphaned: 'ORPHANED',
} as const satisfies Record<Deposit['status'], TraceCode>

/** The reason of a deposit, from its trace if the trace is read. */
export function reasonOf(
  { status, heldReason }: Pick<Deposit, 'status'> & { heldReason: string | null },
  step: TraceStep | undefined,
): Reason {
  return step ?? { code: CODES[status], message: heldReason ?? '', details: {} }
}
