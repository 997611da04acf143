import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
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

/** Balance of an address at the end of a block that no reorg can replace. */
export interface SettledBalance {
  /** Base units. */
  amount: bigint
  at: BlockRef
}

/** Nodes that once followed another branch, by name, with the height at which they left ours. */
export type KnownDissent = ReadonlyMap<string, number>

/** Names of the nodes that do not confirm a block of ours. */
export interface Dissent {
  /** Follow another branch. */
  opposed: readonly string[]
  /** Followed another branch before, and have not answered with ours since. */
  silent: readonly string[]
}

/**
 * The port behind which the knowledge of a chain is hidden, without optional members. Families
 * differ in two discriminants: `paymentModel`, which keeps a payment from being made twice, and
 * `balancesAt`, the blocks for which nodes return a balance: any that the caller names, only their
 * newest final one, or none (no index of addresses). Every method that returns a promise may throw
 * an Outage (node down, lagging, malformed or inconsistent answer, wrong chain). None throws a
 * Refusal. The other methods are pure.
 */
export type ChainAdapter = NonceAdapter | UtxoAdapter | TicketAdapter | WindowAdapter
export interface NonceAdapter extends ChainReader, NoncePayments {
  readonly balancesAt: 'named-block'
}
export interface UtxoAdapter extends ChainReader, UtxoPayments {
  readonly balancesAt: 'nowhere'
}
export interface TicketAdapter extends ChainReader, TicketPayments {
  readonly balancesAt: 'named-block'
}
export interface WindowAdapter extends ChainReader, FinalBalances, WindowPayments {}

export type PaymentModel = ChainAdapter['paymentModel']
export type AdapterOf<M extends PaymentModel> = Extract<ChainAdapter, { paymentModel: M }>

/** Reads a chain. */
export interface ChainReader {
  readonly chainId: ChainId
  /**
   * Queries every configured node for its chain and excludes nodes of another chain. The pin is the
   * identity stored at first contact; omitted before that.
   */
  identify(pin?: ChainPin): Promise<readonly NodeReport[]>
  tip(): Promise<Tip>
  /** The complete block; null if the node does not have it (yet, or any more). */
  blockAt(query: BlockQuery, scope: BlockScope): Promise<Block | null>
  /**
   * A transaction by its hash in the chain's spelling (`hashOn`); null if the node does not know
   * it. For searches only: the answer is not proved complete, and never credited.
   */
  transaction(txnHash: string, scope: Pick<BlockScope, 'tokens'>): Promise<TransactionSeen | null>
  /** The node's block hash at a height; null if it has none. Cheap: reads no transactions. */
  hashAt(height: number): Promise<string | null>
  /**
   * The nodes that follow another branch than this block of ours, wherever below it the branches
   * part. Nodes that are down, or not as far on our branch, have no say unless they dissented
   * before. An Outage if no node that answers knows the branch of the block.
   */
  dissent(ref: BlockRef, known?: KnownDissent): Promise<Dissent>
  /**
   * Base units at the end of the block of that hash, or at the head. A balance at the head belongs
   * to no block, and includes waiting transactions if the family's nodes count them (TRON). Null if
   * the state is pruned (never at the head), if the contract does not answer as a token does, and
   * on chains whose nodes have no index of addresses.
   */
  balanceOf(address: Address, tokenId: TokenId, ref: BlockRef | 'head'): Promise<bigint | null>
  /** Decimals and symbol of a contract token; null if it does not answer as a token does. */
  inspectToken(tokenId: TokenId): Promise<TokenFacts | null>
  /** Total supply of a contract token at the head, in base units; null as for `inspectToken`. */
  supplyOf(tokenId: TokenId): Promise<bigint | null>
  /**
   * Calls back when a node announces a block, as a hint to read it: the announcement is not
   * believed, and silence means nothing. Returns a function that ends it.
   */
  listen(onBlock: () => void): () => void
  close(): Promise<void>
}

/** Nodes that answer for their newest final block only (TRON). */
export interface FinalBalances {
  readonly balancesAt: 'final-block'
  /**
   * Balance at the newest final block of a node, and that block, at which the caller computes what
   * the ledger expects. Null if the contract does not answer as a token does.
   */
  settledBalance(address: Address, tokenId: TokenId): Promise<SettledBalance | null>
}

/** Builds and sends payments. */
export interface PaymentBuilder {
  /**
   * Estimates, simulates and refuses, without a nonce. Refuses only for what the chain shows;
   * transactions of the sender that wait for a block are not counted. A Doubt if nodes cannot
   * decide about this payment alone.
   */
  quote(intent: Intent, caps: FeeCaps): Promise<Quote>
  /** Current price of fees, with headroom. */
  feeRate(): Promise<FeeRate>
  /** Highest fee of a plain transfer of a token now, in native base units. */
  feeEstimate(tokenId: TokenId): Promise<bigint>
  /**
   * The unsigned transaction of an intent. `publicKey`: the sender's, 33 bytes, on chains that sign
   * it (XRPL).
   */
  craft(intent: Intent, terms: Terms, reservation: Reservation, publicKey?: Uint8Array): Unsigned
  /** Joins a transaction with its signatures. A signer other than the sender is a Bug. */
  combine(unsigned: Unsigned, signatures: readonly Signature[]): Signed
  /**
   * Decodes signed bytes, without other sources. For unspent outputs the caller passes the amounts
   * of the inputs, or the fee counts as unlimited. Bytes of no transaction are a Bug.
   */
  decode(raw: Uint8Array, coins?: readonly Coin[]): Decoded
  /**
   * Terms of a replacement with the same reservation that every node accepts, at the given rate or
   * above; null if `caps.absolute` forbids it.
   */
  bump(previous: Terms, rate: FeeRate, caps: Pick<FeeCaps, 'absolute'>): Terms | null
  /**
   * The lowest rate that a node named when all nodes refused bytes under these terms for their
   * price (`answer` is that of `broadcast`). Null if a node accepted the bytes, or none named a
   * price above the terms. Valid only within the caps.
   */
  rateNamed(previous: Terms, answer: string): FeeRate | null
  /**
   * Sends signed bytes to every node. The answers are for people and decide nothing: refused bytes
   * may be on their way, accepted ones may be dropped (W13, W14). An Outage if there was no node to
   * send to; `isUnheard` if no node answered.
   */
  broadcast(raw: Uint8Array): Promise<{ answer: string; isUnheard: boolean }>
  /** The state of the transactions of one reservation, of which at most one can be included. */
  fate(spent: Spent): Promise<Fate>
}

/** Chains on which an address may be a contract. */
export interface ContractReader {
  /** Whether the address is a contract at the head. */
  isContract(address: Address): Promise<boolean>
}

/** A sender's transactions are numbered, and included in that order. */
export interface NumberedPayments extends PaymentBuilder {
  /** The next nonce of an address, in blocks (`latest`) and with the node's pool (`pending`). */
  nonces(address: Address): Promise<Nonces>
}

/** EVM. */
export interface NoncePayments extends NumberedPayments, ContractReader {
  readonly paymentModel: 'nonce'
}

/** XRP Ledger: a ticket, or the next Sequence. */
export interface TicketPayments extends NumberedPayments {
  readonly paymentModel: 'ticket'
  /** Objects and tickets of an account; null if it does not exist yet. */
  accountState(address: Address): Promise<AccountStanding | null>
  /**
   * The reserve of each account, in base units: the base and the increment for each owned object.
   */
  reserves(): Promise<AccountReserves>
  /** Whether payments to the address need a destination tag (RequireDest). */
  requiresTag(address: Address): Promise<boolean>
}

/** TRON: transactions are valid for a window of time, and are not numbered. */
export interface WindowPayments extends PaymentBuilder, ContractReader {
  readonly paymentModel: 'window'
  /**
   * The stake that the lender must delegate so that the sender has the energy for some payments;
   * null if the lender has too little, or burning native currency costs no more.
   */
  offerEnergy(ask: EnergyAsk): Promise<EnergyOffer | null>
}

/** Bitcoin: a payment spends unspent outputs. The terms' cap holds for all that are selected. */
export interface UtxoPayments extends PaymentBuilder {
  readonly paymentModel: 'utxo'
  /** The outputs that pay an intent, and the change; null if they do not suffice. */
  choose(intent: Intent, terms: Terms, offer: CoinOffer): CoinsReservation | null
  /**
   * A child (CPFP) that spends one output of its stuck parent and returns all of it, so that both
   * together pay the rate of the terms; null if nothing would be left, or the cap forbids it.
   */
  chooseChild(terms: Terms, offer: ChildOffer): CoinsReservation | null
  /** All outputs worth their fee, joined into one; null if fewer than two are, or by the cap. */
  chooseAll(terms: Terms, offer: Pick<CoinOffer, 'coins' | 'change'>): CoinsReservation | null
  /** The smallest amount of so many outputs that `chooseAll` joins, in base units. */
  leastToJoin(terms: Terms, among: { count: number; change: Address }): bigint
  /** Of each output, whether it is unspent at the head; waiting transactions do not count. */
  unspent(coins: readonly Coin[]): Promise<readonly boolean[]>
  /** Of each transaction, whether a node has it in its pool. An Outage if one cannot say. */
  waiting(hashes: readonly string[]): Promise<readonly boolean[]>
  /** Of each output that is unspent in blocks, whether a pool of a node has it spent. */
  pooled(coins: readonly CoinPoint[]): Promise<readonly boolean[]>
}

export interface Nonces {
  latest: number
  pending: number
}

/** The adapter as one of a payment model. Another model is a Bug. */
export function payingBy<M extends PaymentModel>(adapter: ChainAdapter, model: M): AdapterOf<M> {
  assert(isPayingBy(adapter, model), 'an adapter of another payment model', { model })
  return adapter
}

/** The next nonces of an address; 0 on chains that do not number transactions. */
export async function noncesOf(adapter: ChainAdapter, address: Address): Promise<Nonces> {
  const isNumbered = adapter.paymentModel === 'nonce' || adapter.paymentModel === 'ticket'
  return isNumbered ? adapter.nonces(address) : { latest: 0, pending: 0 }
}

function isPayingBy<M extends PaymentModel>(
  adapter: ChainAdapter,
  model: M,
): adapter is AdapterOf<M> {
  return adapter.paymentModel === model
}
