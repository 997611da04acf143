import type { TraceCode, TraceStep, TracedPayment } from '@sluice/wire'
import { tagKey } from '../../accounts/tagged.ts'
import type { Watched } from '../../accounts/watch.ts'
import { iso } from '../../base/clock.ts'
import { displayAddress } from '../../chains/format-address.ts'
import type { MovedApart, Transfer } from '../../chains/port.ts'
import type { Deposit, Funding } from '../../deposits/deposit.ts'
import { isOwnTraffic } from '../../transactions/core/spend.ts'
import type { TraceFacts } from './facts.ts'
import { blockOf, conditionStep, isAhead } from './judge-transaction.ts'
import { judgeWaiting } from './judge-waiting.ts'
import { step } from './step.ts'

/** The payments of a transaction that concern the caller, with their outcomes. Pure. */
export function judgePayments(facts: TraceFacts): TracedPayment[] {
  const { seen, own } = facts
  const known = [
    ...facts.deposits.map((deposit) => ofDeposit(facts, deposit)),
    ...facts.fundings.map((funding) => ofFunding(facts, funding)),
  ]
  const isOurs = own !== null && isOwnTraffic({ purpose: own })
  if (typeof seen === 'string' || isOurs) return known
  const unknown = seen.transfers.filter(
    (transfer) => !isRecorded(facts, transfer) && !isChange(facts, transfer),
  )
  const apart = seen.apart.filter((moved) => !isChange(facts, moved))
  return [
    ...known,
    ...unknown.flatMap((moved) => ofWatched(facts, moved, (owner) => undetected(facts, owner))),
    ...apart.flatMap((moved) => ofWatched(facts, moved, () => [apartStep(facts, moved)])),
  ]
}

/** Change of a withdrawal returns to its organization and is not a payment to it. */
function isChange({ own, entry, watched }: TraceFacts, { to }: Pick<MovedApart, 'to'>): boolean {
  return own !== null && entry.paymentModel === 'utxo' && watched.get(to)?.purpose === 'settlement'
}

function ofDeposit(facts: TraceFacts, deposit: Deposit): TracedPayment {
  const steps = [
    step('RECIPIENT_IS_USER', `Pays the deposit address of your user ${deposit.externalUserId}.`, {
      externalUserId: deposit.externalUserId,
    }),
    ...networkSteps(facts, deposit.accountChainId),
    ...tokenSteps(facts, deposit.tokenId),
    step('DETECTED', `Detected in block ${deposit.block.height}.`, {
      blockNumber: deposit.block.height,
      at: iso(deposit.createdAt),
    }),
    depositStep(facts, deposit),
  ]
  return {
    recipient: displayAddress(facts.entry.id, deposit.address),
    senderAddress: deposit.senderAddress,
    tokenId: deposit.tokenId,
    amount: deposit.amount.toString(),
    externalUserId: deposit.externalUserId,
    depositId: deposit.id,
    outcome: outcomeOf(steps),
    steps,
  }
}

function depositStep(facts: TraceFacts, deposit: Deposit): TraceStep {
  const { status, id, confirmedAt } = deposit
  if (status === 'Confirmed') {
    const at = confirmedAt === null ? '' : iso(confirmedAt)
    return step('CREDITED', `Credited at ${at}.`, { depositId: id, at })
  }
  if (status === 'Orphaned') return orphanedStep()
  if (status === 'Held')
    return heldStep(deposit, `sluice deposit release ${deposit.id} --reason <text>`)
  if (status === 'BelowMinimum') return smallStep(facts, deposit)
  return unlessStopped(facts, judgeWaiting(facts, deposit))
}

function ofFunding(facts: TraceFacts, funding: Funding): TracedPayment {
  const steps = [purposeStep(funding.purpose), fundingStep(facts, funding)]
  return {
    recipient: displayAddress(facts.entry.id, funding.address),
    senderAddress: funding.senderAddress,
    tokenId: funding.tokenId,
    amount: funding.amount.toString(),
    externalUserId: '',
    depositId: null,
    outcome: outcomeOf(steps),
    steps,
  }
}

function fundingStep(facts: TraceFacts, funding: Funding): TraceStep {
  const { status, confirmedAt } = funding
  if (status === 'Orphaned') return orphanedStep()
  if (status === 'Held')
    return heldStep(funding, `sluice gas release ${funding.id} --reason <text>`)
  if (status === 'Detected') return unlessStopped(facts, judgeWaiting(facts, funding))
  const at = confirmedAt === null ? '' : iso(confirmedAt)
  return step('CREDITED', `Added to your own balance at ${at}.`, { at })
}

/** The step of a payment that proceeds by waiting, or the condition that stops the chain. */
function unlessStopped(facts: TraceFacts, going: TraceStep): TraceStep {
  const condition = conditionStep(facts)
  if (condition === null) return going
  // While nodes disagree, blocks are still scanned, so waiting for blocks proceeds.
  const goesOn = condition.code === 'CHAIN_DISPUTED' && going.code !== 'BEING_CONFIRMED'
  return goesOn ? going : condition
}

function smallStep({ catalogue, waiting }: TraceFacts, deposit: Deposit): TraceStep {
  const minimum = catalogue.token(deposit.tokenId)?.minimumAmount ?? 1n
  const arrived = waiting.get(deposit.id) ?? deposit.amount
  const missing = minimum > arrived ? minimum - arrived : 0n
  const message =
    `Below the minimum deposit: ${arrived} of ${minimum} base units have arrived at this ` +
    `address. The full amount is credited once the missing ${missing} arrive.`
  const details = {
    minimum: minimum.toString(),
    arrived: arrived.toString(),
    missing: missing.toString(),
  }
  return step('BELOW_MINIMUM', message, details)
}

/** `command` releases it; the command for deposits refuses ids of fundings, and vice versa. */
function heldStep(
  { heldCause, id }: Pick<Deposit, 'heldCause' | 'id'>,
  command: string,
): TraceStep {
  const message =
    `Held: ${heldCause || 'an operator must look at it'}. An operator of this service ` +
    `releases it with \`${command}\`.`
  return step('HELD', message, { cause: heldCause, id })
}

function orphanedStep(): TraceStep {
  const message =
    'Its block left the chain, or the transaction was replaced. If another block includes it, ' +
    'the same deposit continues automatically.'
  return step('ORPHANED', message)
}

/** Empty if the caller does not see the paid address. */
function ofWatched(
  facts: TraceFacts,
  moved: MovedApart,
  more: (owner: Watched) => TraceStep[],
): TracedPayment[] {
  const owner = ownerOf(facts, moved)
  if (owner === undefined) return []
  const { id } = facts.entry
  const steps = [ownerStep(facts, { owner, tag: moved.tag }), ...more(owner)]
  return [
    {
      recipient: displayAddress(id, moved.to),
      senderAddress: moved.from === '' ? '' : displayAddress(id, moved.from),
      tokenId: moved.tokenId,
      amount: moved.amount.toString(),
      externalUserId: owner.externalUserId,
      depositId: null,
      outcome: outcomeOf(steps),
      steps,
    },
  ]
}

/** At a shared address, the owner is the user with the destination tag. */
function ownerOf({ watched, tagged }: TraceFacts, { to, tag }: MovedApart): Watched | undefined {
  const owner = watched.get(to)
  const user = tag === null ? undefined : tagged.get(tagKey({ address: to, tag }))
  return owner === undefined || user === undefined
    ? owner
    : { ...owner, ...user, purpose: 'deposit' }
}

function ownerStep(
  facts: TraceFacts,
  { owner, tag }: { owner: Watched; tag: number | null },
): TraceStep {
  const { purpose, externalUserId } = owner
  if (purpose !== 'deposit')
    return isUnattributed(facts, owner) ? tagStep(facts, tag) : purposeStep(purpose)
  const message = `Pays the deposit address of your user ${externalUserId}.`
  return step('RECIPIENT_IS_USER', message, { externalUserId })
}

/** A payment to a shared address that belongs to no user. */
function isUnattributed({ entry }: TraceFacts, { purpose }: Watched): boolean {
  return entry.sharesAddresses && purpose === 'settlement'
}

/** A payment to an address of ours without a stored transfer. */
function undetected(facts: TraceFacts, owner: Watched): TraceStep[] {
  const { entry, state } = facts
  const block = blockOf(facts)
  if (block !== null && isAhead(facts, block))
    return [
      unlessStopped(facts, step('NOT_YET_SCANNED', `Block ${block.height} is not scanned yet.`)),
    ]
  if (block !== null && state !== null && block.height <= state.startHeight)
    return [step('BEFORE_START', 'Its block is below the first block that was scanned.')]
  if (isUnattributed(facts, owner)) return []
  const height = block?.height ?? 0
  const rescan = `sluice chain rescan ${entry.id} --from ${height} --to ${height}`
  const message =
    'Its block was scanned before the address was issued, or the node was incomplete. An ' +
    `operator must rescan the block: \`${rescan}\`.`
  return [step('NOT_DETECTED', message, { blockNumber: height })]
}

function tagStep({ seen }: TraceFacts, tag: number | null): TraceStep {
  const isLost = typeof seen !== 'string' && seen.succeeded === false
  const next = isLost
    ? 'The sender must pay again, with the destination tag of the user.'
    : 'Unattributed: an operator must assign it to a user.'
  if (tag === null) return step('TAG_MISSING', `It has no destination tag. ${next}`)
  const message = `No user of yours has the destination tag ${tag}. ${next}`
  return step('TAG_UNKNOWN', message, { destinationTag: tag })
}

/** Why a transfer is not a payment. */
function apartStep({ seen, entry, catalogue }: TraceFacts, moved: MovedApart): TraceStep {
  const isDone = typeof seen === 'string' || seen.block !== null
  if (!isDone) return step('TRANSACTION_WAITS', 'Not included in a block yet.')
  if (typeof seen !== 'string' && seen.succeeded === false)
    return step('TRANSACTION_FAILED', 'It failed and moved no tokens.')
  if (moved.amount === 0n)
    return step('ZERO_VALUE', 'Its amount is zero: such transfers are sent to mislead people.')
  const { tokenId } = moved
  const message =
    `Token ${tokenId ?? '(no id)'} is not in the catalogue of ${entry.name}; its name and symbol ` +
    'are no proof. It is not credited and remains at the address.'
  const isListed = tokenId !== null && catalogue.token(tokenId) !== null
  if (isListed) return step('ZERO_VALUE', 'The sender pays itself, which changes no balance.')
  return step('TOKEN_NOT_LISTED', message, tokenId === null ? {} : { tokenId })
}

function purposeStep(purpose: 'settlement' | 'gas'): TraceStep {
  return purpose === 'settlement'
    ? step('RECIPIENT_IS_SETTLEMENT', 'It pays your settlement address: it funds withdrawals.')
    : step('RECIPIENT_IS_GAS', 'It pays your gas wallet: it funds fees.')
}

function networkSteps({ entry }: TraceFacts, accountChainId: string): TraceStep[] {
  if (accountChainId === entry.id) return []
  const message = `The address was issued for ${accountChainId}; deposits on this chain count too.`
  return [step('OTHER_NETWORK', message, { accountChainId })]
}

function tokenSteps({ isTokenOn }: TraceFacts, tokenId: Deposit['tokenId']): TraceStep[] {
  if (isTokenOn(tokenId)) return []
  const message = 'The token is disabled for new addresses; deposits of it are still credited.'
  return [step('TOKEN_DISABLED', message, { tokenId })]
}

function isRecorded({ deposits, fundings }: TraceFacts, transfer: Transfer): boolean {
  return [...deposits, ...fundings].some(
    ({ position, address, tokenId }) =>
      position === transfer.position && address === transfer.to && tokenId === transfer.tokenId,
  )
}

/** The code of the last step. */
export function outcomeOf(steps: readonly TraceStep[]): TraceCode {
  return steps.at(-1)?.code ?? 'NOTHING_FOR_YOU'
}
