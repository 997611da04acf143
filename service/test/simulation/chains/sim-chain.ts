import type { ChainId, TokenId } from '@sluice/wire'
import type { Seeded } from '@sluice/simulator'
import type { NodeHarness } from '../doors.ts'

/** A block as the truth has it. */
export interface TrueBlock {
  height: number
  hash: string
  txns: readonly string[]
}

/** Money that a transaction brings to an address, if a block has it. */
export interface Credit {
  to: string
  tag: number | null
  tokenId: string
  amount: bigint
}

/** The real effect of an actor's transaction. */
export interface Truth {
  txnHash: string
  /** Which trick it is. */
  kind: string
  /** Exactly what must be recorded of it. */
  credits: readonly Credit[]
  /**
   * Blocks on top of a coinbase before its outputs can be spent; it may be credited from then on.
   */
  lockedFor?: number
  /** It must never be credited: it reports an amount that did not move. */
  isFalse?: boolean
  /** Base units that the ledger places on an address although they are not there; or less. */
  deviations: readonly { address: string; tokenId: string; by: bigint }[]
}

/** A movement out of one of our addresses that was signed with our keys. */
export interface Outgoing {
  txnHash: string
  from: string
  to: string
  tag: string | null
  tokenId: string
  amount: bigint
}

/** Signed bytes that reached a node. */
export interface Heard extends Outgoing {
  /** The key of conflicting transactions: sender and nonce. */
  reservation: string
  /** The highest fee. */
  maxFee: bigint
  chainId: string
  /** The last block that may include it, if it has a limit. */
  lastHeight?: number
}

/** A recipient for payments of actors, honest or not. */
export interface Target {
  address: string
  tag: number | null
}

/** One chain of the world, with its real state. */
export interface SimChain extends NodeHarness {
  readonly id: ChainId
  readonly urls: readonly string[]
  readonly native: TokenId
  /** Tokens that are paid and withdrawn here. */
  readonly tokens: readonly TokenId[]
  /** Blocks on top that settle a deposit. */
  readonly required: number
  readonly feeCap: bigint
  /** Whether the chain has reorgs. */
  readonly reorgs: boolean
  readonly tricks: readonly string[]
  /** Digits of a large amount of the native coin. */
  readonly digits: number
  /** An address in the spelling in which they are compared. */
  spell(address: string): string
  /** Whether a payment may be signed under another reservation once the first is dead. */
  readonly mayRebuild: boolean
  /** Whether neither a future block nor a returning one can include it. */
  isOver(one: Heard): boolean
  /** Whether no block above the current head can include it, by any broadcast. */
  isDead(one: Heard): boolean
  /** The payments of signed bytes (hex); several if they pay several recipients. */
  readSigned(hex: string): readonly Heard[]
  isListed(tokenId: string): boolean
  head(): { height: number; hash: string }
  /** Blocks from this one down, highest first; null if the chain never had it. */
  branch(hash: string): Iterable<TrueBlock> | null
  /** The real balance of an address after a block. */
  balance(address: string, tokenId: string, hash: string): bigint
  /** The known difference between ledger and chain, caused without a transaction. */
  deviation(address: string, tokenId: string, hash: string): bigint
  /** The real effect of an actor's transaction. */
  truthOf(txnHash: string): Truth | null
  /** Movements signed by these addresses in a block. */
  outgoing(hash: string, isOurs: (address: string) => boolean): readonly Outgoing[]
  mine(blocks: number): void
  /** Replaces blocks; returns a one-word summary. */
  reorg(random: Seeded, depth: number): string
  /** Changes which payments an external recipient accepts. */
  mood(random: Seeded): string
  /** Whether a recipient may refuse this payment, now or earlier. */
  mayRefuse(asked: { recipient: string; amount: bigint }): boolean
  /** Changes the fees of the chain. */
  market(random: Seeded): string
  /** Cheap again. */
  calm(): void
  /** Pays honestly. */
  pay(to: Target, tokenId: string, amount: bigint): Truth
  /** Tries one of the tricks on an address of ours. */
  trick(kind: string, to: Target, random: Seeded): Truth
  /** An external recipient. */
  stranger(random: Seeded): { recipient: string; memo: string | null }
  /** Signed transactions since the last call, in the order in which nodes received them. */
  takeHeard(): readonly Heard[]
  /** The nodes may drop unconfirmed transactions. */
  forget(random: Seeded): string
}
