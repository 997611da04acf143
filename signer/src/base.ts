/** A broken invariant. */
export class SignerBug extends Error {
  override readonly name = 'SignerBug'
}

/** Throws a SignerBug unless `condition` holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new SignerBug(message)
}

/** Why a request is refused; `signed-elsewhere` and `not-expired` concern an earlier signature. */
export const REFUSAL_CODES = [
  'malformed',
  'undecodable',
  'other-payment',
  'other-sender',
  'not-own-address',
  'other-organization',
  'fee-too-high',
  'signed-elsewhere',
  'not-expired',
  'signed-too-often',
  'no-policy',
  'paused',
  'approvals-missing',
  'approvals-expired',
  'cap-exceeded',
  'unknown-recipient',
  'recipient-too-new',
  'quorum-missing',
  'stale-order',
] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

/** The signer refuses a request, and has stored no part of it. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Throws Refused unless `condition` holds. */
export function require(condition: unknown, code: RefusalCode, message: string): asserts condition {
  if (!condition) throw new Refused(code, message)
}
