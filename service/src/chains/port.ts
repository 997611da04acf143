import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'

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
}

/** A block as the scanner needs it, proved complete by the adapter as far as the chain allows. */
export interface Block extends BlockRef {
  parentHash: string
  time: Millis
  transfers: readonly Transfer[]
  /**
   * All of the block; with `completeness: 'logs'` those whose outcome is known, among them all of
   * ours.
   */
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
   * Whether an address may be ours, where it is known: a superset is enough. With `completeness:
   * 'logs'` it spares asking whether each transaction succeeded; transfers to any address are told
   * all the same.
   */
  mayWatch?: (address: Address) => boolean
}

/**
 * The one narrow port behind which the knowledge of a chain lives. Every method may throw an Outage
 * (node away, lagging, malformed or inconsistent answer, another chain's node); none throws a
 * Refusal. Spending methods (`quote`, `craft`, `combine`, `decode`, `broadcast`, `fate`) join it
 * with the second walk.
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
  close(): Promise<void>
}

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
