import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Terms } from './spending.ts'

/**
 * An address in the one spelling in which addresses are compared and stored (EVM: lower-case hex;
 * elsewhere the chain's own text). `displayAddress` gives the spelling that people read.
 */
export type Address = string & { readonly brand: 'Address' }

/**
 * Which of our two types an address of Bitcoin is: it names a key's hash (P2WPKH, BIP-141) or a
 * tweaked key (P2TR, BIP-341). As the paths of keys name it.
 */
export type AddressType = 'p2wpkh' | 'p2tr'

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
  /** "" on Bitcoin alone: nobody can say who sent it, and its coins tell whether they are ours. */
  sender: Address | ''
  /** Null where the chain counts nobody's transactions. */
  nonce: number | null
  /**
   * What the sender paid for it, value not counted, in base units of the native currency; 0 where
   * nobody can say what was spent, which is so of none that we have signed.
   */
  fee: bigint
  /** The coins that it spent, in the order of its inputs; left out on chains without coins. */
  spends?: readonly CoinPoint[]
}

/** Which output of which transaction. */
export interface CoinPoint {
  txnHash: string
  vout: number
}

/** A coin that was asked for, and the transaction that spends it. */
export interface SoughtCoin extends CoinPoint {
  spentBy: string
}

/** A block as the scanner needs it, proved complete by the adapter as far as the chain allows. */
export interface Block extends BlockRef {
  parentHash: string
  time: Millis
  transfers: readonly Transfer[]
  /** Those whose sender may be ours (`mayWatch`); all where the scope does not say. */
  transactions: readonly TransactionOutcome[]
  /**
   * What the transactions of these transfers spend, by their hashes; left out on chains without
   * coins. New coins come out of nothing, and are not here.
   */
  origins?: ReadonlyMap<string, readonly CoinPoint[]>
  /** Which of the coins that were asked for (`seeks`) it spends; left out where none. */
  sought?: readonly SoughtCoin[]
  /** Why an operator should know of it, where it was believed without its full proof. */
  doubt?: string
}

export interface Tip {
  head: BlockRef
  /** The highest block that the chain itself calls final; null where the node names none. */
  final: BlockRef | null
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
   * The same, of the bytes that an address stands for, without prefix, version and checksum: it
   * spares making a text of each. On Bitcoin they are a witness program, as all addresses of ours
   * are: given, no other form is told. The bytes are only lent.
   */
  mayWatchBytes?: (address: Uint8Array) => boolean
  /**
   * The same of many addresses at once, of twenty bytes each: five numbers of 32 bits, their first
   * bytes highest. Answers with 1 or 0 for each. The numbers are only lent.
   */
  mayWatchEach?: (words: Int32Array) => Uint8Array
  /**
   * Brings `mayWatch` up to date: resolved once it knows every address that was committed before
   * this call. It is called after a block has come and before it is read, so that an address which
   * the block pays is known (engineering, 15).
   */
  upToDate?: () => Promise<void>
  /**
   * Whether addresses are watched whose spending shows no key (P2TR): then who spends is asked of
   * the node wherever it may be one of them. To be asked after `upToDate`. Left out: they may be.
   */
  hidesKeys?: () => boolean
  /**
   * Whether it is read again for what was missed: where the chain is traced it is then never read
   * without traces, however long none come.
   */
  isRepair?: boolean
  /** Coins of strangers, as `<txid>:<vout>`, whose spending is to be told; left out for none. */
  seeks?: ReadonlySet<string>
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

/** One payment that somebody wants made. */
export interface Intent {
  chainId: ChainId
  tokenId: TokenId
  from: Address
  to: Address
  /** Base units; zero only for a filler, which sends nothing to itself. */
  amount: bigint
  memo: string | null
  /**
   * Who is paid, where coins pay several at once: then `to` is the first of them, and `amount` the
   * sum of all. An empty list pays nobody: all returns (`amount` is 0). Left out: `to` alone.
   */
  payees?: readonly Payee[]
  /**
   * So many numbers are to be set aside for transactions that may come in any order (tickets of the
   * XRP Ledger). Only with an amount of 0, to oneself.
   */
  tickets?: number
  /**
   * Energy of the sender's stake that is lent to whom it names, or taken back (TRON). Only with an
   * amount of 0 of the native currency.
   */
  delegation?: Delegation
  /** Energy that was lent to the sender for this payment (TRON). */
  lent?: LentEnergy
}

/** A part of what a sender has staked for energy, and which way it goes. */
export interface Delegation {
  act: 'lend' | 'take-back'
  /** Base units of the native currency that stay staked. */
  stake: bigint
}

/** Energy that a payment may use without burning coins. */
export interface LentEnergy {
  energy: bigint
  /** Nothing else of the sender is under way: its free bandwidth is this payment's alone. */
  alone: boolean
}

/** Which payments energy is wanted for, all alike, and whose stake it is to be from. */
export interface EnergyAsk {
  intent: Intent
  payments: number
  lender: Address
}

export interface EnergyOffer {
  /** What is to be lent, in base units of the native currency, and the energy that it gives. */
  stake: bigint
  energy: bigint
  /** Native currency that the sender must hold first, to exist and for bandwidth; 0 for none. */
  besides: bigint
}

/** One who is paid. */
export interface Payee {
  to: Address
  /** Base units. */
  amount: bigint
}

/** What a sender gives to a transaction, so that no other can follow in its place. */
export type Reservation =
  | NonceReservation
  | TicketReservation
  | CoinsReservation
  | WindowReservation

export interface NonceReservation {
  kind: 'nonce'
  nonce: number
}

/** A number that was set aside before, and can be used once, in any order (XRP Ledger). */
export interface TicketReservation {
  kind: 'ticket'
  ticket: number
}

/** What every account must keep, in base units of the native currency. */
export interface AccountReserves {
  base: bigint
  /** For each object that it owns; a ticket is one. */
  step: bigint
}

/** An account as the last validated ledger of a node shows it. */
export interface AccountStanding {
  /** The height of that ledger. */
  height: number
  /** Objects that it owns, tickets among them. */
  owned: number
  /** Tickets that neither that ledger nor what the node has applied on top has used. */
  tickets: readonly number[]
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
  /** How many were signed before that would be the same to the byte; left out: none. */
  twins?: number
}

/** What a payment may be made of. */
export interface CoinOffer {
  coins: readonly Coin[]
  /** Where change returns to. */
  change: Address
  /** What is to be replaced: its coins are spent again, its fee and its rate are exceeded. */
  stuck?: { coins: readonly Coin[]; fee: bigint; vsize: number }
}

/** What a child of a stuck transaction may be made of. */
export interface ChildOffer {
  /** The output of the stuck transaction that the child spends. */
  output: Coin
  /** Where the child pays to. */
  change: Address
  /** What the parent pays, and its size in virtual bytes (`Decoded.vsize`). */
  stuck: { fee: bigint; vsize: number }
}

/** An output that was not spent, known in full. */
export interface Coin extends CoinPoint {
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

/** A signature over secp256k1, as the keyring makes it. */
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
  /** Recovered from the signature; where coins are spent, who signed the first of them. */
  from: Address
  /** Who receives; "" where nobody does (a contract is created). */
  to: Address | ''
  /**
   * Null for anything that is not exactly one payment of the native coin or of a token. Where coins
   * are spent: for anything but payments to addresses; `to` and `amount` are of the first.
   */
  tokenId: TokenId | null
  amount: bigint
  /** Null where the chain counts nobody's transactions; the number of a ticket where it has one. */
  nonce: number | null
  /** True where a ticket stands in for the number; left out elsewhere. */
  ticket?: boolean
  /** How many tickets it makes; left out where none. */
  tickets?: number
  maxFee: bigint
  /** The destination tag, or null for none; left out by chains that have no tags. */
  memo?: string | null
  /** What it does with its sender's staked energy; left out where nothing. */
  delegation?: Delegation
  /** All outputs in their order, "" where no address stands for one; only where coins are spent. */
  outputs?: readonly { address: Address | ''; amount: bigint }[]
  /** All that is spent, in the order of the inputs; only where coins are spent. */
  spends?: readonly CoinPoint[]
  /** Virtual bytes (BIP-141); only where coins are spent. */
  vsize?: number
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
