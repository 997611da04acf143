import {
  isSluiceError,
  type NewWithdrawal,
  toBaseUnits,
  type WithdrawalEstimate,
} from '@sluice/client'
import { formatAmount, type Unit } from '../../data/amounts.ts'
import { t } from '../../text/text.ts'

/** The fields of the form of a new withdrawal, as typed; the amount is in whole tokens. */
export interface Draft {
  chainId: string
  tokenId: string
  amount: string
  recipient: string
  memo: string
  reference: string
  externalUserId: string
  internalNote: string
}

export type DraftField = keyof Draft
/** The errors of the form, by field. */
export type DraftErrors = Partial<Record<DraftField, string>>

/** A checked withdrawal with its estimate, before it is created. */
export interface Checked {
  withdrawal: NewWithdrawal & { amount: string }
  estimate: WithdrawalEstimate
}

const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'
const RANDOM_LETTERS = 8

/** A new reference: the day, and random letters that are not mistaken for each other. */
export function proposeReference(now: Date, random: Uint8Array): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  const letters = Array.from(
    random.slice(0, RANDOM_LETTERS),
    (byte) => LETTERS[byte % LETTERS.length],
  )
  return `payout-${day}-${letters.join('')}`
}

/** An empty form with its own reference, on a chain if there is a choice. */
export function emptyDraft(reference: string): Draft {
  return {
    chainId: '',
    tokenId: '',
    amount: '',
    recipient: '',
    memo: '',
    reference,
    externalUserId: '',
    internalNote: '',
  }
}

/** An amount in base units; null if the text is no amount of the token. */
export function baseUnitsOf(amount: string, decimals: number): string | null {
  try {
    const baseUnits = toBaseUnits(amount.trim(), decimals)
    return BigInt(baseUnits) > 0n ? baseUnits : null
  } catch {
    return null
  }
}

/** The withdrawal of a filled form, or its errors. */
export function toWithdrawal(
  draft: Draft,
  token: (Unit & { chainId: string }) | undefined,
): { withdrawal: NewWithdrawal } | { errors: DraftErrors } {
  const errors: DraftErrors = {}
  if (draft.chainId === '') errors.chainId = t('newWithdrawal.missing.chainId')
  if (token?.chainId !== draft.chainId) errors.tokenId = t('newWithdrawal.missing.tokenId')
  if (draft.recipient.trim() === '') errors.recipient = t('newWithdrawal.missing.recipient')
  if (draft.reference.trim() === '') errors.reference = t('newWithdrawal.missing.reference')
  const amount = token === undefined ? null : baseUnitsOf(draft.amount, token.decimals)
  if (amount === null && token !== undefined)
    errors.amount = t('newWithdrawal.missing.amount', { count: token.decimals })
  if (amount === null || Object.keys(errors).length > 0) return { errors }
  return {
    withdrawal: {
      chainId: draft.chainId,
      tokenId: draft.tokenId,
      amount,
      recipient: draft.recipient.trim(),
      reference: draft.reference.trim(),
      memo: orNull(draft.memo),
      internalNote: orNull(draft.internalNote),
      externalUserId: orNull(draft.externalUserId),
    },
  }
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}

/** The field that a refusal is about, by its code. */
const FIELDS: Readonly<Record<string, DraftField>> = {
  INVALID_CHAIN: 'chainId',
  CHAIN_NOT_ENABLED: 'chainId',
  INVALID_TOKEN: 'tokenId',
  INVALID_TOKEN_CHAIN: 'tokenId',
  TOKEN_NOT_ENABLED: 'tokenId',
  INVALID_AMOUNT: 'amount',
  WITHDRAWAL_BELOW_MINIMUM: 'amount',
  WITHDRAWAL_ABOVE_MAXIMUM: 'amount',
  INSUFFICIENT_BALANCE: 'amount',
  INSUFFICIENT_CONFIRMED_BALANCE: 'amount',
  INVALID_RECIPIENT_ADDRESS: 'recipient',
  MISSING_DESTINATION_TAG: 'memo',
  INVALID_USER_ID: 'externalUserId',
  DUPLICATE_REFERENCE: 'reference',
}
const DRAFT_FIELDS: readonly string[] = Object.keys(emptyDraft(''))

/** A refusal of the service beside its field; null if it is about none. Amounts are in tokens. */
export function errorsOf(error: unknown, token: Unit | undefined): DraftErrors | null {
  if (!isSluiceError(error)) return null
  const named = error.code === 'BAD_REQUEST' ? String(error.details['field']) : FIELDS[error.code]
  if (named === undefined || !isField(named)) return null
  return { [named]: amountsIn(error, token) ?? withoutCode(error.message) }
}

/** Refusals begin with their code, which is for programs. */
function withoutCode(message: string): string {
  return message.replace(/^[A-Z_]+: /, '')
}

function isField(name: string): name is DraftField {
  return DRAFT_FIELDS.includes(name)
}

function amountsIn(error: unknown, token: Unit | undefined): string | null {
  if (token === undefined) return null
  if (isSluiceError(error, 'INSUFFICIENT_BALANCE')) {
    const available = formatAmount(error.details.available, token)
    return t('newWithdrawal.refused.balance', { available })
  }
  if (isSluiceError(error, 'INSUFFICIENT_CONFIRMED_BALANCE')) {
    const available = formatAmount(error.details.confirmedBalance, token)
    return t('newWithdrawal.refused.confirmed', { available })
  }
  if (isSluiceError(error, 'WITHDRAWAL_BELOW_MINIMUM'))
    return t('newWithdrawal.refused.minimum', {
      amount: formatAmount(error.details.minimum, token),
    })
  if (isSluiceError(error, 'WITHDRAWAL_ABOVE_MAXIMUM'))
    return t('newWithdrawal.refused.maximum', {
      amount: formatAmount(error.details.maximum, token),
    })
  return null
}
