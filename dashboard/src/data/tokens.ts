import { useQuery } from '@tanstack/react-query'
import { ALL_TOKENS } from './catalogue.ts'
import { client, queries } from './client.ts'
import { useOf } from './decisions.ts'
import { pageOf, toCsv } from './local-list.ts'
import { matchingTokens, maximumOf, type TokenFilter, usedFirst } from './token-filter.ts'

/** A page of the tokens that match a filter. */
export function useTokensPage(filter: TokenFilter, cursor: string | undefined) {
  return useQuery({
    ...ALL_TOKENS,
    select: (tokens) => pageOf(matchingTokens(usedFirst(tokens), filter), cursor),
  })
}

/** The tokens that match a filter, as CSV. */
export async function exportTokens(filter: TokenFilter): Promise<ReadableStream<Uint8Array>> {
  const all = await queries.fetchQuery({ ...ALL_TOKENS, staleTime: 0 })
  const tokens = matchingTokens(usedFirst(all), filter)
  const header = ['id', 'chainId', 'symbol', 'name', 'address', 'decimals', 'minimumAmount']
  const rows = tokens.map((token) => {
    const { id, chainId, symbol, name, address, decimals, minimumAmount } = token
    const limits = [String(decimals), minimumAmount, maximumOf(token) ?? '']
    return [id, chainId, symbol, name, address, ...limits, useOf(token)]
  })
  return toCsv([[...header, 'maximumWithdrawalAmount', 'use'], ...rows]).stream()
}

/** Switches a token off or on for the organization. */
export function switchToken(id: string, enabled: boolean) {
  return (totpCode: string) => client.organisation.setToken(id, enabled, { totpCode })
}
