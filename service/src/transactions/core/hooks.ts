import type { WithdrawalFields } from '@sluice/signer'
import type { ChainId } from '@sluice/wire'
import type { Millis } from '../../base/clock.ts'
import type { Block, BlockRef, Intent, TransactionOutcome, Transfer } from '../../chains/port.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import type { Tx } from '../../store/database.ts'
import type { Sender } from './sender.ts'
import type { IncludedSpend, Purpose, Spend } from './spend.ts'

/** A spend as a block shows it. */
export interface SeenSpend extends IncludedSpend {
  /** Transfers of its transaction, as far as the block reader reports them. */
  transfers: readonly Transfer[]
  block: BlockRef & { time: Millis }
}

/**
 * Hooks of the module that requested a spend, called in the scanner's own commit, once for each
 * step and only in these orders: `onIncluded`, then `onSettled` or `onReorged`; after `onReorged`
 * the spend may be included again; `onDisplaced` is the last. `onReplaced` may be called between
 * them, each time the transaction hash changes.
 */
export interface SpendHooks {
  /** A block of ours includes it; `succeeded` says whether it paid. Its fee is already posted. */
  onIncluded(tx: Tx, seen: SeenSpend): Promise<void>
  /**
   * Its block left the chain. Gets the spend in its former state (`Included` or `Settled`) and
   * reverses what `onIncluded` posted; the same bytes are broadcast again.
   */
  onReorged(tx: Tx, undone: IncludedSpend): Promise<void>
  /** Its block is deep enough. */
  onSettled(tx: Tx, spend: IncludedSpend): Promise<void>
  /**
   * `txnHash` now names another of its transactions: a replacement was broadcast, or a block
   * includes one that was signed earlier (W18).
   */
  onReplaced(tx: Tx, spend: Spend): Promise<void>
  /**
   * It can never be included: its nonce was used by a transaction that is not ours or, where none
   * are counted, it and its successors have expired.
   */
  onDisplaced(tx: Tx, spend: Spend): Promise<void>
  /**
   * Reason against signing a replacement, as text for operators; null if it may be signed. Decided
   * from the requesting module's own rows and postings, because the spend's rows may have been
   * altered. Not set if only our own addresses are paid.
   */
  objection?(tx: Tx, asked: ReplacementCheck): Promise<string | null>
  /**
   * The withdrawals that are paid, for the signer: those of these ids, or all of a chain that are
   * not signed yet. Not set if only our own addresses are paid.
   */
  withdrawals?(
    tx: Tx,
    query: { orgId: string } & ({ ids: readonly string[] } | { chainId: ChainId }),
  ): Promise<readonly WithdrawalFields[]>
}

/** A replacement that is to be signed. */
export interface ReplacementCheck {
  spend: Spend
  intent: Intent
  /** Whether the signed bytes contain the memo. If not, the intent's memo is null. */
  showsMemo: boolean
  serviceKey: Pick<ServiceKey, 'verify'>
}

/** The hooks of every purpose; the app assembles them. */
export type HooksByPurpose = Readonly<Record<Purpose, SpendHooks>>

/** A transaction of a sender of ours, and the block that has it. */
export interface MatchedTransaction {
  block: Block
  /** Its rank among ours in the block. */
  rank: number
  outcome: TransactionOutcome
  sender: Sender
  /** The spend that it was signed for; null if we did not sign it or have forgotten it. */
  spend: Spend | null
}
