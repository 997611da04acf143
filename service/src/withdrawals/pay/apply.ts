import { readChainState } from '../../catalogue/chain-state.ts'
import { signingHaltedBy } from '../../audit-log/signing-halt.ts'
import type { Tx } from '../../store/database.ts'
import { isDisputed } from '../../transactions/core/lock-sender.ts'
import { voidApprovals } from '../approval-rows.ts'
import { moveWithdrawal, noteWaiting } from '../rows.ts'
import { failWithdrawal } from '../settle/fail.ts'
import { raiseTamperAlert } from '../tampered.ts'
import { MOVES, type Move, type Withdrawal } from '../withdrawal.ts'
import { raiseUnsigned, raiseWaiting } from './alerts.ts'
import { type Answer, type AnswerCode, type Decision, decide } from './decide.ts'
import { type WithdrawalDeps, inspect } from './inspect.ts'
import type { Batch } from './payment-request.ts'
import { forgetWaiting, markRunning, markStopped, markWaiting } from './waiting-rows.ts'

/** A failure before the signature. */
const UNSIGNED: Move = { from: ['Pending'], to: 'Failed' }

type Named = Pick<Withdrawal, 'orgId' | 'id'>

/**
 * Reads a withdrawal, decides and applies the decision in one commit: before nodes are queried
 * (`answer` is null), and with what they or the signing transaction answered.
 */
export function review(
  deps: WithdrawalDeps,
  { orgId, id, isGasGone = false }: Named & { isGasGone?: boolean },
  answer: Answer | null,
): Promise<Decision> {
  return deps.database.transaction(async (tx) => {
    const [facts = null] = await inspect(tx, deps, { orgId, ids: [id], isGasGone })
    const decision = decide(facts, answer)
    await applyDecision(tx, deps, { orgId, id, decision })
    return decision
  })
}

/** Reviews the withdrawals of a batch that was not sent; an answer about all is applied once. */
export async function reviewEach(
  deps: WithdrawalDeps,
  { orgId, from, intents }: Batch,
  answer: Answer,
): Promise<AnswerCode> {
  if (answer.code === 'halted')
    deps.log.warn({ sender: from, cause: answer.says }, 'a sender is halted')
  for (const id of intents.keys()) {
    const { act } = await review(deps, { orgId, id }, answer)
    if (act === 'wait-together' || act === 'stop') break
  }
  return answer.code
}

/** Writes what a decision changes, with its alerts and events. The row is locked. */
async function applyDecision(
  tx: Tx,
  deps: Pick<WithdrawalDeps, 'catalogue' | 'entry' | 'gasShort' | 'told'>,
  { orgId, id, decision }: Named & { decision: Decision },
): Promise<void> {
  const { catalogue, entry } = deps
  const { id: chainId } = entry
  if ('alert' in decision && decision.alert === 'gas-short')
    await deps.gasShort(tx, { orgId, chainId })
  switch (decision.act) {
    case 'skip':
    case 'stop':
      return
    case 'pay':
      if (decision.isResumed) await forgetWaiting(tx, { chainId, id, waitingFor: 'operator' })
      return
    case 'wait':
      return wait(tx, deps, { orgId, id, ...decision })
    case 'wait-together':
      return markWaiting(tx, { chainId, orgId, ...decision })
    case 'recall':
      await voidApprovals(tx, { orgId, approvals: decision.voided })
      await moveWithdrawal(tx, { orgId, id, move: MOVES.recall })
      return
    case 'report':
      return report(tx, deps, { orgId, id, cause: decision.cause })
    case 'fail':
      await failWithdrawal(tx, { catalogue, orgId, id, ...decision, move: UNSIGNED })
  }
}

/**
 * Whether withdrawals of a chain may be paid now. If not, no node is queried about them: its answer
 * about a branch that is not ours, or about payments that a restored database does not know, proves
 * nothing (R04, N05, W25). Their time to wait restarts when the chain resumes.
 */
export async function reviewChain(
  tx: Tx,
  { entry: { id: chainId }, serviceKey }: Pick<WithdrawalDeps, 'entry' | 'serviceKey'>,
): Promise<boolean> {
  // The ledger or the audit log is broken.
  if ((await signingHaltedBy(tx, serviceKey)) !== null) {
    await markWaiting(tx, { chainId, waitingFor: 'operator' })
    return false
  }
  const state = await readChainState(tx, chainId)
  const isRunning = state?.condition === 'running'
  // A small reorg ends in a moment and gives no withdrawal more time.
  if (isRunning && state.isUndoing) return false
  if (isRunning && !(await isDisputed(tx, chainId))) {
    await markRunning(tx, chainId)
    return true
  }
  await markWaiting(tx, { chainId, waitingFor: 'chain' })
  await markStopped(tx, chainId)
  return false
}

async function wait(
  tx: Tx,
  deps: Pick<WithdrawalDeps, 'catalogue' | 'entry'>,
  { orgId, id, waitingFor, alert, says }: Named & Extract<Decision, { act: 'wait' }>,
): Promise<void> {
  const withdrawal = await noteWaiting(tx, { orgId, id, waitingFor })
  if (withdrawal === null || alert === undefined || alert === 'gas-short') return
  if (alert === 'refused') return raiseUnsigned(tx, withdrawal, says ?? '')
  await raiseWaiting(tx, deps, { withdrawal, alert })
}

/** A tampered withdrawal is reviewed in every round; each process raises its alert once. */
async function report(
  tx: Tx,
  { entry: { id: chainId }, told }: Pick<WithdrawalDeps, 'entry' | 'told'>,
  { orgId, id, cause }: Named & { cause: string },
): Promise<void> {
  if (told?.has(id) !== true) {
    tx.afterCommit(() => void told?.add(id))
    await raiseTamperAlert(tx, { orgId, id, chainId }, cause)
  }
  await noteWaiting(tx, { orgId, id, waitingFor: 'operator' })
}
