import { jointIntent, type JointPaymentRequest } from '../../transactions/core/payment-request.ts'
import { partsOf } from '../../transactions/core/subjects.ts'
import type { SentJoint } from '../../transactions/send-joint.ts'
import { reviewEach } from './apply.ts'
import { type AnswerCode, answerOf } from './decide.ts'
import type { WithdrawalDeps } from './inspect.ts'
import { type Batch, jointRequestFor } from './payment-request.ts'

interface Sending {
  sendJoint: (request: JointPaymentRequest) => Promise<SentJoint>
  /** Withdrawals sent in this round. */
  sent: number
}

type Outcome = AnswerCode | 'sent'

/**
 * Quotes and sends a batch with one transaction, and reviews its withdrawals again if it was not
 * sent. If one of several keeps the others from being paid, they are paid apart.
 */
export async function payBatch(
  deps: WithdrawalDeps,
  sending: Sending,
  batch: Batch,
): Promise<Outcome> {
  const { adapter, catalogue, entry, caps, database } = deps
  const { from, intents } = batch
  const payments = [...intents].map(([subjectId, { to, amount }]) => ({ subjectId, to, amount }))
  const tokenId = catalogue.nativeToken(entry.id).id
  const intent = jointIntent({ chainId: entry.id, tokenId, from }, payments)
  const quote = await adapter.quote(intent, caps)
  const isOne = intents.size === 1
  if (!quote.ok) {
    const { code, message: says } = quote
    if (!isOne && code === 'RECIPIENT_REFUSES') return payApart(deps, sending, batch)
    if (!isOne && code === 'FEE_TOO_HIGH') return payAffordable(deps, sending, batch)
    return reviewEach(deps, batch, { code, says })
  }
  const sent = await sending.sendJoint(jointRequestFor(deps, { batch, terms: quote.terms }))
  if (sent.outcome !== 'sent') {
    const isOfOne = sent.outcome === 'too-dear' || sent.outcome === 'refused'
    if (!isOne && isOfOne) return payApart(deps, sending, batch)
    return reviewEach(deps, batch, answerOf(sent))
  }
  const { spend } = sent
  sending.sent += (await database.transaction((tx) => partsOf(tx, spend))).length
  return 'sent'
}

/**
 * Small payments can cost more together than may be paid for all: those that would cost too much by
 * themselves wait, and the others are paid without them.
 */
async function payAffordable(
  deps: WithdrawalDeps,
  sending: Sending,
  batch: Batch,
): Promise<Outcome> {
  const intents = new Map(batch.intents)
  for (const [id, intent] of batch.intents) {
    const quote = await deps.adapter.quote(intent, deps.caps)
    if (quote.ok) continue
    intents.delete(id)
    const only = { ...batch, intents: new Map([[id, intent]]) }
    await reviewEach(deps, only, { code: quote.code, says: quote.message })
  }
  if (intents.size === 0) return 'FEE_TOO_HIGH'
  const rest = { ...batch, intents }
  const pay = intents.size < batch.intents.size ? payBatch : payApart
  return pay(deps, sending, rest)
}

async function payApart(deps: WithdrawalDeps, sending: Sending, batch: Batch): Promise<Outcome> {
  let outcome: Outcome = 'sent'
  for (const entry of batch.intents) {
    outcome = await payBatch(deps, sending, { ...batch, intents: new Map([entry]) })
    if (outcome === 'busy' || outcome === 'halted' || outcome === 'frozen') break
  }
  return outcome
}
