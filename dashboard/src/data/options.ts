import { useChains, useTokens } from './catalogue.ts'

/** Values to choose from, with their texts. */
export type Options = readonly (readonly [value: string, text: string])[]

/** The chains that the organization uses, for a filter; the chosen one is always among them. */
export function useChainOptions(chosen: string | undefined): Options {
  return [...useChains().values()]
    .filter(({ id, enabled }) => enabled || id === chosen)
    .map(({ id, name }) => [id, name])
}

/** All chains of the service, for a filter; those that the organization uses come first. */
export function useAllChainOptions(): Options {
  return [...useChains().values()]
    .toSorted((a, b) => Number(b.enabled) - Number(a.enabled))
    .map(({ id, name }) => [id, name])
}

/** The tokens of a chain, or of all used chains, for a filter. */
export function useTokenOptions(chainId: string | undefined, chosen: string | undefined): Options {
  const chains = useChains()
  return [...useTokens().values()]
    .filter((token) => token.id === chosen || (token.enabled && isOf(token, chainId)))
    .map(({ id, symbol, chainId: on }) => {
      const text = chainId === undefined ? `${symbol} · ${chains.get(on)?.name ?? on}` : symbol
      return [id, text] as const
    })
}

function isOf(token: { chainId: string }, chainId: string | undefined): boolean {
  return chainId === undefined || token.chainId === chainId
}
