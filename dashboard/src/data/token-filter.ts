import type { Token } from '@sluice/client'
import { useOf } from './decisions.ts'
import { contains } from './local-list.ts'

/** The filters of the list. */
export interface TokenFilter {
  q?: string
  chainId?: string
  use?: string
}

/** The tokens that the organization uses first, otherwise in their order. */
export function usedFirst(tokens: readonly Token[]): readonly Token[] {
  return tokens.toSorted((a, b) => Number(b.enabled) - Number(a.enabled))
}

/** The tokens that match a filter. */
export function matchingTokens(
  tokens: readonly Token[],
  { q, chainId, use }: TokenFilter,
): readonly Token[] {
  return tokens.filter(
    (token) =>
      contains(q, [token.symbol, token.name, token.address, token.id]) &&
      (chainId === undefined || token.chainId === chainId) &&
      (use === undefined || useOf(token) === use),
  )
}

/** The smallest deposit that is credited, in base units; null if every amount is. */
export function minimumOf({ minimumAmount }: Pick<Token, 'minimumAmount'>): string | null {
  return minimumAmount === '1' ? null : minimumAmount
}

/** The largest withdrawal of a token in base units; null without one. */
export function maximumOf({ properties }: Pick<Token, 'properties'>): string | null {
  const maximum = properties['maximumWithdrawalAmount']
  return typeof maximum === 'string' ? maximum : null
}
