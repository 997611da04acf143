import { formatTokenId, parseChainId } from '@sluice/wire'
import type { ChainId, Namespace, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import type { PaymentModel } from '../chains/chain-adapter.ts'
import { TRON_WINDOW_MS } from '../chains/spending.ts'
import type { AddressType } from '../chains/port.ts'

/**
 * When a block is settled (engineering, 12). `final`: when the chain calls it final, or by depth if
 * no node reports a final block; `depth-or-final`: by the first of both; `depth`: by blocks on top.
 */
export type Finality = 'final' | 'depth-or-final' | 'depth'

/** The number in a native token id, `slip44:<coin type>` (section 2.1); test networks share it. */
export type CoinType = 60 | 0 | 195 | 144

/** Facts of a chain. A new EVM chain is one more literal below. */
export interface ChainEntry {
  id: ChainId
  name: string
  namespace: Namespace
  reference: string
  isTestnet: boolean
  /** Symbol of the native currency. */
  nativeCurrency: string
  nativeName: string
  /** Decimal places of the native currency. */
  decimals: number
  coinType: CoinType
  blockTimeSeconds: number
  /** Blocks on top of a deposit's own before depth alone settles it. */
  confirmations: number
  finality: Finality
  /**
   * Upper bound of the fee of one transaction if the operator configures none, in base units of the
   * native currency. Well above a fee on a crowded day, small enough to lose (W16).
   */
  feeCap: bigint
  /** Smallest deposit that is credited by default, in base units; the dust limit on Bitcoin. */
  minimumAmount: bigint
  paymentModel: PaymentModel
  /**
   * First nonce of an account: 0, or the height of the ledger that created it. `none`: transactions
   * of a sender are not numbered.
   */
  accountNumbers: 'from-zero' | 'from-ledger' | 'none'
  /** Whether a gas wallet pays fees; if not, the paying balance does (section 2.8). */
  hasGasWallets: boolean
  /**
   * Whether all users of an organization are paid at its settlement address, each with a tag. Such
   * deposits are not swept.
   */
  sharesAddresses: boolean
  /** Whether an address of ours is the same on all chains of its namespace, main or test. */
  sharesKeys: boolean
  /** Whether the memo of a withdrawal is part of its transaction. */
  carriesMemo: boolean
  /** Whether a node may know a transaction only while it waits, for want of an index of all. */
  mayLackIndex: boolean
  /** Whether the reference is the beginning of the hash of the first block (CAIP-4). */
  isNamedByGenesis: boolean
  /**
   * How long a transaction that a restored database does not know can still be included without a
   * trace on the chain, in milliseconds of block time. Null if its nonce or inputs reveal it.
   */
  forgottenForMs: Millis | null
  /** Smallest tip that pools of the chain accept, in wei per gas. */
  tipFloor: bigint
  /**
   * Whether the chain logs what its system transactions move of the native currency. They have no
   * sender, and tracers do not show them reliably.
   */
  logsOwnMoves: boolean
  /** Web pages of transactions and addresses; null without a public block explorer. */
  explorer: Explorer | null
  /** Settings of the configuration that only some chains have. */
  settings: readonly ChainSetting[]
  /** Type of the addresses of new accounts, if configured. Existing addresses show their type. */
  addressType?: AddressType
}

/** URLs of a block explorer, with `{hash}` and `{address}` in place of the value. */
export interface Explorer {
  tx: string
  address: string
}

export type ChainSetting = 'solidity' | 'ws' | 'cookieFile' | 'addressType' | 'genesis'

/** The literal of a chain. Namespace and reference are parts of its id. */
type ChainFacts = Omit<ChainEntry, 'id' | 'namespace' | 'reference' | 'addressType'> & {
  id: string
}

/** An explorer with the paths of EIP-3091, which also mempool.space uses. */
function explorerAt(origin: string): Explorer {
  return { tx: `${origin}/tx/{hash}`, address: `${origin}/address/{address}` }
}

function tronscanAt(origin: string): Explorer {
  return { tx: `${origin}/#/transaction/{hash}`, address: `${origin}/#/address/{address}` }
}

function xrplExplorerAt(origin: string): Explorer {
  return { tx: `${origin}/transactions/{hash}`, address: `${origin}/accounts/{address}` }
}

const EVM = {
  decimals: 18,
  coinType: 60,
  minimumAmount: 1n,
  paymentModel: 'nonce',
  accountNumbers: 'from-zero',
  hasGasWallets: true,
  sharesAddresses: false,
  sharesKeys: true,
  carriesMemo: false,
  mayLackIndex: false,
  isNamedByGenesis: false,
  forgottenForMs: null,
  settings: [],
} as const satisfies Partial<ChainFacts>

const BITCOIN = {
  isTestnet: false,
  nativeCurrency: 'BTC',
  nativeName: 'Bitcoin',
  decimals: 8,
  coinType: 0,
  blockTimeSeconds: 600,
  finality: 'depth',
  feeCap: 10n ** 6n,
  minimumAmount: 546n,
  paymentModel: 'utxo',
  accountNumbers: 'none',
  hasGasWallets: false,
  sharesAddresses: false,
  sharesKeys: false,
  carriesMemo: false,
  mayLackIndex: true,
  isNamedByGenesis: true,
  forgottenForMs: null,
  tipFloor: 0n,
  logsOwnMoves: false,
  settings: ['cookieFile', 'addressType'],
} as const satisfies Partial<ChainFacts>

const BITCOIN_TEST = {
  ...BITCOIN,
  isTestnet: true,
  nativeCurrency: 'tBTC',
  nativeName: 'tBTC',
  confirmations: 1,
} as const

const TRON = {
  nativeCurrency: 'TRX',
  decimals: 6,
  coinType: 195,
  blockTimeSeconds: 3,
  finality: 'final',
  feeCap: 10n ** 8n,
  minimumAmount: 1n,
  paymentModel: 'window',
  accountNumbers: 'none',
  hasGasWallets: true,
  sharesAddresses: false,
  sharesKeys: false,
  carriesMemo: true,
  mayLackIndex: false,
  isNamedByGenesis: false,
  forgottenForMs: TRON_WINDOW_MS,
  tipFloor: 0n,
  logsOwnMoves: false,
} as const satisfies Partial<ChainFacts>

const XRP_LEDGER = {
  nativeCurrency: 'XRP',
  decimals: 6,
  coinType: 144,
  blockTimeSeconds: 4,
  confirmations: 1,
  finality: 'final',
  feeCap: 10n ** 6n,
  minimumAmount: 1n,
  paymentModel: 'ticket',
  accountNumbers: 'from-ledger',
  hasGasWallets: false,
  sharesAddresses: true,
  sharesKeys: false,
  carriesMemo: true,
  mayLackIndex: false,
  isNamedByGenesis: false,
  forgottenForMs: null,
  tipFloor: 0n,
  logsOwnMoves: false,
  settings: ['ws'],
} as const satisfies Partial<ChainFacts>

const GWEI = 10n ** 9n

/**
 * Nodes of BSC suggest less than its pools accept: bsc v1.6, `miner.gasprice` and
 * `txpool.pricelimit`.
 */
const BSC_TIP_FLOOR = GWEI / 20n

/** The chains of section 2.1, main networks first. */
export const CHAINS: readonly ChainEntry[] = [
  literal({
    ...EVM,
    id: 'eip155:1',
    name: 'Ethereum',
    explorer: explorerAt('https://etherscan.io'),
    isTestnet: false,
    nativeCurrency: 'ETH',
    nativeName: 'Ether',
    blockTimeSeconds: 12,
    confirmations: 12,
    finality: 'depth-or-final',
    feeCap: 5n * 10n ** 16n,
    tipFloor: 0n,
    logsOwnMoves: false,
  }),
  literal({
    ...EVM,
    id: 'eip155:137',
    name: 'Polygon PoS',
    explorer: explorerAt('https://polygonscan.com'),
    isTestnet: false,
    nativeCurrency: 'POL',
    nativeName: 'POL',
    blockTimeSeconds: 2,
    confirmations: 128,
    finality: 'final',
    feeCap: 5n * 10n ** 18n,
    // Enforced by bor (`txpool.pricelimit`); nodes suggest less.
    tipFloor: 25n * GWEI,
    // The bridge pays by system transactions.
    logsOwnMoves: true,
  }),
  literal({
    ...EVM,
    id: 'eip155:56',
    name: 'BNB Smart Chain',
    explorer: explorerAt('https://bscscan.com'),
    isTestnet: false,
    nativeCurrency: 'BNB',
    nativeName: 'BNB',
    blockTimeSeconds: 0.45,
    // As long as the 15 blocks of its first years; counts only if no node reports a final block.
    confirmations: 100,
    finality: 'final',
    feeCap: 5n * 10n ** 16n,
    tipFloor: BSC_TIP_FLOOR,
    logsOwnMoves: false,
  }),
  literal({
    ...BITCOIN,
    id: 'bip122:000000000019d6689c085ae165831e93',
    name: 'Bitcoin',
    explorer: explorerAt('https://mempool.space'),
    confirmations: 3,
  }),
  literal({
    ...TRON,
    id: 'tron:0x00000000000000000000000000000000',
    name: 'TRON',
    explorer: tronscanAt('https://tronscan.org'),
    isTestnet: false,
    nativeName: 'TRON',
    confirmations: 20,
    settings: ['solidity'],
  }),
  literal({
    ...XRP_LEDGER,
    id: 'xrpl:mainnet',
    name: 'XRP Ledger',
    explorer: xrplExplorerAt('https://livenet.xrpl.org'),
    isTestnet: false,
    nativeName: 'XRP',
  }),
  literal({
    ...EVM,
    id: 'eip155:11155111',
    name: 'Ethereum Sepolia',
    explorer: explorerAt('https://sepolia.etherscan.io'),
    isTestnet: true,
    nativeCurrency: 'ETH',
    nativeName: 'Sepolia Ether',
    blockTimeSeconds: 12,
    confirmations: 3,
    finality: 'depth-or-final',
    feeCap: 5n * 10n ** 16n,
    tipFloor: 0n,
    logsOwnMoves: false,
  }),
  literal({
    ...EVM,
    id: 'eip155:97',
    name: 'BNB Smart Chain Testnet',
    explorer: explorerAt('https://testnet.bscscan.com'),
    isTestnet: true,
    nativeCurrency: 'tBNB',
    nativeName: 'Test BNB',
    blockTimeSeconds: 0.45,
    confirmations: 3,
    finality: 'depth-or-final',
    feeCap: 5n * 10n ** 16n,
    tipFloor: BSC_TIP_FLOOR,
    logsOwnMoves: false,
  }),
  literal({
    ...BITCOIN_TEST,
    id: 'bip122:000000000933ea01ad0ee984209779ba',
    name: 'Bitcoin Testnet3',
    explorer: explorerAt('https://mempool.space/testnet'),
    nativeName: 'Bitcoin Testnet',
  }),
  literal({
    ...TRON,
    id: 'tron:shasta',
    name: 'TRON Shasta Testnet',
    explorer: tronscanAt('https://shasta.tronscan.org'),
    isTestnet: true,
    nativeName: 'TRON (Shasta)',
    confirmations: 3,
    settings: ['solidity', 'genesis'],
  }),
  literal({
    ...XRP_LEDGER,
    id: 'xrpl:testnet',
    name: 'XRP Ledger Testnet',
    explorer: xrplExplorerAt('https://testnet.xrpl.org'),
    isTestnet: true,
    nativeName: 'XRP (Testnet)',
  }),
]

/** Chains for development, listed only if the operator configures nodes for them. */
export const UNLISTED_CHAINS: readonly ChainEntry[] = [
  literal({
    ...BITCOIN_TEST,
    id: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
    name: 'Bitcoin Regtest',
    explorer: null,
  }),
  literal({
    ...BITCOIN_TEST,
    id: 'bip122:00000008819873e925422c1ff0f99f7c',
    name: 'Bitcoin Signet',
    explorer: explorerAt('https://mempool.space/signet'),
  }),
  literal({
    ...BITCOIN_TEST,
    id: 'bip122:00000000da84f2bafbbc53dee25a72ae',
    name: 'Bitcoin Testnet4',
    explorer: explorerAt('https://mempool.space/testnet4'),
  }),
]

/** Every chain that can be followed. */
export const ALL_CHAINS: readonly ChainEntry[] = [...CHAINS, ...UNLISTED_CHAINS]

/** The kind of ledger account that deposits of a chain are held in. */
export function depositPlace(chainId: ChainId): 'deposits' | 'settlement' {
  return CHAINS.find(({ id }) => id === chainId)?.sharesAddresses ? 'settlement' : 'deposits'
}

/** The token id of a chain's native currency, `<chain id>/slip44:<coin type>`. */
export function nativeTokenId(chain: ChainEntry): TokenId {
  const assetReference = String(chain.coinType)
  return formatTokenId({ chainId: chain.id, assetNamespace: 'slip44', assetReference })
}

function literal(facts: ChainFacts): ChainEntry {
  const parts = parseChainId(facts.id)
  assert(parts !== null, 'a chain of the catalogue without a CAIP-2 id', { id: facts.id })
  return { ...facts, ...parts, id: brandChainId(facts.id) }
}

function brandChainId(id: string): ChainId {
  return id as ChainId
}
