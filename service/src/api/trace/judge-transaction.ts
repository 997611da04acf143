import type { TraceStep } from '@sluice/wire'
import type { BlockRef } from '../../chains/port.ts'
import { isOwnTraffic } from '../../transactions/core/spend.ts'
import type { TraceFacts } from './facts.ts'
import { blocks, spanOf, step } from './step.ts'

/** The facts about a transaction as a whole, in order of importance. Pure. */
export function judgeTransaction(facts: TraceFacts): TraceStep[] {
  const { state, entry } = facts
  if (state === null)
    return [
      step(
        'CHAIN_NOT_FOLLOWED',
        `${entry.name} is not scanned: none of its nodes was ever reached.`,
      ),
    ]
  const condition = conditionStep(facts)
  return [
    ...nodeSteps(facts),
    ...blockSteps(facts),
    ...(condition === null ? [] : [condition]),
    ...ownSteps(facts),
  ]
}

/** The block of the transaction, from the nodes or else from our own records. */
export function blockOf({ seen, deposits, fundings }: TraceFacts): BlockRef | null {
  if (typeof seen !== 'string') return seen.block
  return [...deposits, ...fundings].find(({ status }) => status !== 'Orphaned')?.block ?? null
}

/** Whether its block is above our tip. */
export function isAhead({ state }: TraceFacts, block: BlockRef): boolean {
  return state !== null && block.height > state.tip.height
}

/** Why the chain credits no payment at the moment; null if it does. */
export function conditionStep({ state, isDisputed, entry }: TraceFacts): TraceStep | null {
  const { name } = entry
  if (state?.condition === 'frozen')
    return step(
      'CHAIN_FROZEN',
      `${name} is frozen: deposits are credited after an operator resumes it.`,
    )
  if (state?.condition === 'halted')
    return step('CHAIN_HALTED', `${name} is halted: it is scanned after an operator resumes it.`)
  if (!isDisputed) return null
  const message =
    `The nodes of ${name} disagree about its blocks: deposits are credited once they agree or ` +
    'an operator has decided.'
  return step('CHAIN_DISPUTED', message)
}

function nodeSteps(facts: TraceFacts): TraceStep[] {
  const { seen, entry, txnHash } = facts
  if (seen === 'unasked') return []
  if (seen === 'away')
    return [step('NODE_AWAY', `No node of ${entry.name} answers; try again in a minute.`)]
  if (seen === 'unknown') {
    const more = entry.mayLackIndex
      ? ' A node without an index of transactions knows only unconfirmed ones.'
      : ''
    // A node without an index finds no included transaction; our records do.
    if (blockOf(facts) !== null) return []
    const message =
      `The nodes of ${entry.name} do not know transaction ${txnHash}. Compare the hash and the ` +
      'network with those in the sender’s wallet; a replaced or dropped transaction never ' +
      `arrives.${more}`
    return [step('TRANSACTION_NOT_FOUND', message)]
  }
  if (seen.block === null)
    return [step('TRANSACTION_WAITS', 'Not included in a block yet; the sender can raise its fee.')]
  const { height, hash } = seen.block
  const found = step('TRANSACTION_FOUND', `Included in block ${height}.`, {
    blockNumber: height,
    blockHash: hash,
  })
  if (seen.succeeded !== false) return [found]
  const failed = 'It failed on the chain and moved no tokens: the sender still has them.'
  return [found, step('TRANSACTION_FAILED', failed)]
}

function ownSteps({ own }: TraceFacts): TraceStep[] {
  if (own === null) return []
  if (!isOwnTraffic({ purpose: own }))
    return [step('OWN_WITHDRAWAL', 'It pays one of your withdrawals.', { purpose: own })]
  const message = `Internal transaction (${own}): it moves tokens between your own addresses.`
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
      `Its block is not scanned yet: it is ${blocksBehind} ${blocks(blocksBehind)} above the ` +
      `last scanned block, which is ${spanOf(secondsBehind)} old.`
    return [step('NOT_YET_SCANNED', message, { blocksBehind, secondsBehind })]
  }
  const isKnown = facts.deposits.length + facts.fundings.length > 0
  if (block.height <= state.startHeight && !isKnown) {
    const message =
      `The chain is scanned from block ${state.startHeight + 1} on; an operator can rescan ` +
      `an older block with \`sluice chain rescan ${facts.entry.id} --from <height> --to <height>\`.`
    return [step('BEFORE_START', message, { startHeight: state.startHeight })]
  }
  const message = `Its block was scanned; the last scanned block is ${state.tip.height}.`
  return [step('BLOCK_READ', message, { blockNumber: block.height, tip: state.tip.height })]
}
