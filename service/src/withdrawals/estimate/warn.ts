import type { EstimateWarning, EstimateWarningCode } from '@sluice/wire'
import type { OwnSimilar } from '../../accounts/similar-rows.ts'
import { Outage } from '../../base/fault.ts'
import { displayAddress, hasTags } from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import type { Named } from '../request/check.ts'
import type { RecipientHistory } from './history-rows.ts'

/** The part of a payment that its warnings depend on. */
export interface Payee extends Pick<Named, 'entry' | 'recipient' | 'memo'> {
  /** Base units. */
  amount: bigint
}

/** Everything that the warnings of an estimate depend on. */
export interface Observed {
  named: Payee
  /** Base units of the token that are available without this payment. */
  available: bigint
  history: RecipientHistory
  /** Recipients and addresses of the organization that begin and end like the recipient. */
  similar: { recipients: readonly Address[]; own: readonly OwnSimilar[] }
  /** Whether the recipient is a contract; an outage if no node answered; null without contracts. */
  isContract: boolean | Outage | null
  /** Whether the recipient needs a tag, or the outage that hides it. */
  needsTag: boolean | Outage
}

/** Look-alikes that a warning lists. */
export const SIMILAR_MAX = 5

/** The warnings of an estimate, in the order in which a person should read them. */
export function warningsOf(observed: Observed): EstimateWarning[] {
  const { named, available, history, isContract } = observed
  const { amount, memo } = named
  const isTagless = hasTags(named.entry.id) && memo === null
  return [
    ...lookalikes(observed),
    ...(isOwn(observed) ? [warning('OWN_ADDRESS')] : []),
    ...(history.isKnown ? [] : [warning('FIRST_PAYMENT')]),
    ...(history.duplicateId === null
      ? []
      : [warning('DUPLICATE_PAYMENT', { withdrawalId: history.duplicateId })]),
    ...(isContract === true ? [warning('CONTRACT_RECIPIENT')] : []),
    ...(isContract instanceof Outage ? [warning('CONTRACT_UNKNOWN')] : []),
    ...(isTagless && history.hadMemo ? [warning('TAG_MISSING')] : []),
    ...(isTagless && observed.needsTag instanceof Outage ? [warning('TAG_UNKNOWN')] : []),
    ...(amount * 2n > available
      ? [warning('LARGE_SHARE', { available: available.toString() })]
      : []),
  ]
}

function lookalikes({ named, similar }: Observed): EstimateWarning[] {
  const { entry, recipient } = named
  const own = similar.own.map(({ address, purpose }) => ({ address, known: purpose }))
  const paid = similar.recipients.map((address) => ({ address, known: 'recipient' as const }))
  const owned = new Set(own.map(({ address }) => address))
  const addresses = [...own, ...paid.filter(({ address }) => !owned.has(address))]
    .filter(({ address }) => address !== recipient)
    .slice(0, SIMILAR_MAX)
    .map(({ address, known }) => ({ address: displayAddress(entry.id, address), known }))
  return addresses.length === 0 ? [] : [warning('LOOKALIKE_ADDRESS', { addresses })]
}

function isOwn({ named, similar }: Observed): boolean {
  return similar.own.some(({ address }) => address === named.recipient)
}

function warning(
  code: EstimateWarningCode,
  details: Record<string, unknown> = {},
): EstimateWarning {
  return { code, message: MESSAGES[code], details }
}

const MESSAGES: Record<EstimateWarningCode, string> = {
  LOOKALIKE_ADDRESS:
    'The recipient resembles a known address and is not the same: an attacker may have created ' +
    'it. Compare every character with its source.',
  OWN_ADDRESS:
    'The recipient is a deposit address of your organization: the payment returns as a deposit ' +
    'and costs a network fee.',
  FIRST_PAYMENT:
    'The organization has not paid this recipient on this chain before. Compare the whole ' +
    'address with its source.',
  DUPLICATE_PAYMENT:
    'The same amount was requested for this recipient within 24 hours. Check that it is not paid ' +
    'twice.',
  CONTRACT_RECIPIENT: 'The recipient is a contract. Check that it can pass on what it receives.',
  CONTRACT_UNKNOWN:
    'No node answered whether the recipient is a contract. Repeat the estimate later.',
  TAG_MISSING:
    'Earlier withdrawals to this recipient had a destination tag. Without it the receiver may ' +
    'not know whose payment it is.',
  TAG_UNKNOWN:
    'No node of the chain answered whether the recipient requires a destination tag. Repeat the ' +
    'estimate later.',
  LARGE_SHARE: 'The amount is more than half of the available balance.',
}
