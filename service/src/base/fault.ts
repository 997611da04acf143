import type { ErrorCode } from '@sluice/wire'

/**
 * The caller's error: a documented code of the interface (section 7.3) with its details. Message
 * and status come from `wire/errors.ts`; `says` replaces that message.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly details: Record<string, unknown>
  readonly says: string | null

  constructor(code: ErrorCode, details: Record<string, unknown> = {}, says: string | null = null) {
    super(says ?? code)
    this.code = code
    this.details = details
    this.says = says
  }
}

/**
 * A node, a database or a receiver does not respond or sends an invalid response. Loops back off;
 * the API answers 503.
 */
export class Outage extends Error {
  override readonly name = 'Outage'
  readonly what: string
  /** The pause in milliseconds that the other side asked for, if it did. */
  readonly retryAfterMs: number | null
  /** Whether it is already in the log. */
  readonly isLogged: boolean

  constructor(
    what: string,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number; isLogged?: boolean } = {},
  ) {
    super(`${what}: ${message}`, { cause: options.cause })
    this.what = what
    this.isLogged = options.isLogged ?? false
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/**
 * An error of the installation: a setting, a key, a passphrase or a database right is missing or
 * wrong. The message names it and the remedy.
 */
export class Misconfigured extends Error {
  override readonly name: string = 'Misconfigured'
}

/** The `code` of an error of Node or its libraries (`ENOENT`, `FST_ERR_BAD_URL`), or ''. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

/** For a `catch`: returns null for an Outage and rethrows every other error. */
export function nullIfAway(error: unknown): null {
  if (error instanceof Outage) return null
  throw error
}
