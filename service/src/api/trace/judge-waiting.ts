import type { TraceStep } from '@sluice/wire'
import type { BlockRef } from '../../chains/port.ts'
import { type Deposit, confirmationsAt, confirmationsNeeded } from '../../deposits/deposit.ts'
import { confirmedHeight, settlingRule } from '../../deposits/due.ts'
import type { TraceFacts } from './facts.ts'
import { blocks, spanOf, step } from './step.ts'

/** The step of a detected payment, by the finality rule and last final block. Pure. */
export function judgeWaiting(
  facts: TraceFacts,
  payment: Pick<Deposit, 'block' | 'maturesAt'>,
): TraceStep {
  const wait = waitOf(facts, payment)
  return wait.remaining === 0 ? dueStep(wait) : waitingStep(facts, wait)
}

interface Wait {
  block: BlockRef
  /** The last final block; null if confirmations decide. */
  final: BlockRef | null
  confirmations: number
  required: number
  /** Blocks that must still become final or, if confirmations decide, be scanned. */
  remaining: number
}

function waitOf(
  { entry, state, catalogue }: TraceFacts,
  { block, maturesAt }: Pick<Deposit, 'block' | 'maturesAt'>,
): Wait {
  const { tip, final } = state ?? { tip: block, final: null }
  const required = catalogue.required(entry.id)
  const known = { rule: entry.finality, required, tip, final }
  // Coinbase outputs mature later than other outputs.
  const maturesIn = maturesAt === null ? 0 : maturesAt - tip.height
  return {
    block,
    final: settlingRule(known) === 'final' ? final : null,
    confirmations: confirmationsAt({ block }, tip.height),
    required: confirmationsNeeded({ block, maturesAt }, required),
    remaining: Math.max(0, block.height - confirmedHeight(known), maturesIn),
  }
}

function dueStep(wait: Wait): TraceStep {
  const message =
    wait.final === null
      ? 'It has its confirmations; it is judged with the next block.'
      : 'Its block is final; it is judged with the next block.'
  return step('BEING_CONFIRMED', message, figuresOf(wait))
}

/** Estimates the seconds from the block time of the chain. */
function waitingStep({ entry }: TraceFacts, wait: Wait): TraceStep {
  const { block, final, confirmations, required, remaining } = wait
  const seconds = Math.ceil(remaining * entry.blockTimeSeconds)
  const toCome = `${remaining} more ${blocks(remaining)}, about ${spanOf(seconds)}.`
  const details = { ...figuresOf(wait), remaining, seconds }
  const code = 'WAITING_FOR_CONFIRMATIONS'
  if (final !== null) {
    const message =
      `It waits until ${entry.name} calls its block ${block.height} final. The last final ` +
      `block is ${final.height}: ${toCome}`
    return step(code, message, details)
  }
  const instead = ` No node of ${entry.name} names the final block, so confirmations decide.`
  const message =
    `${confirmations} of ${required} confirmations: ${toCome}` +
    (entry.finality === 'final' ? instead : '')
  return step(code, message, details)
}

function figuresOf({ block, final, confirmations, required }: Wait) {
  return final === null
    ? { rule: 'depth', confirmations, required }
    : {
        rule: 'final',
        confirmations,
        blockNumber: block.height,
        finalBlockNumber: final.height,
      }
}
