import type { ChainId, TokenId } from '@sluice/wire'
import { isPausing, type Millis } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { TokenFacts } from '../chains/port.ts'
import type { Chains } from '../chains/registry.ts'
import type { Database } from '../store/database.ts'
import type { Catalogue } from './find.ts'
import { readTokenChecks, recordTokenCheck } from './token-check.ts'
import type { TokenCheck, TokenCheckState } from './token-check.ts'
import type { TokenEntry } from './tokens.ts'

/** Interval of the check of a verified token; others are checked at every tick. */
const RECHECK_MS = 3_600_000
/** Concurrent checks on one chain. */
const AT_ONCE_MAX = 5

/** The result of the check of a token. */
export interface TokenFinding {
  tokenId: TokenId
  chainId: ChainId
  state: Exclude<TokenCheckState, 'pending'>
  /** The answer, as `<decimals> <symbol>`, or the reason for its absence. */
  found: string
  /** The catalogue, in the same form. */
  expected: string
  /** The previous state; null on the first check. */
  before: TokenCheckState | null
}

/**
 * One tick of the loop that compares token contracts with the catalogue (engineering, 17) and
 * stores the results. A chain in an outage does not delay the others. The caller raises an alert
 * for each `mismatch` and resolves it for `verified`.
 */
export async function verifyTokens(
  { database, chains }: { database: Database; chains: Chains },
  catalogue: Catalogue,
): Promise<TokenFinding[]> {
  const { checks, now } = await database.transaction(async (tx) => ({
    checks: await readTokenChecks(tx),
    now: tx.clock.now(),
  }))
  const before = new Map(checks.map((check) => [check.tokenId, check]))
  const due = catalogue.tokens.filter((token) => isDue(token, before.get(token.id), now))
  const found = await Promise.all(chains.all().map((adapter) => inspectAll(adapter, due, before)))
  const findings = found.flat()
  if (findings.length > 0)
    await database.transaction(async (tx) => {
      for (const finding of findings) await recordTokenCheck(tx, finding)
    })
  return findings
}

/** Checks all contract tokens now without storing the results, from which alerts follow. */
export async function inspectTokens(
  { chains }: { chains: Chains },
  catalogue: Catalogue,
): Promise<TokenFinding[]> {
  const due = catalogue.tokens.filter(({ native }) => !native)
  const found = await Promise.all(chains.all().map((one) => inspectAll(one, due, new Map())))
  return found.flat()
}

/** Whether the answer of a contract agrees with the catalogue. */
function agrees(token: TokenEntry, facts: TokenFacts): boolean {
  const symbols = [token.symbol, ...(token.alsoKnownAs ?? [])]
  return facts.decimals === token.decimals && symbols.includes(facts.symbol)
}

/** A verified token is checked hourly, and at once if the catalogue has changed. */
function isDue(token: TokenEntry, check: TokenCheck | undefined, now: Millis): boolean {
  if (token.native) return false
  if (check?.state !== 'verified') return true
  const symbols = [token.symbol, ...(token.alsoKnownAs ?? [])]
  const stillMeant = symbols.some((symbol) => written(token.decimals, symbol) === check.found)
  return !stillMeant || !isPausing(now, check.checkedAt, RECHECK_MS)
}

async function inspectAll(
  adapter: ChainAdapter,
  due: readonly TokenEntry[],
  before: ReadonlyMap<TokenId, TokenCheck>,
): Promise<TokenFinding[]> {
  const mine = due.filter((token) => token.chainId === adapter.chainId)
  const findings: TokenFinding[] = []
  for (let at = 0; at < mine.length; at += AT_ONCE_MAX) {
    const some = mine.slice(at, at + AT_ONCE_MAX)
    findings.push(
      ...(await Promise.all(some.map((token) => inspect(adapter, token, before.get(token.id))))),
    )
  }
  return findings
}

async function inspect(
  adapter: ChainAdapter,
  token: TokenEntry,
  check: TokenCheck | undefined,
): Promise<TokenFinding> {
  const { state, found } = await ask(adapter, token)
  const expected = written(token.decimals, token.symbol)
  const { id: tokenId, chainId } = token
  return { tokenId, chainId, state, found, expected, before: check?.state ?? null }
}

async function ask(
  adapter: ChainAdapter,
  token: TokenEntry,
): Promise<Pick<TokenFinding, 'state' | 'found'>> {
  try {
    const facts = await adapter.inspectToken(token.id)
    if (facts === null) return { state: 'mismatch', found: 'no token' }
    const found = written(facts.decimals, facts.symbol)
    return { state: agrees(token, facts) ? 'verified' : 'mismatch', found }
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    return { state: 'unreachable', found: error.message }
  }
}

/** Symbols come from contracts of others: only a short, printable part is stored. */
function written(decimals: number, symbol: string): string {
  return `${decimals} ${symbol.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 64)}`
}
