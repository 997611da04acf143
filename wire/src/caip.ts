/** A CAIP-2 chain id, `<namespace>:<reference>`, that names a chain of the catalogue. */
export type ChainId = string & { readonly brand: 'ChainId' }
/** A CAIP-19 token id, `<chain id>/<asset namespace>:<asset reference>`. */
export type TokenId = string & { readonly brand: 'TokenId' }

export const NAMESPACES = ['eip155', 'bip122', 'tron', 'xrpl'] as const
export type Namespace = (typeof NAMESPACES)[number]

export const ASSET_NAMESPACES = ['erc20', 'trc20', 'slip44'] as const
export type AssetNamespace = (typeof ASSET_NAMESPACES)[number]

export interface ChainIdParts {
  namespace: Namespace
  reference: string
}

export interface TokenIdParts {
  chainId: ChainId
  assetNamespace: AssetNamespace
  /** A contract address or, for `slip44`, a coin type. */
  assetReference: string
}

/**
 * CAIP-2 gives namespaces 3 to 8 characters and references 1 to 32; `tron:0x000…` is 34 and in use
 * (section 2.1).
 */
const CHAIN_ID_SHAPE = /^([a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,40})$/
const TOKEN_ID_SHAPE =
  /^([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,40})\/([a-z0-9]{3,8}):([-.%a-zA-Z0-9]{1,128})$/

/**
 * Takes a chain id apart; null where the text has not the form of one or its namespace is not in
 * use.
 */
export function parseChainId(text: string): ChainIdParts | null {
  const match = CHAIN_ID_SHAPE.exec(text)
  const namespace = NAMESPACES.find((name) => name === match?.[1])
  const reference = match?.[2]
  return namespace === undefined || reference === undefined ? null : { namespace, reference }
}

/**
 * Takes a token id apart; null where the text has not the form of one or its asset namespace is not
 * in use.
 */
export function parseTokenId(text: string): TokenIdParts | null {
  const match = TOKEN_ID_SHAPE.exec(text)
  const assetNamespace = ASSET_NAMESPACES.find((name) => name === match?.[2])
  const assetReference = match?.[3]
  if (!match?.[1] || assetNamespace === undefined || assetReference === undefined) return null
  if (parseChainId(match[1]) === null) return null
  return { chainId: match[1] as ChainId, assetNamespace, assetReference }
}

/** Puts a token id together. */
export function formatTokenId(parts: TokenIdParts): TokenId {
  return `${parts.chainId}/${parts.assetNamespace}:${parts.assetReference}` as TokenId
}
