import type { Catalogue } from './find.ts'
import type { ChainState } from './chain-state.ts'
import type { TokenCheck } from './token-check.ts'

/** An organization's own switches, for chains and tokens by their ids. */
export interface Switches {
  /** What the organization has set; `whenUnset` (on, where left out) while it has set nothing. */
  isOn(subject: string, whenUnset?: boolean): boolean
}

/**
 * What it takes to say whether a chain is enabled for an organization; `state` null before first
 * contact.
 */
export interface ChainQuestion {
  catalogue: Catalogue
  chainId: string
  state: ChainState | null
  switches: Switches
}

/**
 * Whether an organization gets new addresses and withdrawals on a chain (engineering, 17): its
 * switch is on, the chain has nodes and is not halted. A chain not contacted yet is enabled: that
 * it cannot issue addresses so far is a 503 of the moment, not a setting.
 */
export function chainEnabled({ catalogue, chainId, state, switches }: ChainQuestion): boolean {
  return catalogue.isConfigured(chainId) && switches.isOn(chainId) && state?.condition !== 'halted'
}

/**
 * Whether nothing but the answer of its contract is missing before a token is enabled: it was not
 * asked yet, or no node answered. That passes by itself.
 */
export function isVerifying(question: Parameters<typeof tokenEnabled>[0]): boolean {
  const { check } = question
  if (check?.state === 'mismatch' || check?.state === 'verified') return false
  const verified = { state: 'verified', suspendedAt: check?.suspendedAt ?? null } as const
  return !tokenEnabled(question) && tokenEnabled({ ...question, check: verified })
}

/**
 * Whether a token is enabled for an organization: its chain is, its own switch is on, the chain has
 * confirmed what the catalogue says of it (a native currency needs no proof), and it was not caught
 * lying. While an organization has set no switch, the token's `enabledByDefault` decides.
 * `state` is the state of the token's chain, `check` the token's own; false for an unknown token.
 */
export function tokenEnabled(question: {
  catalogue: Catalogue
  tokenId: string
  state: ChainState | null
  check: Pick<TokenCheck, 'state' | 'suspendedAt'> | null
  switches: Switches
}): boolean {
  const { catalogue, tokenId, state, check, switches } = question
  const token = catalogue.token(tokenId)
  if (token === null) return false
  if (!chainEnabled({ catalogue, chainId: token.chainId, state, switches })) return false
  if (!switches.isOn(token.id, token.enabledByDefault)) return false
  if (check !== null && check.suspendedAt !== null) return false
  return token.native || check?.state === 'verified'
}
