import type { Millis } from '../../base/clock.ts'
import type { Block, BlockRef, Intent, TransactionOutcome, Transfer } from '../../chains/port.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import type { Tx } from '../../store/database.ts'
import type { Sender } from './sender.ts'
import type { IncludedSpend, Purpose, Spend } from './spend.ts'

/** A spend as a block shows it. */
export interface SeenSpend extends IncludedSpend {
  /** What its transaction moved, as far as the block's reader tells it. */
  transfers: readonly Transfer[]
  block: BlockRef & { time: Millis }
}

/**
 * What the room that asked for a spend does when the chain says what became of it, in the scanner's
 * own commit. Each is called once for each such step, and only in these orders: `included`, then
 * `settled` or `unincluded`; after `unincluded` it may be included again; `displaced` ends it.
 * `replaced` comes between them as often as its name on the chain changes.
 */
export interface SpendHooks {
  /**
   * A block of ours has it. `succeeded` tells whether it paid; its fee is booked already, by
   * whatever purpose it was sent.
   */
  included(tx: Tx, seen: SeenSpend): Promise<void>
  /**
   * Its block left the chain: the spend as it stood (`Included` or `Settled`). What `included`
   * booked is to be taken back; the same bytes go out again by themselves.
   */
  unincluded(tx: Tx, undone: IncludedSpend): Promise<void>
  /** Its block is deep enough. */
  settled(tx: Tx, spend: IncludedSpend): Promise<void>
  /**
   * Another of its transactions is the one to look for, which its `txnHash` names now: a dearer one
   * went out under the same reservation, or a block has one that was signed before (W18).
   */
  replaced(tx: Tx, spend: Spend): Promise<void>
  /**
   * It can never be included: its nonce was used by a transaction that is not ours or, where none
   * are counted, it and its successors have expired.
   */
  displaced(tx: Tx, spend: Spend): Promise<void>
  /**
   * What forbids to sign for it once more, for people; null for nothing. Asked before a replacement
   * is signed, with what that would pay: by what the asker's own rows and the postings say, since
   * the spend's may have been changed. Left out where only addresses of our own are paid.
   */
  objection?(tx: Tx, asked: ReplacementCheck): Promise<string | null>
}

/** A replacement that is to be signed. */
export interface ReplacementCheck {
  spend: Spend
  intent: Intent
  /** Whether what is signed says the memo; else that of the intent is null, whatever was asked. */
  showsMemo: boolean
  serviceKey: Pick<ServiceKey, 'verify'>
}

/** Whoever asks for spends has one; the app puts them together. */
export type SpendFates = Readonly<Record<Purpose, SpendHooks>>

/** A transaction of a sender of ours, and the block that has it. */
export interface MatchedTransaction {
  block: Block
  /** Its rank among ours in the block. */
  rank: number
  outcome: TransactionOutcome
  sender: Sender
  /** The spend that it was signed for; null where we did not sign it, or do not remember. */
  spend: Spend | null
}
