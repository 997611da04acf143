import type { IncomingTransfer } from './deposit.ts'

/** What the chain's state said about one address and token, at a block and at its parent. */
export interface Evidence {
  /** Base units at the end of the parent; null where the state is pruned or was not asked for. */
  before: bigint | null
  /** Base units at the end of the block; null where the state is pruned or was not asked for. */
  after: bigint | null
  /** Base units that our ledger places on the address at the end of the block of `after`. */
  expected: bigint
  /**
   * `after` and `expected` are of a final block, the deposit's or a later one, since the nodes
   * answer for no other. A smaller balance proves nothing: another machine behind the same URL may
   * have answered, which lags.
   */
  isSettled?: boolean
}

/** Why a deposit is held that nothing speaks against; the audit may be its witness yet. */
export const UNWITNESSED = 'no state could be read that would prove this movement'

/** What is judged: a deposit, or other money that arrived. */
export type Arrival = Pick<IncomingTransfer, 'cleared' | 'position' | 'netMovement'>

export type Verdict = { credit: true } | Doubt

/** Why it is held, and whether its token is suspended for it. */
export interface Doubt {
  credit: false
  cause: string
  suspendToken: boolean
}

/** What is said of what arrives in a token that was caught lying. */
export const SUSPENDED = doubt('the token is suspended')

/** What must be asked of the chain before a deposit may be credited (engineering, 10). */
export type Question = 'movement' | 'coverage' | 'none'

/**
 * Contract tokens are asked whether the balance moved as their logs claim, and so are accounts that
 * many users share; internal native transfers whether the balance covers what we expect. Another
 * native transfer that is the transaction's own needs no second witness.
 */
export function questionFor(
  transfer: Arrival,
  { native, shared = false }: { native: boolean; shared?: boolean },
): Question {
  if (transfer.cleared) return 'none'
  if (!native || shared) return 'movement'
  return transfer.position.startsWith('call:') ? 'coverage' : 'none'
}

/**
 * Judges one deposit: credited, or held with the reason; a token caught lying is suspended as well.
 */
export function judge(given: {
  transfer: Arrival
  question: Question
  evidence: Evidence | null
  token: { source: 'catalogue' | 'operator'; suspended: boolean }
}): Verdict {
  const { transfer, question, evidence, token } = given
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
 * State that is gone, or a contract without balances, cannot speak: a listed token is credited by
 * its event, an operator's own waits for the audit.
 */
function judgeUnwitnessed(question: Question, token: { source: string }): Verdict {
  if (question === 'coverage' || token.source === 'catalogue') return { credit: true }
  return doubt(UNWITNESSED)
}

/** The verdict that holds a deposit for a reason, and does not suspend its token. */
export function doubt(cause: string): Doubt {
  return { credit: false, cause, suspendToken: false }
}
