import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Terms } from './spending.ts'

/**
 * An address as it is compared and stored: lower-case hex on EVM chains, the chain's own text on
 * others. `displayAddress` returns the spelling for people.
 */
export type Address = string & { readonly brand: 'Address' }

/**
 * Type of a Bitcoin address: of a key's hash (P2WPKH, BIP-141) or a tweaked key (P2TR, BIP-341).
 */
export type AddressType = 'p2wpkh' | 'p2tr'

export interface BlockRef {
  height: number
  hash: string
}

/** A movement of a token in a block, between any addresses. */
export interface Transfer {
  txnHash: string
  /**
   * Position in its transaction (decisions, section 1): `out:3` an output, `log:5` a log by its
   * rank in the transaction, `call:0` an internal native transfer by its rank among those to the
   * same account, `tx` the value of the transaction. Stable across reorgs, unlike a block-wide log
   * index.
   */
  position: string
  tokenId: TokenId
  /** Empty if the chain shows no single sender: coinbase, or several inputs. */
  from: Address | ''
  to: Address
  /** Base units, above zero. */
  amount: bigint
  /** Destination tag (XRPL); null on other chains and without a tag. */
  tag: number | null
  /** Blocks on top before a coinbase output of Bitcoin can be spent; omitted otherwise. */
  lockedFor?: number
}

/** The outcome of a transaction in a block; own transactions are followed by their hash. */
export interface TransactionOutcome {
  txnHash: string
  succeeded: boolean
  /** Empty on Bitcoin: only the spent outputs show the sender. */
  sender: Address | ''
  /** Null if the chain does not number transactions. */
  nonce: number | null
  /**
   * Fee paid by the sender, in base units of the native currency; 0 if the amounts of its inputs
   * are unknown, which never holds for a transaction that we signed.
   */
  fee: bigint
  /** The outputs that it spends, in the order of its inputs; omitted on other payment models. */
  spends?: readonly CoinPoint[]
}

/** An output of a transaction (outpoint). */
export interface CoinPoint {
  txnHash: string
  vout: number
}

/** An output of `BlockScope.seeks`, and the transaction that spends it. */
export interface SoughtCoin extends CoinPoint {
  spentBy: string
}

/** A block as the scanner needs it, proved complete by the adapter as far as the chain allows. */
export interface Block extends BlockRef {
  parentHash: string
  time: Millis
  transfers: readonly Transfer[]
  /** Transactions whose sender may be ours (`mayWatch`); all if the scope has no filter. */
  transactions: readonly TransactionOutcome[]
  /**
   * Outputs that the transactions of these transfers spend, by their hashes, without coinbase;
   * omitted on other payment models.
   */
  origins?: ReadonlyMap<string, readonly CoinPoint[]>
  /** Outputs of `seeks` that it spends; omitted if it spends no such output. */
  sought?: readonly SoughtCoin[]
  /** Reason to inform an operator: the block was accepted without its full proof. */
  doubt?: string
}

export interface Tip {
  head: BlockRef
  /** The highest block that the chain calls final; null if the node reports none. */
  final: BlockRef | null
}

/** Properties of a token as its contract reports them. */
export interface TokenFacts {
  decimals: number
  symbol: string
}

/** A block by its height on the node's branch, or by the hash of a block of ours. */
export type BlockQuery = { height: number } | { hash: string }

/** The part of a block that a caller needs; tokens that are not listed are not credited (E10). */
export interface BlockScope {
  tokens: readonly TokenId[]
  /**
   * Whether an address may be ours; false positives are allowed. Limits the answer to transfers to
   * or from such addresses, and to transactions that they send.
   */
  mayWatch?: (address: Address) => boolean
  /**
   * The same for the bytes of an address, without prefix, version and checksum, which saves the
   * encoding of each. On Bitcoin they are a witness program, the only form that we use; other forms
   * are then omitted. The callee must not keep the bytes.
   */
  mayWatchBytes?: (address: Uint8Array) => boolean
  /**
   * The same for many addresses of 20 bytes each: five big-endian numbers of 32 bits. Returns 1 or
   * 0 for each. The callee must not keep the numbers.
   */
  mayWatchEach?: (words: Int32Array) => Uint8Array
  /**
   * Updates `mayWatch`: resolves when it knows every address committed before the call. Called
   * after a block is fetched and before it is read, so that an address paid in it is known
   * (engineering, 15).
   */
  upToDate?: () => Promise<void>
  /**
   * Whether addresses are watched that show no key when they spend (P2TR); then the node is queried
   * for the senders. Call it after `upToDate`. Omitted: assumed.
   */
  hidesKeys?: () => boolean
  /** Whether a rescan needs the block; then it is never read without traces on a traced chain. */
  isRepair?: boolean
  /** Outputs of others, as `<txid>:<vout>`, whose spending is reported. */
  seeks?: ReadonlySet<string>
}

/** A transaction as a node knows it, for a search why it is not credited. */
export interface TransactionSeen {
  /** Null while it waits for a block. */
  block: BlockRef | null
  /** Null while it waits for a block. */
  succeeded: boolean | null
  /** Its transfers as in `blockAt`, to any recipients; empty if it failed or waits. */
  transfers: readonly Transfer[]
  /** Transfers that are never credited. */
  apart: readonly MovedApart[]
}

/** A transfer of zero, of a token outside the scope, or of a failed or waiting transaction. */
export interface MovedApart {
  /** Null if no id can be written for the token. */
  tokenId: TokenId | null
  from: Address | ''
  to: Address
  amount: bigint
  tag: number | null
}

/** A payment to make. */
export interface Intent {
  chainId: ChainId
  tokenId: TokenId
  from: Address
  to: Address
  /** Base units; zero only for a filler, which the sender sends to itself. */
  amount: bigint
  memo: string | null
  /**
   * Several recipients (`utxo` only): `to` is the first, and `amount` the sum. An empty list
   * returns everything (`amount` is 0). Omitted: `to` alone.
   */
  payees?: readonly Payee[]
  /** Number of tickets to create (XRP Ledger). Only with an amount of 0, to the sender itself. */
  tickets?: number
  /** Delegation of the sender's staked energy (TRON). Only with a native amount of 0. */
  delegation?: Delegation
  /** Energy that was lent to the sender for this payment (TRON). */
  lent?: LentEnergy
}

/** A part of a sender's energy stake to delegate or undelegate. */
export interface Delegation {
  act: 'lend' | 'take-back'
  /** Base units of the native currency that stay staked. */
  stake: bigint
}

/** Energy that a payment may use instead of burning native currency. */
export interface LentEnergy {
  energy: bigint
  /** No other transaction of the sender is pending: its free bandwidth is for this payment. */
  alone: boolean
}

/** The payments that need energy, all like the intent, and the address that delegates it. */
export interface EnergyAsk {
  intent: Intent
  payments: number
  lender: Address
}

export interface EnergyOffer {
  /** The stake to delegate, in base units of the native currency, and the energy that it gives. */
  stake: bigint
  energy: bigint
  /** Native currency that the sender needs first, for activation and bandwidth; else 0. */
  besides: bigint
}

/** A recipient of a payment. */
export interface Payee {
  to: Address
  /** Base units. */
  amount: bigint
}

/** Used up by a transaction, so that no other transaction can pay the same again. */
export type Reservation =
  | NonceReservation
  | TicketReservation
  | CoinsReservation
  | WindowReservation

export interface NonceReservation {
  kind: 'nonce'
  nonce: number
}

/** A number reserved by an earlier transaction; usable once, in any order (XRP Ledger). */
export interface TicketReservation {
  kind: 'ticket'
  ticket: number
}

/** Reserve that an account must keep, in base units of the native currency. */
export interface AccountReserves {
  base: bigint
  /** For each object that it owns; a ticket is one. */
  step: bigint
}

/** An account in the last validated ledger of a node. */
export interface AccountStanding {
  /** The height of that ledger. */
  height: number
  /** Objects that it owns, tickets among them. */
  owned: number
  /** Tickets that neither that ledger nor the node's open ledger has used. */
  tickets: readonly number[]
}

/** The time until which a transaction can be included (TRON). */
export interface WindowReservation {
  kind: 'window'
  /** In block time. */
  expiration: Millis
}

export interface CoinsReservation {
  kind: 'coins'
  /** The outputs that the transaction spends, in the order of its inputs. */
  coins: readonly Coin[]
  /** Null if there is no change output. */
  change: { address: Address; amount: bigint } | null
  /** Number of earlier signed transactions that would have identical bytes; default 0. */
  twins?: number
}

/** Outputs available for a payment. */
export interface CoinOffer {
  coins: readonly Coin[]
  change: Address
  /** Transaction to replace: spends the same outputs, with a higher fee and rate. */
  stuck?: { coins: readonly Coin[]; fee: bigint; vsize: number }
}

/** The parts of a child (CPFP) of a stuck transaction. */
export interface ChildOffer {
  /** The output of the stuck transaction that the child spends. */
  output: Coin
  /** The recipient of the child. */
  change: Address
  /** Fee and size of the parent, in virtual bytes (`Decoded.vsize`). */
  stuck: { fee: bigint; vsize: number }
}

/** An unspent output (UTXO). */
export interface Coin extends CoinPoint {
  address: Address
  /** Base units. */
  amount: bigint
}

export type Quote =
  | { ok: true; terms: Terms }
  | { ok: false; code: QuoteRefusal; message: string; details: Record<string, string> }

/**
 * `INSUFFICIENT_GAS`: the sender cannot pay the fee. `NO_GAS_FOR_ESTIMATE`: and without it the node
 * cannot simulate the transfer. `RECIPIENT_REFUSES`: the transfer would fail, or a contract would
 * need more gas than its limit.
 */
export type QuoteRefusal =
  | 'INSUFFICIENT_GAS'
  | 'INSUFFICIENT_BALANCE'
  | 'RECIPIENT_REFUSES'
  | 'FEE_TOO_HIGH'
  | 'NO_GAS_FOR_ESTIMATE'

/** An ECDSA signature over secp256k1. */
export interface Signature {
  r: bigint
  s: bigint
  recovery: number
}

/** A transaction that waits for its signatures. */
export interface Unsigned {
  from: Address
  /** The address whose key signs each digest; default: the sender for all. */
  signers?: readonly Address[]
  /** 32 bytes each. */
  digests: readonly Uint8Array[]
  body: Uint8Array
  /** The transaction for the signer, if it is not the body. */
  unsigned?: Uint8Array
}

export interface Signed {
  raw: Uint8Array
  txnHash: string
}

/** The effect of a signed transaction. */
export interface Decoded {
  txnHash: string
  chainId: ChainId
  /** Recovered from the signature; of the first input if outputs are spent. */
  from: Address
  /** Empty if a contract is created. */
  to: Address | ''
  /**
   * Null unless it is exactly one payment of the native currency or of a token; if outputs are
   * spent, unless all outputs pay addresses (`to` and `amount` are of the first).
   */
  tokenId: TokenId | null
  amount: bigint
  /** Nonce, Sequence or ticket; null if the chain does not number transactions. */
  nonce: number | null
  /** Whether `nonce` is a ticket. */
  ticket?: boolean
  /** Number of tickets that it creates. */
  tickets?: number
  maxFee: bigint
  /** The destination tag, or null for none; omitted on chains without tags. */
  memo?: string | null
  delegation?: Delegation
  /** All outputs in order, with an empty address for other scripts (`utxo` only). */
  outputs?: readonly { address: Address | ''; amount: bigint }[]
  /** The outputs that it spends, in the order of its inputs (`utxo` only). */
  spends?: readonly CoinPoint[]
  /** Virtual bytes (BIP-141, `utxo` only). */
  vsize?: number
}

export interface Spent {
  from: Address
  reservation: Reservation
  /** Of all transactions signed with the reservation. */
  hashes: readonly string[]
}

/**
 * `consumed`: another transaction used the reservation. `expired`: the window ended in the time of
 * final blocks, which do not include any of the transactions.
 */
export type Fate =
  | { state: 'unknown' }
  | { state: 'included'; txnHash: string; ref: BlockRef; succeeded: boolean }
  | { state: 'consumed'; by: 'other' }
  | { state: 'expired' }
