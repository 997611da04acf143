import type { ErrorCode } from '@sluice/wire'

/**
 * The caller's fault: a documented code of the interface (section 7.3), with what helps to mend it.
 * Message and status live in `wire/errors.ts`; a message here replaces the table's where it can say
 * more.
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
 * The world's fault: a node, a database or a receiver is away or talks nonsense. Loops back off,
 * the door says 503.
 */
export class Outage extends Error {
  override readonly name = 'Outage'
  readonly what: string
  /** How long the other side asked us to stay away, in milliseconds, where it said so. */
  readonly retryAfterMs: number | null
  /** Whether the log already has a line about it. */
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
 * The installation's fault: a setting, a key, a passphrase or a right of its login is missing or
 * wrong. The message says which, and what to do.
 */
export class Misconfigured extends Error {
  override readonly name: string = 'Misconfigured'
}

/**
 * The name by which Node and its libraries tell an error from others (`ENOENT`, `EADDRINUSE`,
 * `FST_ERR_BAD_URL`); '' where it has none.
 */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

/** For a `catch`: null stands for an answer of who is away; every other error goes on. */
export function nullIfAway(error: unknown): null {
  if (error instanceof Outage) return null
  throw error
}
