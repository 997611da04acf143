import type { TokenId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import { readSuspended } from '../../catalogue/token-check.ts'
import { gravestOf } from '../../chains/doubt.ts'
import type { Intent } from '../../chains/port.ts'
import { type Lending, lendEnergy, lentFor, withLoan } from '../../gas/lend.ts'
import type { Mandate, Sent } from '../../transactions/core/mandate.ts'
import { sendSpend } from '../../transactions/send.ts'
import { eachPending, keepGoing, putLast } from './each-pending.ts'
import { inspectWithdrawal } from './inspect.ts'
import { mandateFor } from './mandate.ts'
import { type WithdrawalMeans, isShort } from './means.ts'
import { type Step, hold, obeyOutcome, obeyRefusal, passOver } from './obey.ts'
import { countPending } from '../rows.ts'
import { processTogether } from './process-together.ts'
import { chainStandsStill } from './stand-still.ts'
import { readRefused, tellAccepted, tellRefused } from './tell-refused.ts'
import { tellUnlisted } from './tell-unlisted.ts'
import { hasWaitedLong } from './tell-waiting.ts'
import { forgetWaiting, isAnyStopped, markWaiting } from './waiting-rows.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** What was learned in this round, so that it is not asked again for each withdrawal. */
interface Round {
  send: (mandate: Mandate) => Promise<Sent>
  /** Organizations whose sender takes nothing more. */
  waiting: Set<string>
  /** Organizations and tokens of which one has found no gas. */
  withoutGas: Set<string>
  /** Tokens that were caught lying: nothing of them is signed before an operator looked (E09). */
  suspended: ReadonlySet<string>
  /** Tokens that wait until the configuration has them again. */
  unlisted: Set<TokenId>
  /** Accounts that were told not to be let pay by a token. */
  refused: ReadonlySet<string>
}

/**
 * Brings the pending withdrawals of a chain on their way, oldest first, each as far as it comes:
 * looked at, quoted by the chain outside of any transaction, signed and sent. One that cannot go
 * stops none of the others. Answers with how many were sent. Throws an Outage where the nodes are
 * away, and `LeaseLost`; what was thrown else about one withdrawal comes out after all others.
 */
export async function processWithdrawals(
  given: WithdrawalMeans,
  send: Round['send'] = (mandate) => sendSpend(given, mandate),
): Promise<number> {
  const { database, entry } = given
  if (await database.transaction((tx) => chainStandsStill(tx, given))) return 0
  return notingOutages(given, () =>
    entry.paymentModel === 'utxo' ? processTogether(given) : processEach(given, send),
  )
}

/**
 * Notes while the nodes do not answer that withdrawals wait for the chain; not of those whose wait
 * is known.
 */
async function notingOutages(
  { database, entry: { id: chainId } }: WithdrawalMeans,
  work: () => Promise<number>,
): Promise<number> {
  try {
    const sent = await work()
    await database.transaction(async (tx) => {
      if (await isAnyStopped(tx, chainId)) await forgetWaiting(tx, { chainId, waitingFor: 'chain' })
    })
    return sent
  } catch (error) {
    if (error instanceof Outage) {
      const spared = ['gas', 'fee', 'funds', 'confirmations', 'operator'] as const
      await database.transaction((tx) => markWaiting(tx, { chainId, waitingFor: 'chain', spared }))
    }
    throw error
  }
}

async function processEach(given: WithdrawalMeans, send: Round['send']): Promise<number> {
  const suspended = await given.database.transaction(readSuspended)
  const [waiting, withoutGas, unlisted] = [new Set<string>(), new Set<string>(), new Set<TokenId>()]
  const refused = await readRefused(given)
  const round: Round = { send, waiting, withoutGas, suspended, unlisted, refused }
  const failures: unknown[] = []
  let sent = 0
  for await (const withdrawal of eachPending(given, round.waiting)) {
    if (given.term?.aborted) return sent
    const step = await attempt(given, round, { withdrawal, failures })
    if (step === 'stop') return sent
    if (step === 'sent') sent += 1
  }
  await tellUnlisted(given, unlisted)
  if (failures.length > 0) throw gravestOf(failures)
  return sent
}

async function attempt(
  given: WithdrawalMeans,
  round: Round,
  { withdrawal, failures }: { withdrawal: Withdrawal; failures: unknown[] },
): Promise<Step> {
  const { orgId, tokenId, id } = withdrawal
  // Nothing is known any more of what it may carry, and blocks need not be read for it.
  if (given.catalogue.token(tokenId) === null) {
    round.unlisted.add(tokenId)
    return passOver(given, withdrawal, 'operator')
  }
  if (round.waiting.has(orgId)) return 'next'
  if (round.suspended.has(tokenId) || isShort(given, withdrawal))
    return passOver(given, withdrawal, 'operator')
  const says = 'a withdrawal could not be brought on its way'
  const about = { told: { withdrawalId: id }, says, failures }
  const isAsked = !isSpared(given, round, withdrawal)
  const step = await keepGoing(given, about, () => processOne(given, round, withdrawal))
  if (isAsked) putLast(given, { id, step, failures })
  if (step === 'organization-waits') round.waiting.add(orgId)
  if (step === 'no-gas') round.withoutGas.add(gasKey({ orgId, tokenId }))
  return step ?? 'next'
}

async function processOne(
  given: WithdrawalMeans,
  round: Round,
  withdrawal: Withdrawal,
): Promise<Step> {
  const { database, adapter, caps } = given
  const intent = await database.transaction((tx) => inspectWithdrawal(tx, given, withdrawal))
  if (intent === null) return 'next'
  if (isSpared(given, round, withdrawal))
    return hold(given, withdrawal, { waitingFor: 'gas', code: 'INSUFFICIENT_GAS' })
  const lending = await lendFor(given, withdrawal, intent)
  if (lending.state === 'waits') return passOver(given, withdrawal, 'confirmations')
  const payer = { withdrawal, from: intent.from }
  if (lending.state === 'stopped') return obeyOutcome(given, payer, lending.sent)
  const quote = await adapter.quote({ ...intent, ...lentFor(lending) }, caps)
  if (!quote.ok) {
    const step = await obeyRefusal(given, withdrawal, quote)
    const { orgId } = withdrawal
    if (quote.code === 'RECIPIENT_REFUSES') await tellRefused(given, { orgId, intent })
    return step
  }
  await tellAccepted(given, { refused: round.refused, payer: intent })
  const mandate = withLoan(mandateFor(given, { withdrawal, intent, terms: quote.terms }), lending)
  return obeyOutcome(given, payer, await round.send(mandate))
}

/**
 * Whether it is not asked about because another has found no gas in this round. That one may have
 * been dearer: it goes last from then on, and none fails that was not asked about itself.
 */
function isSpared(given: WithdrawalMeans, round: Round, withdrawal: Withdrawal): boolean {
  if (!round.withoutGas.has(gasKey(withdrawal))) return false
  return withdrawal.waitingFor !== 'gas' || !hasWaitedLong(given, given, withdrawal)
}

/** Energy for it and for those like it that wait, where the gas wallet has some to lend. */
function lendFor(given: WithdrawalMeans, withdrawal: Withdrawal, intent: Intent): Promise<Lending> {
  const { orgId, tokenId, chainId } = withdrawal
  const payments = () =>
    given.database.transaction((tx) => countPending(tx, { orgId, chainId, tokenId }))
  return lendEnergy(given, { orgId, intent, place: 'settlement', payments })
}

function gasKey({ orgId, tokenId }: Pick<Withdrawal, 'orgId' | 'tokenId'>): string {
  return `${orgId} ${tokenId}`
}
