import type { TokenId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import { readSuspended } from '../../catalogue/token-check.ts'
import { worstError } from '../../chains/doubt.ts'
import type {
  JointPaymentRequest,
  PaymentRequest,
  Sent,
} from '../../transactions/core/payment-request.ts'
import { isSignerAway } from '../../transactions/core/signer-outage.ts'
import { sendSpend } from '../../transactions/send.ts'
import { sendJoint, type SentJoint } from '../../transactions/send-joint.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { raiseUnlisted, readRefused } from './alerts.ts'
import { review, reviewChain } from './apply.ts'
import type { AnswerCode } from './decide.ts'
import { eachPending, keepGoing, putLast } from './each-pending.ts'
import { type WithdrawalDeps, isStopped } from './inspect.ts'
import { payBatch } from './pay-batch.ts'
import { payOne } from './pay-one.ts'
import type { Batch } from './payment-request.ts'
import { forgetWaiting, isAnyWaiting, markWaiting } from './waiting-rows.ts'

/** Withdrawals that one transaction pays at most. */
const BATCH_MAX = 100

/** The state of a round. */
interface Round {
  send: (request: PaymentRequest) => Promise<Sent>
  sendJoint: (request: JointPaymentRequest) => Promise<SentJoint>
  pay: typeof payOne | typeof payBatch
  batchMax: number
  /** By organization. */
  batches: Map<string, Batch>
  /** Organizations whose sender is busy or halted. */
  waiting: Set<string>
  /** Organizations and tokens, as `<organization> <token>`, of which a payment found no gas. */
  withoutGas: Set<string>
  suspended: ReadonlySet<string>
  /** Tokens with pending withdrawals that the configuration does not have. */
  unlisted: Set<TokenId>
  /** Accounts that a token refuses, by open alerts. */
  refused: ReadonlySet<string>
  failures: unknown[]
  /** Withdrawals sent. */
  sent: number
}

/**
 * Pays the pending withdrawals of a chain, oldest first: each is reviewed, quoted outside of any
 * transaction, signed and sent; on Bitcoin one transaction pays several of an organization. One
 * that cannot be paid does not stop the others. Returns how many were sent. Throws an Outage if the
 * nodes do not answer, `LeaseLost`, and after all withdrawals the worst error about any of them.
 */
export async function processWithdrawals(
  deps: WithdrawalDeps,
  send: Round['send'] = (request) => sendSpend(deps, request),
): Promise<number> {
  const { database } = deps
  if (!(await database.transaction((tx) => reviewChain(tx, deps)))) return 0
  return notingOutages(deps, async () => payPending(deps, await openRound(deps, send)))
}

/**
 * While the nodes or the signer do not answer, withdrawals wait for them, but those with a known
 * wait.
 */
async function notingOutages(
  { database, entry: { id: chainId } }: WithdrawalDeps,
  work: () => Promise<number>,
): Promise<number> {
  try {
    const sent = await work()
    await database.transaction(async (tx) => {
      for (const waitingFor of ['chain', 'signer'] as const) {
        const wait = { chainId, waitingFor }
        if (await isAnyWaiting(tx, wait)) await forgetWaiting(tx, wait)
      }
    })
    return sent
  } catch (error) {
    if (error instanceof Outage) {
      const spared = ['gas', 'fee', 'funds', 'confirmations', 'operator'] as const
      const waitingFor = isSignerAway(error) ? 'signer' : 'chain'
      await database.transaction((tx) => markWaiting(tx, { chainId, waitingFor, spared }))
    }
    throw error
  }
}

async function openRound(deps: WithdrawalDeps, send: Round['send']): Promise<Round> {
  const { database, entry, batchMax = BATCH_MAX } = deps
  const way =
    entry.paymentModel === 'utxo' ? { pay: payBatch, batchMax } : { pay: payOne, batchMax: 1 }
  return {
    ...way,
    send,
    sendJoint: (request) => sendJoint(deps, request),
    suspended: await database.transaction(readSuspended),
    refused: await readRefused(deps),
    batches: new Map(),
    waiting: new Set(),
    withoutGas: new Set(),
    unlisted: new Set(),
    failures: [],
    sent: 0,
  }
}

async function payPending(deps: WithdrawalDeps, round: Round): Promise<number> {
  const { batches, waiting, failures } = round
  for await (const withdrawal of eachPending(deps, waiting)) {
    if (deps.term?.aborted) return round.sent
    const { orgId, id, tokenId } = withdrawal
    if (deps.catalogue.token(tokenId) === null) round.unlisted.add(tokenId)
    if (waiting.has(orgId) || isNoted(deps, round, withdrawal)) continue
    const isGasGone = round.withoutGas.has(gasKey(withdrawal))
    const decision = await keepGoing(deps, about(round, [id]), () =>
      review(deps, { orgId, id, isGasGone }, null),
    )
    if (decision === null) putLast(deps, { id, outcome: null, failures })
    if (decision?.act !== 'pay') continue
    const { intent } = decision
    const batch = batches.get(orgId) ?? { orgId, from: intent.from, intents: new Map() }
    batches.set(orgId, batch)
    batch.intents.set(id, intent)
    if (batch.intents.size < round.batchMax) continue
    if ((await flush(deps, round, batch)) === 'frozen') return round.sent
  }
  for (const batch of batches.values()) {
    if (deps.term?.aborted) return round.sent
    if ((await flush(deps, round, batch)) === 'frozen') return round.sent
  }
  await raiseUnlisted(deps, round.unlisted)
  if (failures.length > 0) throw worstError(failures)
  return round.sent
}

/** Whether its token is stopped, and it is noted already that it waits for an operator. */
function isNoted(deps: WithdrawalDeps, { suspended }: Round, withdrawal: Withdrawal): boolean {
  return withdrawal.waitingFor === 'operator' && isStopped(deps, suspended, withdrawal)
}

/** Pays a batch, and notes what its outcome means for those behind it. */
async function flush(
  deps: WithdrawalDeps,
  round: Round,
  batch: Batch,
): Promise<AnswerCode | 'sent' | null> {
  const { orgId, intents } = batch
  const { batches, waiting, withoutGas, failures } = round
  batches.delete(orgId)
  if (waiting.has(orgId)) return null
  const ids = [...intents.keys()]
  const outcome = await keepGoing(deps, about(round, ids), () => round.pay(deps, round, batch))
  if (outcome === 'busy' || outcome === 'halted') waiting.add(orgId)
  if (intents.size > 1) return outcome
  for (const [id, { tokenId }] of intents) {
    putLast(deps, { id, outcome, failures })
    if (outcome === 'short-of-gas') withoutGas.add(gasKey({ orgId, tokenId }))
  }
  return outcome
}

function about({ failures }: Round, withdrawals: readonly string[]) {
  return { details: { withdrawals }, says: 'withdrawals could not be paid', failures }
}

function gasKey({ orgId, tokenId }: Pick<Withdrawal, 'orgId' | 'tokenId'>): string {
  return `${orgId} ${tokenId}`
}
