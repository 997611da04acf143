import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { FeeCaps, FeeRate, Terms } from './spending.ts'

/**
 * An address in the one spelling in which addresses are compared and stored (EVM: lower-case hex;
 * elsewhere the chain's own text). `displayAddress` gives the spelling that people read.
 */
export type Address = string & { readonly brand: 'Address' }

export interface BlockRef {
  height: number
  hash: string
}

/** One movement of one token seen in a block, between whichever addresses. */
export interface Transfer {
  txnHash: string
  /**
   * Where in its transaction (decisions, section 1): `out:3` an output, `log:5` a log by its rank
   * inside the transaction, `call:0` an internal native transfer by its rank among those to the
   * same account, `tx` the transaction's own value. Stable over reorgs, unlike a block-wide log
   * index.
   */
  position: string
  tokenId: TokenId
  /** "" where the chain names no sender: coinbase, or several inputs. */
  from: Address | ''
  to: Address
  /** Base units, above zero: transfers of nothing are left out. */
  amount: bigint
  /** XRPL's destination tag; null everywhere else and where none was given. */
  tag: number | null
  /** Blocks on top before new coins of Bitcoin can be spent; left out everywhere else. */
  lockedFor?: number
}

/** What became of one transaction of a block; own spends are followed by their hash. */
export interface TransactionOutcome {
  txnHash: string
  succeeded: boolean
  sender: Address
  /** Null where the chain counts nobody's transactions. */
  nonce: number | null
  /** What the sender paid for it, value not counted, in base units of the native currency. */
  fee: bigint
}

/** A block as the scanner needs it, proved complete by the adapter as far as the chain allows. */
export interface Block extends BlockRef {
  parentHash: string
  time: Millis
  transfers: readonly Transfer[]
  /** Those whose sender may be ours (`mayWatch`); all where the scope does not say. */
  transactions: readonly TransactionOutcome[]
}

export interface Tip {
  head: BlockRef
  /** The highest block that the chain itself calls final; null where the node names none. */
  final: BlockRef | null
}

/** Which chain a node serves. `genesis` is pinned at the first contact (engineering, 16). */
export interface NodeIdentity {
  chainId: ChainId
  genesis: string
}

/** What the chain says of a token; null where the contract does not answer as a token does. */
export interface TokenFacts {
  decimals: number
  symbol: string
}

/** How a block is asked for: by height along the node's chain, or by the hash that is ours. */
export type BlockQuery = { height: number } | { hash: string }

/** Contracts to watch are named by the caller, since only listed tokens are money (E10). */
export interface BlockScope {
  tokens: readonly TokenId[]
  /**
   * Whether an address may be ours, where it is known: a superset is enough. Given, only what may
   * concern us is told: transfers to or from such an address, and the outcomes of transactions that
   * such an address sends.
   */
  mayWatch?: (address: Address) => boolean
  /**
   * The same, of the bytes of an address that is written in hex: it spares making a text of each.
   * The bytes are only lent.
   */
  mayWatchBytes?: (address: Uint8Array) => boolean
  /**
   * Brings `mayWatch` up to date: resolved once it knows every address that was committed before
   * this call. It is called after a block has come and before it is read, so that an address which
   * the block pays is known (engineering, 15).
   */
  upToDate?: () => Promise<void>
}

/** What a node knows of one transaction, for whoever asks why it is not credited. */
export interface TransactionSeen {
  /** The block that it stands in; null while it waits for one. */
  block: BlockRef | null
  /** Null while it waits for a block. */
  succeeded: boolean | null
  /** What `blockAt` tells of it, to whichever recipients; nothing where it failed or waits. */
  transfers: readonly Transfer[]
  /** What is no money here. */
  apart: readonly MovedApart[]
}

/**
 * A transfer of nothing, of a token that is not in the scope, or of a transaction that failed or
 * waits.
 */
export interface MovedApart {
  /** Null where no id can be written for the token. */
  tokenId: TokenId | null
  from: Address | ''
  to: Address
  amount: bigint
  tag: number | null
}

/**
 * The one narrow port behind which the knowledge of a chain lives. Every method may throw an Outage
 * (node away, lagging, malformed or inconsistent answer, another chain's node); none throws a
 * Refusal. `craft`, `combine`, `decode` and `bump` are pure: they ask no node.
 */
export interface ChainAdapter {
  readonly chainId: ChainId
  /** Asks every configured node which chain it serves; nodes of another chain are set aside. */
  identify(): Promise<readonly NodeReport[]>
  tip(): Promise<Tip>
  /** The block, complete; null where the node has none there (yet, or no longer). */
  blockAt(query: BlockQuery, scope: BlockScope): Promise<Block | null>
  /**
   * One transaction by its hash, in the chain's own spelling (`hashOn`); null where the node knows
   * none. For people who search: nothing is proved complete, and nothing is credited by it.
   */
  lookUp(txnHash: string, scope: Pick<BlockScope, 'tokens'>): Promise<TransactionSeen | null>
  /** The hash the node has at a height; null where it has none. Cheap: no transactions are read. */
  hashAt(height: number): Promise<string | null>
  /**
   * The name of another node that has another block at this height; null where none says so. Nodes
   * that are away, or have not come so far, have no say.
   */
  dissenter(ref: BlockRef): Promise<string | null>
  /**
   * Base units that an address holds at the end of the block of that hash; null where the state is
   * pruned.
   */
  balanceOf(address: Address, tokenId: TokenId, ref: BlockRef): Promise<bigint | null>
  /** Reads decimals and symbol of a contract token; null for what is no token. */
  inspectToken(tokenId: TokenId): Promise<TokenFacts | null>
  /**
   * Estimates, simulates and refuses, without a nonce. Refusals come only from what the chain
   * shows; what the sender has under way and not mined is not counted.
   */
  quote(intent: Intent, caps: FeeCaps): Promise<Quote>
  /** What gas costs now, with headroom. */
  feeRate(): Promise<FeeRate>
  /** The most that one plain transfer of a token costs now, in native base units. */
  feeEstimate(tokenId: TokenId): Promise<bigint>
  /**
   * The transaction that does what the intent says, without its signatures. `publicKey`: the
   * sender's, 33 bytes, where what is signed names it (XRPL).
   */
  craft(intent: Intent, terms: Terms, reservation: Reservation, publicKey?: Uint8Array): Unsigned
  /**
   * The coins that pay an intent under its terms, and where the rest returns; null where they do
   * not suffice, and on chains whose payments reserve no coins. Pure.
   */
  choose(intent: Intent, terms: Terms, offer: CoinOffer): CoinsReservation | null
  /** Joins a transaction with its signatures. A signer other than the sender is a Bug. */
  combine(unsigned: Unsigned, signatures: readonly Signature[]): Signed
  /**
   * Says what signed bytes do, from the bytes alone; where coins are spent, what they hold must be
   * told, or the fee counts as boundless. Bytes that are no transaction are a Bug.
   */
  decode(raw: Uint8Array, coins?: readonly Coin[]): Decoded
  /**
   * Terms under which a replacement with the same reservation is taken by every node, at the given
   * rate or above; null where `caps.absolute` forbids it.
   */
  bump(previous: Terms, rate: FeeRate, caps: Pick<FeeCaps, 'absolute'>): Terms | null
  /**
   * Hands signed bytes to every node. What they answer is for people to read and decides nothing:
   * refused bytes may be on their way, accepted ones may be lost (W13, W14). An Outage means that
   * there was no node to hand them to.
   */
  broadcast(raw: Uint8Array): Promise<{ answer: string }>
  /** The next nonce of an address, in blocks (`latest`) and with what the node knows is waiting. */
  nonces(address: Address): Promise<{ latest: number; pending: number }>
  /** What became of the transactions of one reservation, of which at most one can be included. */
  fate(spent: Spent): Promise<Fate>
  /** Whether code lies at the address at the head. */
  isContract(address: Address): Promise<boolean>
  /** Whether payments to the address must say for whom they are (XRPL's RequireDest). */
  requiresTag(address: Address): Promise<boolean>
  close(): Promise<void>
}

/** The part of the port that spends. */
export type Spending = Pick<
  ChainAdapter,
  | 'quote'
  | 'feeRate'
  | 'feeEstimate'
  | 'craft'
  | 'combine'
  | 'decode'
  | 'bump'
  | 'broadcast'
  | 'nonces'
  | 'fate'
  | 'isContract'
  | 'requiresTag'
  | 'choose'
>

/** One payment that somebody wants made. */
export interface Intent {
  chainId: ChainId
  tokenId: TokenId
  from: Address
  to: Address
  /** Base units; zero only for a filler, which sends nothing to itself. */
  amount: bigint
  memo: string | null
}

/** What a sender gives to a transaction, so that no other can follow in its place. */
export type Reservation = NonceReservation | CoinsReservation | WindowReservation

export interface NonceReservation {
  kind: 'nonce'
  nonce: number
}

/** The time in which a transaction can be included, and never again after (TRON). */
export interface WindowReservation {
  kind: 'window'
  /** The last moment, in the time of blocks. */
  expiration: Millis
}

export interface CoinsReservation {
  kind: 'coins'
  /** All that the transaction spends, in the order of its inputs. */
  coins: readonly Coin[]
  /** Where what is left returns to; null where nothing does. */
  change: { address: Address; amount: bigint } | null
}

/** What a payment may be made of. */
export interface CoinOffer {
  coins: readonly Coin[]
  /** Where change returns to. */
  change: Address
  /** What is to be replaced: its coins are spent again, and its fee is exceeded. */
  stuck?: { coins: readonly Coin[]; fee: bigint }
}

/** An output that was not spent, known in full. */
export interface Coin {
  txnHash: string
  vout: number
  address: Address
  /** Base units. */
  amount: bigint
}

export type Quote =
  | { ok: true; terms: Terms }
  | { ok: false; code: QuoteRefusal; message: string; details: Record<string, string> }

/**
 * `INSUFFICIENT_GAS`: the sender cannot pay the fee. `NO_GAS_FOR_ESTIMATE`: nor could the node say
 * whether the transfer would go through without it. `RECIPIENT_REFUSES`: the transfer would fail,
 * or a contract would take more gas than it is given.
 */
export type QuoteRefusal =
  | 'INSUFFICIENT_GAS'
  | 'INSUFFICIENT_BALANCE'
  | 'RECIPIENT_REFUSES'
  | 'FEE_TOO_HIGH'
  | 'NO_GAS_FOR_ESTIMATE'

/** An ECDSA signature over secp256k1, as the keyring makes it. */
export interface Signature {
  r: bigint
  s: bigint
  recovery: number
}

/** A transaction that waits for its signatures. */
export interface Unsigned {
  from: Address
  /** Whose key signs each digest; left out where all are the sender's. */
  signers?: readonly Address[]
  /** What is to be signed, 32 bytes each. */
  digests: readonly Uint8Array[]
  body: Uint8Array
}

export interface Signed {
  raw: Uint8Array
  txnHash: string
}

/** What signed bytes do. */
export interface Decoded {
  txnHash: string
  chainId: ChainId
  /** Recovered from the signature. */
  from: Address
  /** Who receives; "" where nobody does (a contract is created). */
  to: Address | ''
  /** Null for anything that is not exactly one payment of the native coin or of a token. */
  tokenId: TokenId | null
  amount: bigint
  /** Null where the chain counts nobody's transactions. */
  nonce: number | null
  maxFee: bigint
  /** The destination tag, or null for none; left out by chains that have no tags. */
  memo?: string | null
}

export interface Spent {
  from: Address
  reservation: Reservation
  /** Of all transactions ever signed under the reservation. */
  hashes: readonly string[]
}

/**
 * `consumed`: the reservation was used by a transaction that is none of these. `expired`: its
 * window is over, in the time of blocks that no fork can replace, and none of those has any.
 */
export type Fate =
  | { state: 'unknown' }
  | { state: 'included'; txnHash: string; ref: BlockRef; succeeded: boolean }
  | { state: 'consumed'; by: 'other' }
  | { state: 'expired' }

/** What one node answered to `identify`. */
export interface NodeReport {
  /** The node's address without credentials, path or query: safe to log. */
  node: string
  outcome:
    | { state: 'serves'; identity: NodeIdentity; head: number }
    | { state: 'wrong-chain'; expected: string; answered: string }
    | { state: 'unreachable'; reason: string }
}

/**
 * How internal native transfers are found: by whichever method the nodes have, by one of the two,
 * or not at all.
 */
export type TraceMode = 'auto' | 'trace' | 'debug' | 'off'

/**
 * `receipts` proves a block complete by its receipts; `logs` believes a trusted node (engineering,
 * 14).
 */
export type CompletenessMode = 'receipts' | 'logs'

/** One node of a chain. Credentials in the URL become a basic authorization header. */
export interface NodeOptions {
  url: string
  /** Where TRON's second interface, that of solid blocks, has an address of its own. */
  solidity?: string
  headers?: Readonly<Record<string, string>>
}

export interface ChainOptions {
  chainId: ChainId
  /** In the order of preference. */
  nodes: readonly NodeOptions[]
  traces: TraceMode
  completeness: CompletenessMode
  /** For one exchange with a node, at most 10 s. */
  timeoutMs: number
  /** Whether the chain names final blocks at all. */
  finalityTag: boolean
}
