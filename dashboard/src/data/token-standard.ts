const EVM_STANDARDS: Readonly<Record<string, string>> = {
  'eip155:56': 'BEP-20',
  'eip155:97': 'BEP-20',
}

/**
 * The standard of a token that wallets name, such as `TRC-20`; null for a native currency.
 * `tokenId` is a CAIP-19 id.
 */
export function standardOf(tokenId: string): string | null {
  const [chainId = '', asset = ''] = tokenId.split('/')
  if (asset.startsWith('trc20:')) return 'TRC-20'
  if (asset.startsWith('erc20:')) return EVM_STANDARDS[chainId] ?? 'ERC-20'
  return null
}
