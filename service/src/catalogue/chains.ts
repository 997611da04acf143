import { formatTokenId, parseChainId } from '@sluice/wire'
import type { ChainId, Namespace, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import { TRON_WINDOW_MS } from '../chains/spending.ts'
import type { AddressType } from '../chains/port.ts'

/**
 * When a block counts as settled (engineering, 12). `final`: what the chain itself calls final,
 * depth only where no node names it; `depth-or-final`: whichever comes first; `depth`: blocks on
 * top.
 */
export type Finality = 'final' | 'depth-or-final' | 'depth'

/**
 * The number in a native token id, `slip44:<coin type>` (section 2.1), the same on test networks.
 */
export type CoinType = 60 | 0 | 195 | 144

/** What is fixed about a chain. A new chain of a known kind is one more line below. */
export interface ChainEntry {
  id: ChainId
  name: string
  namespace: Namespace
  reference: string
  isTestnet: boolean
  /** Symbol of the native currency. */
  nativeCurrency: string
  /** Decimal places of the native currency. */
  decimals: number
  blockTimeSeconds: number
  /** Blocks on top of a deposit's own before depth alone settles it. */
  confirmations: number
  finality: Finality
  coinType: CoinType
  /**
   * The most that one transaction may cost where the operator names no other bound, in base units
   * of the native currency.
   */
  feeCap: bigint
  /** The smallest tip that pools of the chain accept, in wei per gas; 0 where there is none. */
  tipFloor: bigint
  /**
   * Whether the chain logs what its own transactions move of its coin: nobody sends these, and no
   * tracer tells of them reliably.
   */
  logsOwnMoves: boolean
  /**
   * Of which type the deposit addresses of new accounts are, where the chain has several and the
   * operator names one. Accounts that stand keep theirs: the address itself says its type.
   */
  addressType?: AddressType
}

/** Well above what a payment costs on a crowded day, well below what anybody would miss (W16). */
const FEE_CAPS: Readonly<Record<string, bigint>> = {
  ETH: 5n * 10n ** 16n,
  POL: 5n * 10n ** 18n,
  BNB: 5n * 10n ** 16n,
  tBNB: 5n * 10n ** 16n,
  BTC: 10n ** 6n,
  tBTC: 10n ** 6n,
  TRX: 10n ** 8n,
  XRP: 10n ** 6n,
}

const GWEI = 10n ** 9n

/**
 * Nodes suggest less than the pools accept. Polygon: 25 gwei (bor, `txpool.pricelimit`, enforced).
 * BSC: 0.05 gwei (bsc v1.6, `miner.gasprice` and `txpool.pricelimit`).
 */
const TIP_FLOORS: Readonly<Record<string, bigint>> = {
  'eip155:137': 25n * GWEI,
  'eip155:56': GWEI / 20n,
  'eip155:97': GWEI / 20n,
}

/** What the bridge of Polygon PoS brings, it brings by transactions of the chain's own. */
const LOGGING_OWN_MOVES: ReadonlySet<string> = new Set(['eip155:137'])

/** Decimal places and coin type of the native currency, the same on every chain of a namespace. */
const NATIVE: Record<Namespace, { decimals: number; coinType: CoinType }> = {
  eip155: { decimals: 18, coinType: 60 },
  bip122: { decimals: 8, coinType: 0 },
  tron: { decimals: 6, coinType: 195 },
  xrpl: { decimals: 6, coinType: 144 },
}

/**
 * The chains of section 2.1, main networks first. Blocks of BSC come every 0.45 s: 100 of them take
 * as long as the 15 of its first years did, and count only where no node names the final block.
 */
export const CHAINS: readonly ChainEntry[] = [
  main('eip155:1', 'Ethereum', 'ETH', 12, 12, 'depth-or-final'),
  main('eip155:137', 'Polygon PoS', 'POL', 2, 128, 'final'),
  main('eip155:56', 'BNB Smart Chain', 'BNB', 0.45, 100, 'final'),
  main('bip122:000000000019d6689c085ae165831e93', 'Bitcoin', 'BTC', 600, 3, 'depth'),
  main('tron:0x00000000000000000000000000000000', 'TRON', 'TRX', 3, 20, 'final'),
  main('xrpl:mainnet', 'XRP Ledger', 'XRP', 4, 1, 'final'),
  test('eip155:11155111', 'Ethereum Sepolia', 'ETH', 12, 3, 'depth-or-final'),
  test('eip155:97', 'BNB Smart Chain Testnet', 'tBNB', 0.45, 3, 'depth-or-final'),
  test('bip122:000000000933ea01ad0ee984209779ba', 'Bitcoin Testnet3', 'tBTC', 600, 1, 'depth'),
  test('tron:shasta', 'TRON Shasta Testnet', 'TRX', 3, 3, 'final'),
  test('xrpl:testnet', 'XRP Ledger Testnet', 'XRP', 4, 1, 'final'),
]

/** Chains for development, which are there only where the operator has named their nodes. */
export const UNLISTED_CHAINS: readonly ChainEntry[] = [
  test('bip122:0f9188f13cb7b2c71f2a335e3a4fc328', 'Bitcoin Regtest', 'tBTC', 600, 1, 'depth'),
  test('bip122:00000008819873e925422c1ff0f99f7c', 'Bitcoin Signet', 'tBTC', 600, 1, 'depth'),
  test('bip122:00000000da84f2bafbbc53dee25a72ae', 'Bitcoin Testnet4', 'tBTC', 600, 1, 'depth'),
]

/** Every chain that can be followed. */
export const ALL_CHAINS: readonly ChainEntry[] = [...CHAINS, ...UNLISTED_CHAINS]

/**
 * Whether fees are paid from a gas wallet: elsewhere they come out of what is spent (section 2.8).
 */
export function hasGasWallets({ namespace }: Pick<ChainEntry, 'namespace'>): boolean {
  return namespace === 'eip155' || namespace === 'tron'
}

/**
 * Whether all users of an organization are paid at one address, told apart by a tag. That address
 * is the settlement account itself: nothing has to be swept.
 */
export function sharesAddresses({ namespace }: Pick<ChainEntry, 'namespace'>): boolean {
  return namespace === 'xrpl'
}

/** Whether the memo of a withdrawal is part of its transaction. */
export function carriesMemo({ namespace }: Pick<ChainEntry, 'namespace'>): boolean {
  return namespace === 'tron' || namespace === 'xrpl'
}

/** Whether the first transaction of every account has the number 0. */
export function numbersFromZero({ namespace }: Pick<ChainEntry, 'namespace'>): boolean {
  return namespace !== 'xrpl'
}

/**
 * How long a transaction that was signed and then forgotten can still be included without anything
 * on the chain that tells of it: in the time of blocks, in milliseconds. Null where a number, or a
 * coin that a pool has spent, shows that it is missing.
 */
export function forgottenFor({ namespace }: Pick<ChainEntry, 'namespace'>): Millis | null {
  return namespace === 'tron' ? TRON_WINDOW_MS : null
}

/** Whether the chain numbers the transactions of a sender, and takes them in that order alone. */
export function countsNonces({ namespace }: Pick<ChainEntry, 'namespace'>): boolean {
  return namespace === 'eip155' || namespace === 'xrpl'
}

/**
 * Whether payments are made of coins, each an output of an earlier transaction, and what is left
 * of these returns as one more.
 */
export function spendsCoins({ namespace }: Pick<ChainEntry, 'namespace'>): boolean {
  return namespace === 'bip122'
}

/** Whether a node may know transactions only while they wait, for want of an index of all. */
export function mayLackIndex({ namespace }: Pick<ChainEntry, 'namespace'>): boolean {
  return namespace === 'bip122'
}

/** As what the ledger holds money that deposits bring to a chain. */
export function depositPlace(chainId: ChainId): 'deposits' | 'settlement' {
  const entry = CHAINS.find(({ id }) => id === chainId)
  return entry !== undefined && sharesAddresses(entry) ? 'settlement' : 'deposits'
}

/** The id of a chain's own currency, `<chain id>/slip44:<coin type>`. */
export function nativeTokenId(chain: ChainEntry): TokenId {
  const assetReference = String(chain.coinType)
  return formatTokenId({ chainId: chain.id, assetNamespace: 'slip44', assetReference })
}

type Line = [
  id: string,
  name: string,
  nativeCurrency: string,
  blockTimeSeconds: number,
  confirmations: number,
  finality: Finality,
]

function main(...line: Line): ChainEntry {
  return entryOf(line, false)
}

function test(...line: Line): ChainEntry {
  return entryOf(line, true)
}

function entryOf(line: Line, isTestnet: boolean): ChainEntry {
  const [id, name, nativeCurrency, blockTimeSeconds, confirmations, finality] = line
  const parts = parseChainId(id)
  assert(parts !== null, 'a chain of the catalogue without a CAIP-2 id', { id })
  const { namespace, reference } = parts
  const feeCap = FEE_CAPS[nativeCurrency]
  assert(feeCap !== undefined, 'a chain of the catalogue without a cap of fees', { id })
  return {
    id: brandChainId(id),
    name,
    namespace,
    reference,
    isTestnet,
    nativeCurrency,
    decimals: NATIVE[namespace].decimals,
    blockTimeSeconds,
    confirmations,
    finality,
    coinType: NATIVE[namespace].coinType,
    feeCap,
    tipFloor: TIP_FLOORS[id] ?? 0n,
    logsOwnMoves: LOGGING_OWN_MOVES.has(id),
  }
}

/** Brands an id written in the table above. */
function brandChainId(id: string): ChainId {
  return id as ChainId
}
