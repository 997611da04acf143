import { assert } from '../base/assert.ts'
import { Refusal } from '../base/fault.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { raiseAlert, resolveAlerts } from '../alerts/raise-alert.ts'
import { selectLastActions } from '../audit-log/rows.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../store/database.ts'
import {
  type Deposit,
  type Funding,
  type IncomingTransfer,
  MOVES,
  type Move,
  isDeposit,
  isFunding,
} from './deposit.ts'
import { emitHeld } from './emit.ts'
import { heldPosting, releasedPosting } from './postings.ts'
import { lockById, moveRows } from './rows.ts'

/** Actions in the audit log. The audit clears deposits, operators hold and release. */
export const CLEAR = 'deposit.clear'
const HOLD = 'deposit.hold'
const RELEASE = 'deposit.release'
const RELEASE_FUNDING = 'funding.release'

/** Actor in the audit log of a deposit that is held again. */
const SCANNER = 'scanner'

/** Actor and reason for the audit log. */
interface Decision {
  actor: string
  reason: string
}

/**
 * Holds a deposit that is not credited yet; audit-logged, emits `deposit.held`. Refuses with
 * NOT_FOUND, and with BAD_REQUEST if the status of the deposit does not permit it.
 */
export async function holdDeposit(
  tx: Tx,
  { catalogue, depositId, ...decision }: Decision & { catalogue: Catalogue; depositId: string },
): Promise<Deposit> {
  const before = await lockDeposit(tx, depositId, MOVES.hold)
  await post(tx, [heldPosting(before)])
  const deposit = await moveByOperator(tx, before, { ...decision, move: MOVES.hold, action: HOLD })
  const chain = await readChainState(tx, deposit.chainId)
  emitHeld(tx, catalogue, deposit, chain?.tip ?? deposit.block)
  return deposit
}

/**
 * Releases a held deposit: it is Detected again, and the next step credits it without a check.
 * Audit-logged. Refuses with NOT_FOUND, and with BAD_REQUEST if the deposit is not held.
 */
export async function releaseDeposit(
  tx: Tx,
  { depositId, ...decision }: Decision & { depositId: string },
): Promise<Deposit> {
  const before = await lockDeposit(tx, depositId, MOVES.release)
  return release(tx, before, { ...decision, action: RELEASE })
}

/** Releases a held funding as `releaseDeposit` does a deposit. */
export async function releaseFunding(
  tx: Tx,
  { fundingId, ...decision }: Decision & { fundingId: string },
): Promise<Funding> {
  const found = await lockById(tx, fundingId)
  if (found === null || !isFunding(found)) {
    throw new Refusal('NOT_FOUND', { fundingId }, `There is no funding ${fundingId}.`)
  }
  if (found.status !== 'Held') {
    const says = `The funding is ${found.status}; this needs Held.`
    throw new Refusal('BAD_REQUEST', { fundingId, status: found.status }, says)
  }
  return release(tx, found, { ...decision, action: RELEASE_FUNDING })
}

async function lockDeposit(tx: Tx, depositId: string, move: Move): Promise<Deposit> {
  const deposit = await lockById(tx, depositId)
  if (deposit === null || !isDeposit(deposit)) {
    throw new Refusal('NOT_FOUND', { depositId }, `There is no deposit ${depositId}.`)
  }
  if (!move.from.includes(deposit.status)) {
    const says = `The deposit is ${deposit.status}; this needs ${move.from.join(' or ')}.`
    throw new Refusal('BAD_REQUEST', { depositId, status: deposit.status }, says)
  }
  return deposit
}

async function release<T extends IncomingTransfer>(
  tx: Tx,
  held: T,
  decision: Decision & { action: string },
): Promise<T> {
  await post(tx, [releasedPosting(held)])
  await resolveHeld(tx, [held])
  return moveByOperator(tx, held, { ...decision, move: MOVES.release })
}

async function moveByOperator<T extends IncomingTransfer>(
  tx: Tx,
  before: T,
  { move, actor, action, reason }: Decision & { move: Move; action: string },
): Promise<T> {
  const [moved] = await moveRows(tx, { transfers: [before], move, cause: reason })
  assert(moved, 'a locked transfer did not move', { id: before.id })
  const { orgId, id: object } = moved
  await writeAudit(tx, { orgId, actor, action, object, details: { reason } })
  return moved
}

/**
 * Holds returned deposits again that an operator had held and did not release: a reorg
 * does not undo the decision of an operator. Other held deposits are judged again. They are
 * Detected, and booked so.
 */
export async function holdAgain(
  tx: Tx,
  { catalogue, returned }: { catalogue: Catalogue; returned: readonly Deposit[] },
): Promise<void> {
  if (returned.length === 0) return
  const objects = returned.map(({ id }) => id)
  const actions = await selectLastActions(tx, { objects, actions: [HOLD, RELEASE] })
  for (const depositId of objects) {
    const last = actions.get(depositId)
    if (last?.action !== HOLD) continue
    const { reason } = last.details
    assert(typeof reason === 'string', 'a hold without a reason', { depositId })
    await holdDeposit(tx, { catalogue, depositId, actor: SCANNER, reason })
  }
}

/**
 * Ids of those transfers that an operator released last. One that the audit cleared is not among
 * them: the audit only confirmed its balance.
 */
export async function releasedAmong(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const releases = [RELEASE, RELEASE_FUNDING]
  const last = await selectLastActions(tx, { objects: ids, actions: [HOLD, CLEAR, ...releases] })
  return new Set(ids.filter((id) => releases.includes(last.get(id)?.action ?? '')))
}

/** Raises the alert of a held transfer, with the cause stored in it. */
export async function raiseHeld(tx: Tx, transfer: IncomingTransfer): Promise<void> {
  const { id, address, heldCause, chainId, tokenId, txnHash } = transfer
  const subject = isDeposit(transfer) ? `A deposit to ${address}` : `Money that reached ${address}`
  await raiseAlert(tx, {
    code: heldAlert(transfer),
    orgId: transfer.orgId,
    subject: id,
    message: `${subject} is held: ${heldCause}.`,
    details: { chainId, tokenId, txnHash },
  })
}

/** Resolves the alerts of transfers that are not held any more. */
export async function resolveHeld(tx: Tx, transfers: readonly IncomingTransfer[]): Promise<void> {
  for (const code of ['deposit.held', 'funding.held'] as const) {
    const held = transfers.filter((transfer) => heldAlert(transfer) === code)
    await resolveAlerts(tx, { code, subjects: held.map(({ id }) => id) })
  }
}

function heldAlert(transfer: IncomingTransfer): 'deposit.held' | 'funding.held' {
  return isDeposit(transfer) ? 'deposit.held' : 'funding.held'
}
