import type { ChainId, TokenId } from '@sluice/wire'
import type { ChainPin, NodeReport } from './options.ts'
import type {
  AccountReserves,
  AccountStanding,
  Address,
  Block,
  BlockQuery,
  BlockRef,
  BlockScope,
  ChildOffer,
  Coin,
  CoinOffer,
  CoinPoint,
  CoinsReservation,
  Decoded,
  EnergyAsk,
  EnergyOffer,
  Fate,
  Intent,
  Quote,
  Reservation,
  Signature,
  Signed,
  Spent,
  Tip,
  TokenFacts,
  TransactionSeen,
  Unsigned,
} from './port.ts'
import type { FeeCaps, FeeRate, Terms } from './spending.ts'

/** What an address holds at the end of a block that no reorg can replace. */
export interface SettledBalance {
  /** Base units. */
  amount: bigint
  at: BlockRef
}

/** Nodes that once followed another branch, by name: since which block of ours. */
export type KnownDissent = ReadonlyMap<string, number>

/** Who stands against a block of ours, by name. */
export interface Dissent {
  /** They follow another branch. */
  opposed: readonly string[]
  /** They are known to have done so, and have not answered with our branch since. */
  silent: readonly string[]
}

/**
 * The one narrow port behind which the knowledge of a chain lives. Every method may throw an Outage
 * (node away, lagging, malformed or inconsistent answer, another chain's node); none throws a
 * Refusal. `craft`, `combine`, `decode` and `bump` are pure: they ask no node.
 */
export interface ChainAdapter {
  readonly chainId: ChainId
  /**
   * Asks every configured node which chain it serves; nodes of another chain are set aside. The pin
   * is what was stored at first contact; left out before that.
   */
  identify(pin?: ChainPin): Promise<readonly NodeReport[]>
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
   * Which nodes follow another branch than that of this block of ours, wherever below it that
   * leaves ours. Nodes that are away, or have not come so far on our branch, have no say, but for
   * those known to have dissented. An Outage where no node that answers can tell which branch that
   * is.
   */
  dissent(ref: BlockRef, known?: KnownDissent): Promise<Dissent>
  /**
   * Base units that an address holds at the end of the block of that hash, or at the head; a
   * balance at the head belongs to no block, and includes transactions that wait for one if the
   * family's nodes count these (TRON). Null if the state is pruned, which that of the head never
   * is; if the contract does not answer as a token does; and on chains whose nodes know no holders.
   */
  balanceOf(address: Address, tokenId: TokenId, ref: BlockRef | 'head'): Promise<bigint | null>
  /**
   * The total supply of a contract token at the head, in base units; null if its contract does not
   * answer. Omitted by families without contract tokens.
   */
  supplyOf?(tokenId: TokenId): Promise<bigint | null>
  /**
   * What an address holds at the newest final block of a node, and which block that is. Null if the
   * contract does not answer as a token does. Implemented only by families whose nodes cannot
   * answer for a block that the caller names: there the caller computes what the ledger expects at
   * the block that the answer names.
   */
  settledBalance?(address: Address, tokenId: TokenId): Promise<SettledBalance | null>
  /** Reads decimals and symbol of a contract token; null for what is no token. */
  inspectToken(tokenId: TokenId): Promise<TokenFacts | null>
  /**
   * Estimates, simulates and refuses, without a nonce. Refusals come only from what the chain
   * shows; what the sender has under way and not mined is not counted. A Doubt where the nodes
   * cannot say of this payment alone.
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
  /**
   * The coin of a child that pays for its stuck parent besides, so that the two together pay the
   * rate of the terms: one output of the parent, all of which returns. Null where nothing would be
   * left or the cap forbids it, and on chains without coins. Pure.
   */
  chooseChild(terms: Terms, offer: ChildOffer): CoinsReservation | null
  /**
   * All coins that bring more than they cost, made into one; null where fewer than two do, or
   * the cap forbids it, and on chains without coins. Pure.
   */
  chooseAll(terms: Terms, offer: Pick<CoinOffer, 'coins' | 'change'>): CoinsReservation | null
  /**
   * The least that a coin must hold so that `chooseAll` makes one of so many such coins, unless the
   * cap forbids it, in base units; 0 on chains without coins. Pure.
   */
  leastToJoin(terms: Terms, among: { count: number; change: Address }): bigint
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
   * The rate that nodes named when all of them refused bytes under these terms for their price
   * (`answer` is that of `broadcast`): the least that one of them accepts. Null if one accepted the
   * bytes, or no price above that of the terms is named. Not to be believed beyond the caps. Pure.
   * Omitted by families whose nodes name no price.
   */
  rateNamed?(previous: Terms, answer: string): FeeRate | null
  /**
   * Hands signed bytes to every node. What they answer is for people to read and decides nothing:
   * refused bytes may be on their way, accepted ones may be lost (W13, W14). An Outage means that
   * there was no node to hand them to; `isUnheard`, that of those there were none answered.
   */
  broadcast(raw: Uint8Array): Promise<{ answer: string; isUnheard: boolean }>
  /** The next nonce of an address, in blocks (`latest`) and with what the node knows is waiting. */
  nonces(address: Address): Promise<{ latest: number; pending: number }>
  /** What became of the transactions of one reservation, of which at most one can be included. */
  fate(spent: Spent): Promise<Fate>
  /** Whether code lies at the address at the head. */
  isContract(address: Address): Promise<boolean>
  /** Whether payments to the address must say for whom they are (XRPL's RequireDest). */
  requiresTag(address: Address): Promise<boolean>
  /**
   * What an account that all users share owns and must keep; null where the chain has no such
   * account yet. Left out by families whose accounts keep nothing back.
   */
  standing?(address: Address): Promise<AccountStanding | null>
  /**
   * What every account of the chain must keep, in base units: by itself, and for each object that
   * it owns. Left out by families whose accounts keep nothing back.
   */
  reserves?(): Promise<AccountReserves>
  /**
   * Calls back whenever a node says that it has a new block, as a hint to look: what it says of the
   * block is not believed, and silence means nothing. The answer ends it. Left out by families
   * without such nodes.
   */
  listen?(onBlock: () => void): () => void
  /**
   * What it takes to lend the sender of some payments the energy for them, from what the lender has
   * staked; null where the lender has not enough, or it is no cheaper than to burn coins. Left out
   * by families without energy.
   */
  offerEnergy?(ask: EnergyAsk): Promise<EnergyOffer | null>
  /**
   * Of each coin, whether the chain still has it unspent, just so, at the head; what waits for a
   * block does not count. Null on chains without coins.
   */
  unspent(coins: readonly Coin[]): Promise<readonly boolean[] | null>
  /**
   * Of each transaction, whether any node has it waiting for a block. An Outage where one of them
   * cannot say. Left out by families without coins.
   */
  waiting?(hashes: readonly string[]): Promise<readonly boolean[]>
  /**
   * Of each coin that blocks have unspent, whether a transaction that waits for a block spends it,
   * as far as any node knows. Left out by families without coins.
   */
  pooled?(coins: readonly CoinPoint[]): Promise<readonly boolean[]>
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
  | 'rateNamed'
  | 'broadcast'
  | 'nonces'
  | 'fate'
  | 'isContract'
  | 'requiresTag'
  | 'offerEnergy'
  | 'standing'
  | 'reserves'
  | 'choose'
  | 'chooseChild'
  | 'chooseAll'
  | 'leastToJoin'
  | 'unspent'
  | 'waiting'
  | 'pooled'
>
