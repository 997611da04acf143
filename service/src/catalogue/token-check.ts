import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Catalogue } from './find.ts'
import * as rows from './rows.ts'

/**
 * `verified`: the chain says of the token what the catalogue says; `mismatch`: it says otherwise;
 * `unreachable`: no node could be asked; `pending`: not asked yet (engineering, 17).
 */
export type TokenCheckState = rows.TokenCheckRow['state']

/** What the chain itself says of a contract token, and whether the token was caught lying. */
export interface TokenCheck {
  tokenId: TokenId
  chainId: ChainId
  state: TokenCheckState
  /** What was found on the chain, as `<decimals> <symbol>`; "" for nothing. */
  found: string
  /** When the token was caught moving other amounts than its events say; null where it was not. */
  suspendedAt: Millis | null
  suspendedCause: string
  checkedAt: Millis
}

/** Every check there is. */
export async function readTokenChecks(tx: Tx): Promise<TokenCheck[]> {
  return (await rows.selectTokenChecks(tx)).map(fromRow)
}

/** Those of the tokens that the configuration has, on chains with nodes; others stay on record. */
export async function readChecksInForce(tx: Tx, catalogue: Catalogue): Promise<TokenCheck[]> {
  const checks = await readTokenChecks(tx)
  return checks.filter(
    ({ tokenId, chainId }) => catalogue.isConfigured(chainId) && catalogue.token(tokenId) !== null,
  )
}

/**
 * Records what asking the chain gave. `unreachable` replaces neither `verified` nor `mismatch`:
 * what was once learned stays until the chain says otherwise.
 */
export async function recordTokenCheck(
  tx: Tx,
  given: { tokenId: TokenId; chainId: ChainId; state: TokenCheckState; found: string },
): Promise<void> {
  await rows.upsertTokenCheck(tx, given)
}

/**
 * Suspends a token that was caught lying (engineering, 10): it is no longer enabled for anybody.
 * True where it was not suspended before; the first cause stays.
 */
export async function suspendToken(
  tx: Tx,
  given: { tokenId: TokenId; chainId: ChainId; cause: string },
): Promise<boolean> {
  return rows.upsertSuspension(tx, given)
}

/** Those that are suspended: nothing of them is credited or signed until an operator has looked. */
export async function readSuspended(tx: Tx): Promise<ReadonlySet<TokenId>> {
  const checks = await readTokenChecks(tx)
  const suspended = checks.filter(({ suspendedAt }) => suspendedAt !== null)
  return new Set(suspended.map(({ tokenId }) => tokenId))
}

/** Whether a token is suspended. */
export async function isSuspended(tx: Tx, tokenId: TokenId): Promise<boolean> {
  return (await readSuspended(tx)).has(tokenId)
}

/** Ends a suspension. True where there was one. */
export async function resumeToken(tx: Tx, given: { tokenId: TokenId }): Promise<boolean> {
  return rows.clearSuspension(tx, given.tokenId)
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
