import { Refusal } from '../base/fault.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { resolveAlert } from '../journal/raise-alert.ts'
import { writeAudit } from '../journal/write-audit.ts'
import { post } from '../ledger/post.ts'
import { held, released } from '../ledger/posting.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import { type Deposit, MOVES, type Move } from './deposit.ts'
import { depositPayload } from './payload.ts'
import { lockById, moveRows } from './rows.ts'

/** What an operator's words are called in the audit log. */
export const [HOLD, RELEASE] = ['deposit.hold', 'deposit.release'] as const

interface OperatorMove {
  catalogue: Catalogue
  depositId: string
  actor: string
  reason: string
}

/**
 * Stops a deposit that is not credited yet, on an operator's word; audit-logged and told with
 * `deposit.held`. Refuses with NOT_FOUND, and with BAD_REQUEST where the deposit is in another
 * state.
 */
export async function holdDeposit(tx: Tx, given: OperatorMove): Promise<Deposit> {
  const before = await lockMovable(tx, given.depositId, MOVES.hold)
  await post(tx, [held(before)])
  const moving = { ...given, before, move: MOVES.hold, action: HOLD }
  const deposit = await moveByOperator(tx, moving)
  const token = given.catalogue.summary(deposit.tokenId)
  const chain = await readChainState(tx, deposit.chainId)
  const tipHeight = chain?.tip.height ?? deposit.block.height
  appendEvent(tx, {
    orgId: deposit.orgId,
    type: 'deposit.held',
    subjectId: deposit.id,
    payload: { ...depositPayload(deposit, { token, tipHeight }), reason: given.reason },
  })
  return deposit
}

/**
 * Lets a held deposit go: it is Detected again and credited by the next step, whatever held it.
 * Audit-logged. Refuses with NOT_FOUND, and with BAD_REQUEST where the deposit is not held.
 */
export async function releaseDeposit(tx: Tx, given: OperatorMove): Promise<Deposit> {
  const before = await lockMovable(tx, given.depositId, MOVES.release)
  await post(tx, [released(before)])
  await resolveAlert(tx, { code: 'deposit.held', subject: before.id })
  const moving = { ...given, before, move: MOVES.release, action: RELEASE }
  return moveByOperator(tx, moving)
}

async function lockMovable(tx: Tx, depositId: string, move: Move): Promise<Deposit> {
  const deposit = await lockById(tx, depositId)
  if (deposit === null) {
    throw new Refusal('NOT_FOUND', { depositId }, `There is no deposit ${depositId}.`)
  }
  if (!move.from.includes(deposit.status)) {
    const says = `The deposit is ${deposit.status}; this needs ${move.from.join(' or ')}.`
    throw new Refusal('BAD_REQUEST', { depositId, status: deposit.status }, says)
  }
  return deposit
}

async function moveByOperator(
  tx: Tx,
  given: OperatorMove & { before: Deposit; move: Move; action: string },
): Promise<Deposit> {
  const moving = { deposits: [given.before], move: given.move, cause: given.reason }
  const [deposit] = await moveRows(tx, moving)
  if (deposit === undefined) throw new Refusal('NOT_FOUND', { depositId: given.depositId })
  await writeAudit(tx, {
    orgId: deposit.orgId,
    actor: given.actor,
    action: given.action,
    object: deposit.id,
    details: { reason: given.reason },
  })
  return deposit
}
