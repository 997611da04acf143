import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Catalogue } from './find.ts'
import * as rows from './rows.ts'

/**
 * `verified`: the contract agrees with the catalogue; `mismatch`: it does not; `unreachable`: no
 * node answered; `pending`: not queried yet (engineering, 17).
 */
export type TokenCheckState = rows.TokenCheckRow['state']

/** The answer of a token contract, and whether the token is suspended. */
export interface TokenCheck {
  tokenId: TokenId
  chainId: ChainId
  state: TokenCheckState
  /** The answer, as `<decimals> <symbol>`, or empty. */
  found: string
  /** When the token was found to move other amounts than its events say; else null. */
  suspendedAt: Millis | null
  suspendedCause: string
  checkedAt: Millis
}

/** Every stored check. */
export async function readTokenChecks(tx: Tx): Promise<TokenCheck[]> {
  return (await rows.selectTokenChecks(tx)).map(fromRow)
}

/** Checks of configured tokens on chains with nodes. */
export async function readChecksInForce(tx: Tx, catalogue: Catalogue): Promise<TokenCheck[]> {
  const checks = await readTokenChecks(tx)
  return checks.filter(
    ({ tokenId, chainId }) => catalogue.isConfigured(chainId) && catalogue.token(tokenId) !== null,
  )
}

/** Stores an answer. `unreachable` replaces neither `verified` nor `mismatch`. */
export async function recordTokenCheck(
  tx: Tx,
  check: { tokenId: TokenId; chainId: ChainId; state: TokenCheckState; found: string },
): Promise<void> {
  await rows.upsertTokenCheck(tx, check)
}

/**
 * Suspends a token (engineering, 10): it is disabled for every organization. Returns false if it
 * was suspended already; the first cause stays.
 */
export async function suspendToken(
  tx: Tx,
  suspension: { tokenId: TokenId; chainId: ChainId; cause: string },
): Promise<boolean> {
  return rows.upsertSuspension(tx, suspension)
}

/** Tokens that are not credited or signed until an operator resumes them. */
export async function readSuspended(tx: Tx): Promise<ReadonlySet<TokenId>> {
  const checks = await readTokenChecks(tx)
  const suspended = checks.filter(({ suspendedAt }) => suspendedAt !== null)
  return new Set(suspended.map(({ tokenId }) => tokenId))
}

export async function isSuspended(tx: Tx, tokenId: TokenId): Promise<boolean> {
  return (await readSuspended(tx)).has(tokenId)
}

/** Ends a suspension. Returns false if the token was not suspended. */
export async function resumeToken(tx: Tx, { tokenId }: { tokenId: TokenId }): Promise<boolean> {
  return rows.clearSuspension(tx, tokenId)
}

function fromRow(row: rows.TokenCheckRow): TokenCheck {
  return {
    tokenId: row.token_id,
    chainId: row.chain_id,
    state: row.state,
    found: row.found,
    suspendedAt: row.suspended_at,
    suspendedCause: row.suspended_cause,
    checkedAt: row.checked_at,
  }
}
