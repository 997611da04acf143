import type { IncomingTransfer } from './deposit.ts'

/** State of the chain about one address and token, at a block and at its parent. */
export interface Evidence {
  /** Base units at the end of the parent; null if the state is pruned or was not queried. */
  before: bigint | null
  /** Base units at the end of the block; null if the state is pruned or was not queried. */
  after: bigint | null
  /** Base units that our ledger places on the address at the end of the block of `after`. */
  expected: bigint
  /**
   * `after` and `expected` belong to a final block, the transfer's or a later one, because the
   * nodes answer only for that. A smaller balance proves nothing: a lagging machine behind the same
   * URL may have answered.
   */
  isSettled?: boolean
}

/** Cause of a hold without evidence against the transfer; the audit may confirm it later. */
export const UNWITNESSED = 'no state could be read that would prove this movement'

/** Fields of a transfer that are judged. */
export type Arrival = Pick<IncomingTransfer, 'cleared' | 'position' | 'netMovement'>

export type Verdict = { credit: true } | Doubt

/** Why a transfer is held, and whether its token is suspended. */
export interface Doubt {
  credit: false
  cause: string
  suspendToken: boolean
}

/** Verdict on transfers in a token whose movement was false once. */
export const SUSPENDED = doubt('the token is suspended')

/** Query that precedes the credit of a transfer (engineering, 10). */
export type Question = 'movement' | 'coverage' | 'none'

/**
 * For contract tokens and base accounts: whether the balance moved as the transfers claim. For
 * internal native transfers: whether the balance covers the expected one. Other native transfers
 * need no second witness.
 */
export function questionFor(
  transfer: Arrival,
  { native, shared = false }: { native: boolean; shared?: boolean },
): Question {
  if (transfer.cleared) return 'none'
  if (!native || shared) return 'movement'
  return transfer.position.startsWith('call:') ? 'coverage' : 'none'
}

/** Judges a transfer: credited, or held for a cause; a false movement also suspends the token. */
export function judge({
  transfer,
  question,
  evidence,
  token,
}: {
  transfer: Arrival
  question: Question
  evidence: Evidence | null
  token: { source: 'catalogue' | 'operator'; suspended: boolean }
}): Verdict {
  if (transfer.cleared) return { credit: true }
  if (token.suspended) return SUSPENDED
  if (question === 'none') return { credit: true }
  if (evidence === null || evidence.after === null) return judgeUnwitnessed(question, token)
  if (question === 'coverage' || evidence.isSettled === true) {
    return judgeCoverage({ ...evidence, after: evidence.after })
  }
  if (evidence.before === null) return judgeUnwitnessed(question, token)
  return judgeMovement(transfer, evidence.after - evidence.before)
}

function judgeMovement(transfer: Arrival, moved: bigint): Verdict {
  if (moved === transfer.netMovement) return { credit: true }
  const cause =
    `the token's logs moved ${transfer.netMovement} base units in this block, ` +
    `its balance moved ${moved}`
  return { credit: false, cause, suspendToken: true }
}

function judgeCoverage(evidence: Evidence & { after: bigint }): Verdict {
  const { after, expected, isSettled = false } = evidence
  if (after >= expected) return { credit: true }
  if (isSettled) return doubt(UNWITNESSED)
  return doubt(`the address holds ${after} base units at this block, ${expected} were expected`)
}

/**
 * Without state a token of the catalogue is credited by its event, and an operator's own token
 * waits for the audit.
 */
function judgeUnwitnessed(question: Question, token: { source: string }): Verdict {
  if (question === 'coverage' || token.source === 'catalogue') return { credit: true }
  return doubt(UNWITNESSED)
}

/** Verdict that holds a transfer for a cause, and does not suspend its token. */
export function doubt(cause: string): Doubt {
  return { credit: false, cause, suspendToken: false }
}
