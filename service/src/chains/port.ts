import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { FeeCaps, FeeRate, Reservation, Terms } from './spending.ts'

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
}

/** What became of one transaction of a block; own spends are followed by their hash. */
export interface TransactionOutcome {
  txnHash: string
  succeeded: boolean
  sender: Address
  nonce: number
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
  /** The transaction that does what the intent says, without its signatures. */
  craft(intent: Intent, terms: Terms, reservation: Reservation): Unsigned
  /** Joins a transaction with its signatures. A signer other than the sender is a Bug. */
  combine(unsigned: Unsigned, signatures: readonly Signature[]): Signed
  /** Says what signed bytes do, from the bytes alone. Bytes that are no transaction are a Bug. */
  decode(raw: Uint8Array): Decoded
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
  close(): Promise<void>
}

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
  nonce: number
  maxFee: bigint
}

export interface Spent {
  from: Address
  reservation: Reservation
  /** Of all transactions ever signed under the reservation. */
  hashes: readonly string[]
}

/** `consumed`: the reservation was used by a transaction that is none of these. */
export type Fate =
  | { state: 'unknown' }
  | { state: 'included'; txnHash: string; ref: BlockRef; succeeded: boolean }
  | { state: 'consumed'; by: 'other' }

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
