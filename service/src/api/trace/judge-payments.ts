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

/** Every payment of a transaction that concerns who asks, with what became of it. Pure. */
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

/** What a payment of ours leaves of its coins returns to its organization, and pays nobody. */
function isChange({ own, entry, watched }: TraceFacts, { to }: Pick<MovedApart, 'to'>): boolean {
  return own !== null && entry.paymentModel === 'utxo' && watched.get(to)?.purpose === 'settlement'
}

function ofDeposit(facts: TraceFacts, deposit: Deposit): TracedPayment {
  const steps = [
    step('RECIPIENT_IS_USER', `It pays the address of your user ${deposit.externalUserId}.`, {
      externalUserId: deposit.externalUserId,
    }),
    ...networkSteps(facts, deposit.accountChainId),
    ...tokenSteps(facts, deposit.tokenId),
    step('DETECTED', `It was seen in block ${deposit.block.height}.`, {
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
    return step('CREDITED', `It was credited at ${at}.`, { depositId: id, at })
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
  return step('CREDITED', `It was added to your own balance at ${at}.`, { at })
}

/** What would go on by itself does so while the chain runs; else its condition is told instead. */
function unlessStopped(facts: TraceFacts, going: TraceStep): TraceStep {
  const condition = conditionStep(facts)
  if (condition === null) return going
  // While nodes disagree blocks are read on, so that what waits for these goes on.
  const goesOn = condition.code === 'CHAIN_DISPUTED' && going.code !== 'BEING_CONFIRMED'
  return goesOn ? going : condition
}

function smallStep({ catalogue, waiting }: TraceFacts, deposit: Deposit): TraceStep {
  const minimum = catalogue.token(deposit.tokenId)?.minimumAmount ?? 1n
  const arrived = waiting.get(deposit.id) ?? deposit.amount
  const missing = minimum > arrived ? minimum - arrived : 0n
  const message =
    `It is below the smallest deposit: ${arrived} of ${minimum} base units have arrived at this ` +
    `address, ${missing} are missing. All of it is credited once they come.`
  const details = {
    minimum: minimum.toString(),
    arrived: arrived.toString(),
    missing: missing.toString(),
  }
  return step('BELOW_MINIMUM', message, details)
}

/** `command` lets it go; those of deposits and of fundings refuse one another's ids. */
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
    'The block that had it left the chain, or the transaction was replaced. If it comes in ' +
    'another block it goes on by itself, as the same deposit.'
  return step('ORPHANED', message)
}

/** Told only where the address that is paid is known to who asks. */
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

/** Of an account that many share it is the user's whose tag is named. */
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
    return isNobodys(facts, owner) ? tagStep(facts, tag) : purposeStep(purpose)
  const message = `It pays the address of your user ${externalUserId}.`
  return step('RECIPIENT_IS_USER', message, { externalUserId })
}

/** What came to an account that many share, and is no user's. */
function isNobodys({ entry }: TraceFacts, { purpose }: Watched): boolean {
  return entry.sharesAddresses && purpose === 'settlement'
}

/** A payment to an address of ours that stands in no record. */
function undetected(facts: TraceFacts, owner: Watched): TraceStep[] {
  const { entry, state } = facts
  const block = blockOf(facts)
  if (block !== null && isAhead(facts, block))
    return [unlessStopped(facts, step('NOT_YET_SCANNED', `Block ${block.height} is not read yet.`))]
  if (block !== null && state !== null && block.height <= state.startHeight)
    return [step('BEFORE_START', 'Its block lies before the first that was read.')]
  if (isNobodys(facts, owner)) return []
  const height = block?.height ?? 0
  const rescan = `sluice chain rescan ${entry.id} --from ${height} --to ${height}`
  const message =
    'Its block was read before the address was issued, or the node was incomplete. An operator ' +
    `has the block read again: \`${rescan}\`.`
  return [step('NOT_DETECTED', message, { blockNumber: height })]
}

function tagStep({ seen }: TraceFacts, tag: number | null): TraceStep {
  const isLost = typeof seen !== 'string' && seen.succeeded === false
  const next = isLost
    ? 'The sender has to pay again, with the tag that stands beside the user’s address.'
    : 'It stands apart until an operator has found out whose it is.'
  if (tag === null) return step('TAG_MISSING', `It names no destination tag. ${next}`)
  const message = `No user of yours has the destination tag ${tag}. ${next}`
  return step('TAG_UNKNOWN', message, { destinationTag: tag })
}

/** What is no money here, and why. */
function apartStep({ seen, entry, catalogue }: TraceFacts, moved: MovedApart): TraceStep {
  const isDone = typeof seen === 'string' || seen.block !== null
  if (!isDone) return step('TRANSACTION_WAITS', 'It waits for a block.')
  if (typeof seen !== 'string' && seen.succeeded === false)
    return step('TRANSACTION_FAILED', 'It failed and moved nothing.')
  if (moved.amount === 0n)
    return step('ZERO_VALUE', 'It moves nothing: such transfers are sent to mislead people.')
  const { tokenId } = moved
  const message =
    `The token ${tokenId ?? 'that it moves'} is none of those on ${entry.name} that are money ` +
    'here. What it is called proves nothing; the money lies at the address all the same.'
  const isListed = tokenId !== null && catalogue.token(tokenId) !== null
  if (isListed) return step('ZERO_VALUE', 'A holder pays itself, which moves nothing.')
  return step('TOKEN_NOT_LISTED', message, tokenId === null ? {} : { tokenId })
}

function purposeStep(purpose: 'settlement' | 'gas'): TraceStep {
  return purpose === 'settlement'
    ? step('RECIPIENT_IS_SETTLEMENT', 'It pays your settlement address: it funds withdrawals.')
    : step('RECIPIENT_IS_GAS', 'It pays your gas wallet: it funds fees.')
}

function networkSteps({ entry }: TraceFacts, accountChainId: string): TraceStep[] {
  if (accountChainId === entry.id) return []
  const message = `The address was issued for ${accountChainId}; what comes over this chain counts.`
  return [step('OTHER_NETWORK', message, { accountChainId })]
}

function tokenSteps({ isTokenOn }: TraceFacts, tokenId: Deposit['tokenId']): TraceStep[] {
  if (isTokenOn(tokenId)) return []
  const message = 'The token is off for new addresses; what arrives is credited all the same.'
  return [step('TOKEN_DISABLED', message, { tokenId })]
}

function isRecorded({ deposits, fundings }: TraceFacts, transfer: Transfer): boolean {
  return [...deposits, ...fundings].some(
    ({ position, address, tokenId }) =>
      position === transfer.position && address === transfer.to && tokenId === transfer.tokenId,
  )
}

/** The last step tells what it came to. */
export function outcomeOf(steps: readonly TraceStep[]): TraceCode {
  return steps.at(-1)?.code ?? 'NOTHING_FOR_YOU'
}
