import { refuse } from './scripted-node.ts'
import type { Answer } from './scripted-node.ts'
import { answersOf, CONTRACT_CALL, traceOf } from './scripted-chain.ts'

/** Transfers of a traced block, inner ones included. */
export const INNER = ['tx', 'call:1', 'log:0']
export const AUTO = { traces: 'auto' as const }
export const busy: Answer = () => refuse(-32005, 'busy')

/** A chain of one block that moves money inside, on a node that knows these ways of tracing. */
export function tracedBy(methods: readonly string[]): Record<string, Answer> {
  const made = answersOf([CONTRACT_CALL])
  const { calls, frames } = traceOf(made.block)
  const offers: Record<string, Answer> = {
    trace_block: (height: string) => (height === '0x0' ? [] : frames),
    debug_traceBlockByNumber: () => refuse(-32000, 'genesis is not traceable'),
    debug_traceBlockByHash: () => calls,
  }
  for (const [method, answer] of Object.entries(offers)) {
    if (methods.some((name) => method.startsWith(name))) made.answers[method] = answer
  }
  return made.answers
}
