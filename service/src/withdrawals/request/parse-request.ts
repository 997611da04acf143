import { parseExternalUserId } from '../../accounts/account.ts'
import { Refusal } from '../../base/fault.ts'

/** The body of a request: only the types of its fields were checked. */
export interface RequestBody {
  chainId: string
  tokenId: string
  amount: string
  recipient: string
  reference: string
  memo?: string | null
  internalNote?: string | null
  externalUserId?: string | null
}

/** A request whose texts can be stored. */
export interface WithdrawalRequest {
  chainId: string
  tokenId: string
  amount: string
  recipient: string
  reference: string
  memo: string | null
  internalNote: string | null
  externalUserId: string | null
}

/** Decisions, section 11; all counted in Unicode code points. */
const REFERENCE_LENGTH_MAX = 128
const MEMO_LENGTH_MAX = 64
const NOTE_LENGTH_MAX = 500
/** Controls, and halves of surrogate pairs, which no encoding can carry. */
const NOT_IN_A_TEXT = /[\p{Cc}\p{Cs}]/u

/**
 * Parses a request (decisions, 4 and 11). Texts are neither trimmed nor normalized, so two
 * references are equal only if all bytes are (A04). An empty memo counts as null. Refuses with
 * BAD_REQUEST and INVALID_USER_ID.
 */
export function parseRequest(body: RequestBody): WithdrawalRequest {
  const reference = parseReference(body.reference)
  return { ...parsePayment(body), reference }
}

/**
 * The same for a body that may lack the reference; it is empty then, as that of no withdrawal.
 * Refuses as `parseRequest` does.
 */
export function parseEstimate(
  body: Omit<RequestBody, 'reference'> & { reference?: string | null },
): WithdrawalRequest {
  const reference = body.reference ?? null
  return reference === null
    ? { ...parsePayment(body), reference: '' }
    : parseRequest({ ...body, reference })
}

function parsePayment(body: Omit<RequestBody, 'reference'>): Omit<WithdrawalRequest, 'reference'> {
  const { chainId, tokenId, amount, recipient } = body
  const { memo = null, internalNote = null, externalUserId = null } = body
  return {
    chainId,
    tokenId,
    amount,
    recipient,
    memo: memo === null || memo === '' ? null : parseText('memo', memo, MEMO_LENGTH_MAX),
    internalNote:
      internalNote === null ? null : parseText('internalNote', internalNote, NOTE_LENGTH_MAX),
    externalUserId: externalUserId === null ? null : parseExternalUserId(externalUserId),
  }
}

/** Parses a reference. Refuses with BAD_REQUEST. */
export function parseReference(text: string): string {
  if (text === '') refuse('reference', REFERENCE_LENGTH_MAX)
  return parseText('reference', text, REFERENCE_LENGTH_MAX)
}

function parseText(field: string, text: string, maximum: number): string {
  // A code point has at most two code units, so longer texts need not be counted.
  const isLong = text.length > 2 * maximum || Array.from(text).length > maximum
  return isLong || NOT_IN_A_TEXT.test(text) ? refuse(field, maximum) : text
}

function refuse(field: string, maximum: number): never {
  const minimum = field === 'reference' ? 1 : 0
  throw new Refusal(
    'BAD_REQUEST',
    { field, maximum },
    `${field} has ${minimum} to ${maximum} characters and no control characters.`,
  )
}
