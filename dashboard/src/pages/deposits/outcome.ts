import type { Deposit, TraceStep } from '@sluice/client'
import { formatAmount, type Unit } from '../../data/amounts.ts'
import { isMoving, type TraceCode } from '../../data/trace-codes.ts'
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
 * transaction and again for a payment: the later one counts.
 */
export function toSteps(
  steps: readonly TraceStep[],
  outcome: TraceCode,
  toText: (step: TraceStep) => string | null,
): Step[] {
  const shown = steps.filter(
    ({ code }, index) => !steps.slice(index + 1).some((later) => later.code === code),
  )
  return shown.map((step, index) => {
    const isLast = index === shown.length - 1
    const { at } = step.details
    const text = toText(step)
    return {
      title: t(`trace.code.${step.code}`),
      state: isLast ? stateOf(outcome) : 'done',
      at: typeof at === 'string' && at !== '' ? at : null,
      ...(text !== null && { detail: text }),
    }
  })
}

function stateOf(outcome: TraceCode): Step['state'] {
  if (isMoving(outcome)) return 'current'
  return outcome === 'CREDITED' || FACTS.has(outcome) ? 'done' : 'failed'
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
