import { assert } from '../../base/assert.ts'
import type { Intent } from '../../chains/port.ts'
import { type Lending, lendEnergy, lentFor, withLoan } from '../../gas/lend.ts'
import type { Mandate, Sent } from '../../transactions/core/mandate.ts'
import { countPending } from '../rows.ts'
import { raiseRefused, resolveRefused } from './alerts.ts'
import { reviewEach } from './apply.ts'
import { type Answer, type AnswerCode, answerOf } from './decide.ts'
import type { WithdrawalMeans } from './inspect.ts'
import { type Batch, requestFor } from './payment-request.ts'

/** One withdrawal that a transaction of its own pays. */
interface Payment {
  orgId: string
  id: string
  intent: Intent
}

interface Sending {
  send: (request: Mandate) => Promise<Sent>
  /** Accounts that a token refuses, by open alerts. */
  refused: ReadonlySet<string>
  /** Withdrawals sent in this round. */
  sent: number
}

/** Quotes and sends a batch of one, and reviews the withdrawal again if it was not sent. */
export async function payOne(
  deps: WithdrawalMeans,
  sending: Sending,
  batch: Batch,
): Promise<AnswerCode | 'sent'> {
  const { orgId, intents } = batch
  const [first] = intents
  assert(first !== undefined && intents.size === 1, 'a batch of one', { orgId })
  const [id, intent] = first
  const answer = await send(deps, sending, { orgId, id, intent })
  if (answer === null) {
    sending.sent += 1
    return 'sent'
  }
  await reviewEach(deps, batch, answer)
  if (answer.code === 'RECIPIENT_REFUSES') await raiseRefused(deps, { orgId, intent })
  return answer.code
}

async function send(
  deps: WithdrawalMeans,
  sending: Sending,
  payment: Payment,
): Promise<Answer | null> {
  const { intent } = payment
  const lending = await lendFor(deps, payment)
  if (lending.state === 'waits') return { code: 'loan-pending' }
  if (lending.state === 'stopped') return answerOf(lending.sent)
  const quote = await deps.adapter.quote({ ...intent, ...lentFor(lending) }, deps.caps)
  if (!quote.ok) return { code: quote.code, says: quote.message }
  await resolveRefused(deps, { refused: sending.refused, payer: intent })
  const request = requestFor(deps, { ...payment, terms: quote.terms })
  const sent = await sending.send(withLoan(request, lending))
  return sent.outcome === 'sent' ? null : answerOf(sent)
}

/** Energy for it and for those like it that wait, if the gas wallet has some to lend. */
function lendFor(deps: WithdrawalMeans, { orgId, intent }: Payment): Promise<Lending> {
  const { chainId, tokenId } = intent
  const payments = () =>
    deps.database.transaction((tx) => countPending(tx, { orgId, chainId, tokenId }))
  return lendEnergy(deps, { orgId, intent, place: 'settlement', payments })
}
