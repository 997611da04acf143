import type { Catalogue } from './find.ts'
import type { ChainState } from './chain-state.ts'
import type { TokenCheck } from './token-check.ts'

/** Switches of an organization, for chains and tokens by id. */
export interface Switches {
  /** Whether operator and organization have it on; `whenUnset` (default: on) is the operator's. */
  isOn(subject: string, whenUnset?: boolean): boolean
}

/** Input of `chainEnabled`; `state` is null before first contact. */
export interface ChainQuestion {
  catalogue: Catalogue
  chainId: string
  state: ChainState | null
  switches: Switches
}

/**
 * Whether an organization gets new addresses and withdrawals on a chain (engineering, 17): its
 * switches are on, the chain has nodes and is not halted. A chain not contacted yet is enabled; it
 * answers with a 503 until then.
 */
export function chainEnabled({ catalogue, chainId, state, switches }: ChainQuestion): boolean {
  return catalogue.isConfigured(chainId) && switches.isOn(chainId) && state?.condition !== 'halted'
}

/** Whether a token will be enabled as soon as its contract has answered as the catalogue says. */
export function isVerifying(question: Parameters<typeof tokenEnabled>[0]): boolean {
  const { check } = question
  if (check?.state === 'mismatch' || check?.state === 'verified') return false
  const verified = { state: 'verified', suspendedAt: check?.suspendedAt ?? null } as const
  return !tokenEnabled(question) && tokenEnabled({ ...question, check: verified })
}

/**
 * Whether a token is enabled for an organization: its chain is, its own switches are on (the
 * operator's is `enabledByDefault` by default), its contract agrees with the catalogue (a native
 * currency has none), and it is not suspended. `state` is that of the token's chain. False for an
 * unknown token.
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
