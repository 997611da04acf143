import { gravestOf } from '../../chains/doubt.ts'
import type { Address, Intent } from '../../chains/port.ts'
import { jointIntent, type JointPaymentRequest } from '../../transactions/core/mandate.ts'
import { partsOf } from '../../transactions/core/subjects.ts'
import { sendJoint, type SentJoint } from '../../transactions/send-joint.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { eachPending, keepGoing } from './each-pending.ts'
import { inspectWithdrawal } from './inspect.ts'
import { jointMandateFor } from './mandate.ts'
import { isShort, type WithdrawalMeans } from './means.ts'
import { hold, obeyOutcome, obeyRefusal, passOver, type Step } from './obey.ts'

/** So many withdrawals are paid by one transaction where nobody says otherwise. */
const BATCH_MAX = 100

type Send = (mandate: JointPaymentRequest) => Promise<SentJoint>

/** Withdrawals of one organization that are to be paid together, by id, oldest first. */
interface Batch {
  orgId: string
  from: Address
  intents: Map<string, Intent>
}

interface Round {
  send: Send
  batches: Map<string, Batch>
  /** Organizations whose sender takes nothing more. */
  waiting: Set<string>
  failures: unknown[]
  sent: number
}

/**
 * Brings the pending withdrawals of a chain on their way where one transaction can pay several:
 * those of one organization go together, oldest first, at most `batchMax` of them. Otherwise as
 * `processWithdrawals`: one that cannot go stops none of the others. Answers with how many
 * withdrawals were sent.
 */
export async function processTogether(
  given: WithdrawalMeans,
  send: Send = (mandate) => sendJoint(given, mandate),
): Promise<number> {
  const { batchMax = BATCH_MAX } = given
  const round: Round = { send, batches: new Map(), waiting: new Set(), failures: [], sent: 0 }
  for await (const withdrawal of eachPending(given, round.waiting)) {
    if (given.term?.aborted) return round.sent
    const batch = await gather(given, round, withdrawal)
    if (batch === null || batch.intents.size < batchMax) continue
    if ((await flush(given, round, batch)) === 'stop') return round.sent
  }
  for (const batch of round.batches.values()) {
    if (given.term?.aborted) return round.sent
    if ((await flush(given, round, batch)) === 'stop') return round.sent
  }
  if (round.failures.length > 0) throw gravestOf(round.failures)
  return round.sent
}

/** Puts a withdrawal to the others of its organization; null where it does not go now. */
async function gather(
  given: WithdrawalMeans,
  round: Round,
  withdrawal: Withdrawal,
): Promise<Batch | null> {
  const { orgId, id } = withdrawal
  if (round.waiting.has(orgId)) return null
  if (isShort(given, withdrawal)) {
    await passOver(given, withdrawal, 'operator')
    return null
  }
  const intent = await keepGoing(given, about(round, [id]), () =>
    given.database.transaction((tx) => inspectWithdrawal(tx, given, withdrawal)),
  )
  if (intent === null) return null
  const { from } = intent
  const batch = round.batches.get(orgId) ?? { orgId, from, intents: new Map<string, Intent>() }
  batch.intents.set(id, intent)
  round.batches.set(orgId, batch)
  return batch
}

async function flush(given: WithdrawalMeans, round: Round, batch: Batch): Promise<Step> {
  const { orgId, intents } = batch
  round.batches.delete(orgId)
  if (round.waiting.has(orgId)) return 'next'
  const step = await keepGoing(given, about(round, [...intents.keys()]), () =>
    pay(given, round, batch),
  )
  if (step === 'organization-waits') round.waiting.add(orgId)
  return step ?? 'next'
}

async function pay(given: WithdrawalMeans, round: Round, batch: Batch): Promise<Step> {
  const { adapter, catalogue, entry, caps } = given
  const { orgId, from, intents } = batch
  const payments = [...intents].map(([subjectId, { to, amount }]) => ({ subjectId, to, amount }))
  const tokenId = catalogue.nativeToken(entry.id).id
  const quote = await adapter.quote(
    jointIntent({ chainId: entry.id, tokenId, from }, payments),
    caps,
  )
  if (!quote.ok) {
    if (intents.size > 1) {
      if (quote.code === 'RECIPIENT_REFUSES') return apart(given, round, batch)
      if (quote.code === 'FEE_TOO_HIGH') return payAffordable(given, round, batch)
    }
    for (const id of intents.keys()) await obeyRefusal(given, { orgId, id }, quote)
    return 'next'
  }
  const sent = await round.send(
    jointMandateFor(given, { orgId, intents, from, terms: quote.terms }),
  )
  if (sent.outcome === 'sent') {
    const { spend } = sent
    round.sent += (await given.database.transaction((tx) => partsOf(tx, spend))).length
    return 'sent'
  }
  if (sent.outcome === 'too-dear') {
    if (intents.size > 1) return apart(given, round, batch)
    const wait = { waitingFor: 'fee', code: 'FEE_TOO_HIGH' } as const
    for (const id of intents.keys()) await hold(given, { orgId, id }, wait)
    return 'next'
  }
  let step: Step = 'next'
  for (const id of intents.keys()) {
    step = await obeyOutcome(given, { withdrawal: { orgId, id }, from }, sent)
    if (step === 'organization-waits' || step === 'stop') break
  }
  return step
}

/**
 * Small payments can cost more together than may be paid for all: those that would be too dear by
 * themselves wait, and the others go without them.
 */
async function payAffordable(given: WithdrawalMeans, round: Round, batch: Batch): Promise<Step> {
  const { orgId } = batch
  const intents = new Map<string, Intent>()
  for (const [id, intent] of batch.intents) {
    const quote = await given.adapter.quote(intent, given.caps)
    if (quote.ok) intents.set(id, intent)
    else await obeyRefusal(given, { orgId, id }, quote)
  }
  if (intents.size === 0) return 'next'
  const rest = { ...batch, intents }
  return intents.size < batch.intents.size ? pay(given, round, rest) : apart(given, round, rest)
}

/** One of them would be refused: each goes by itself. */
async function apart(given: WithdrawalMeans, round: Round, batch: Batch): Promise<Step> {
  for (const [id, intent] of batch.intents) {
    const step = await pay(given, round, { ...batch, intents: new Map([[id, intent]]) })
    if (step === 'organization-waits' || step === 'stop') return step
  }
  return 'next'
}

function about({ failures }: Round, withdrawals: readonly string[]) {
  const says = 'withdrawals could not be brought on their way'
  return { told: { withdrawals }, says, failures }
}
