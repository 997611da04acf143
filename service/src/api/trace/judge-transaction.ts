import type { TraceStep } from '@sluice/wire'
import type { BlockRef } from '../../chains/port.ts'
import { isOwnTraffic } from '../../transactions/core/spend.ts'
import type { TraceFacts } from './facts.ts'
import { blocks, spanOf, step } from './step.ts'

/** What holds for a transaction as a whole, in the order in which it matters. Pure. */
export function judgeTransaction(facts: TraceFacts): TraceStep[] {
  const { state, entry } = facts
  if (state === null)
    return [
      step('CHAIN_NOT_FOLLOWED', `${entry.name} is not followed here: no node of it was reached.`),
    ]
  const condition = conditionStep(facts)
  return [
    ...nodeSteps(facts),
    ...blockSteps(facts),
    ...(condition === null ? [] : [condition]),
    ...ownSteps(facts),
  ]
}

/** Where the transaction stands: as the nodes say, else as our own records do. */
export function blockOf({ seen, deposits, fundings }: TraceFacts): BlockRef | null {
  if (typeof seen !== 'string') return seen.block
  return [...deposits, ...fundings].find(({ status }) => status !== 'Orphaned')?.block ?? null
}

/** Whether its block lies above the last one that was read. */
export function isAhead({ state }: TraceFacts, block: BlockRef): boolean {
  return state !== null && block.height > state.tip.height
}

/** Why nothing is credited on the chain at the moment, whatever it is; null where it runs. */
export function conditionStep({ state, isDisputed, entry }: TraceFacts): TraceStep | null {
  const { name } = entry
  if (state?.condition === 'frozen')
    return step('CHAIN_FROZEN', `${name} is frozen: nothing is credited until it is resumed.`)
  if (state?.condition === 'halted')
    return step('CHAIN_HALTED', `${name} is halted: nothing is read until it is resumed.`)
  if (!isDisputed) return null
  const message =
    `The nodes of ${name} disagree about its blocks: nothing is credited until they agree, or ` +
    'an operator has looked.'
  return step('CHAIN_DISPUTED', message)
}

function nodeSteps(facts: TraceFacts): TraceStep[] {
  const { seen, entry, txnHash } = facts
  if (seen === 'unasked') return []
  if (seen === 'away')
    return [step('NODE_AWAY', `No node of ${entry.name} answers now; ask again in a minute.`)]
  if (seen === 'unknown') {
    const more = entry.mayLackIndex
      ? ' A node without an index of transactions knows only those that wait.'
      : ''
    // A node that keeps no index finds nothing that stands in a block; our records do.
    if (blockOf(facts) !== null) return []
    const message =
      `The nodes of ${entry.name} know no transaction ${txnHash}. Compare the hash and the ` +
      'network with what the sender’s wallet shows; one that was replaced or dropped never ' +
      `comes.${more}`
    return [step('TRANSACTION_NOT_FOUND', message)]
  }
  if (seen.block === null)
    return [
      step('TRANSACTION_WAITS', 'It is known and waits for a block; the sender may speed up.'),
    ]
  const { height, hash } = seen.block
  const found = step('TRANSACTION_FOUND', `It stands in block ${height}.`, {
    blockNumber: height,
    blockHash: hash,
  })
  if (seen.succeeded !== false) return [found]
  const failed = 'It failed on the chain and moved nothing: the sender still has the money.'
  return [found, step('TRANSACTION_FAILED', failed)]
}

function ownSteps({ own }: TraceFacts): TraceStep[] {
  if (own === null) return []
  if (!isOwnTraffic({ purpose: own }))
    return [step('OWN_WITHDRAWAL', 'It pays a withdrawal of yours.', { purpose: own })]
  const message = `It is a ${own} of ours: it moves money between your own addresses.`
  return [step('OWN_TRANSACTION', message, { purpose: own })]
}

function blockSteps(facts: TraceFacts): TraceStep[] {
  const { state, seen, now } = facts
  const block = blockOf(facts)
  if (state === null || block === null) return []
  if (typeof seen !== 'string' && seen.succeeded === false) return []
  if (isAhead(facts, block)) {
    const blocksBehind = block.height - state.tip.height
    const secondsBehind = Math.max(0, Math.round((now - state.tipTime) / 1_000))
    const message =
      `Its block is not read yet: it is ${blocksBehind} ${blocks(blocksBehind)} above the ` +
      `last one that was read, which is ${spanOf(secondsBehind)} old.`
    return [step('NOT_YET_SCANNED', message, { blocksBehind, secondsBehind })]
  }
  const isKnown = facts.deposits.length + facts.fundings.length > 0
  if (block.height <= state.startHeight && !isKnown) {
    const message =
      `The chain is read from block ${state.startHeight + 1} on; an operator can have an older ` +
      `block read with \`sluice chain rescan ${facts.entry.id} --from <height> --to <height>\`.`
    return [step('BEFORE_START', message, { startHeight: state.startHeight })]
  }
  const message = `Its block was read; the last one read is ${state.tip.height}.`
  return [step('BLOCK_READ', message, { blockNumber: block.height, tip: state.tip.height })]
}
