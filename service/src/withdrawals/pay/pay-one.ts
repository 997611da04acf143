import { assert } from '../../base/assert.ts'
import { lendEnergy, lentFor, withLoan } from '../../gas/lend.ts'
import type { PaymentRequest, Sent } from '../../transactions/core/payment-request.ts'
import { countPending } from '../rows.ts'
import { raiseRefused, resolveRefused } from './alerts.ts'
import { reviewEach } from './apply.ts'
import { type AnswerCode, answerOf } from './decide.ts'
import type { WithdrawalDeps } from './inspect.ts'
import { type Batch, requestFor } from './payment-request.ts'

interface Sending {
  send: (request: PaymentRequest) => Promise<Sent>
  /** Accounts that a token refuses, by open alerts. */
  refused: ReadonlySet<string>
  /** Withdrawals sent in this round. */
  sent: number
}

/** Quotes and sends a batch of one, and reviews the withdrawal again if it was not sent. */
export async function payOne(
  deps: WithdrawalDeps,
  sending: Sending,
  batch: Batch,
): Promise<AnswerCode | 'sent'> {
  const { database, adapter, caps } = deps
  const { orgId, intents } = batch
  const [payment] = intents
  assert(payment !== undefined && intents.size === 1, 'not a batch of one', { orgId })
  const [id, intent] = payment
  const { chainId, tokenId } = intent
  // Energy for it and for those like it that wait, if the gas wallet has some to lend.
  const payments = () => database.transaction((tx) => countPending(tx, { orgId, chainId, tokenId }))
  const lending = await lendEnergy(deps, { orgId, intent, place: 'settlement', payments })
  if (lending.state === 'waits') return reviewEach(deps, batch, { code: 'loan-pending' })
  if (lending.state === 'stopped') return reviewEach(deps, batch, answerOf(lending.sent))
  const quote = await adapter.quote({ ...intent, ...lentFor(lending) }, caps)
  if (!quote.ok) {
    const { code, message: says } = quote
    await reviewEach(deps, batch, { code, says })
    if (code === 'RECIPIENT_REFUSES') await raiseRefused(deps, { orgId, intent })
    return code
  }
  await resolveRefused(deps, { refused: sending.refused, payer: intent })
  const request = requestFor(deps, { orgId, id, intent, terms: quote.terms })
  const sent = await sending.send(withLoan(request, lending))
  if (sent.outcome !== 'sent') return reviewEach(deps, batch, answerOf(sent))
  sending.sent += 1
  return 'sent'
}
