import type { Chain } from '@sluice/client'

/** The meaning of a text that a person pasted into the trace box. */
export type Pasted =
  | { kind: 'hash'; value: string }
  | { kind: 'address'; value: string }
  | { kind: 'deposit'; value: string }
  | { kind: 'other'; value: string }

const HASH = /^(?:0x)?[0-9a-f]{64}$/i
const RECORD_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const ADDRESSES: readonly RegExp[] = [
  /^0x[0-9a-f]{40}$/i,
  /^(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}$/i,
  new RegExp(`^T${BASE58}{33}$`),
  new RegExp(`^[13mn2]${BASE58}{25,34}$`),
  new RegExp(`^r${BASE58}{24,34}$`),
  // The X-address of the XRP Ledger contains the destination tag.
  new RegExp(`^[XT]${BASE58}{46}$`),
]

/**
 * Recognizes a transaction hash, an address or the id of a deposit; also within the URL of a block
 * explorer. Any other text is `other`, which may be the id of an end user.
 */
export function readPasted(text: string): Pasted {
  const value = text.trim()
  const words = value.includes('://') ? value.split(/[^0-9A-Za-z]+/) : [value]
  const hash = words.find((word) => HASH.test(word))
  if (hash !== undefined) return { kind: 'hash', value: hash }
  const address = words.find((word) => ADDRESSES.some((form) => form.test(word)))
  if (address !== undefined) return { kind: 'address', value: address }
  return { kind: RECORD_ID.test(value) ? 'deposit' : 'other', value }
}

/** The page that traces a transaction or an address; null for any other text. */
export function traceHref({ kind, value }: Pasted, chainId = ''): string | null {
  if (kind === 'address') return `/trace?${new URLSearchParams({ address: value })}`
  if (kind !== 'hash') return null
  const chain = chainId === '' ? {} : { chainId }
  return `/trace?${new URLSearchParams({ ...chain, txnHash: value })}`
}

/**
 * Chains whose transactions can have this hash, the likely ones first: EVM wallets write `0x`,
 * wallets of the XRP Ledger upper-case letters, the others neither.
 */
export function chainsOfHash(hash: string, chains: Iterable<Chain>): Chain[] {
  const order = namespacesOf(hash)
  return [...chains]
    .filter(({ namespace }) => order.includes(namespace))
    .sort((a, b) => order.indexOf(a.namespace) - order.indexOf(b.namespace))
}

function namespacesOf(hash: string): readonly string[] {
  if (!HASH.test(hash)) return []
  // TRON nodes with an Ethereum interface write `0x` too.
  if (/^0x/i.test(hash)) return ['eip155', 'tron']
  const isUpper = /[A-F]/.test(hash) && !/[a-f]/.test(hash)
  return isUpper ? ['xrpl', 'tron', 'bip122', 'eip155'] : ['tron', 'bip122', 'xrpl', 'eip155']
}
