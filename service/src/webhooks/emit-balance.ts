import type { BalanceReason, ChainId, TokenId } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from './outbox.ts'

/** A balance after a change, and the change. */
export interface BalanceChange {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  /** The blockchain address of the balance, in readable form. */
  accountId: string
  /** Base units, after the change. */
  balance: bigint
  /** Base units; negative for a decrease. */
  delta: bigint
  reason: BalanceReason
  /** The deposit, withdrawal or transaction that changed it. */
  referenceId: string
}

/** Emits `balance.updated` (decisions, section 10). */
export function emitBalance(
  tx: Tx,
  catalogue: Catalogue,
  change: BalanceChange,
  at: Millis = tx.clock.now(),
): void {
  const { orgId, chainId, tokenId, accountId, balance, delta, reason, referenceId } = change
  appendEvent(tx, {
    orgId,
    type: 'balance.updated',
    subjectId: referenceId,
    payload: {
      chainId,
      tokenId,
      accountId,
      balance: balance.toString(),
      previousBalance: (balance - delta).toString(),
      delta: delta.toString(),
      reason,
      referenceId,
      Token: catalogue.summary(tokenId),
      updatedAt: iso(at),
    },
  })
}
