import type { FeeRate } from '../../chains/spending.ts'
import { raiseIfNews } from '../../alerts/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import { commitAndBroadcast, type Stored } from './commit-spend.ts'
import type { SpendDeps } from './payment-request.ts'
import { lockSpends } from './spend-rows.ts'
import type { Spend } from './spend.ts'
import type { SpendTransaction } from './transaction.ts'

/** Why a transaction waits whose price nodes refuse. */
export const ABOVE_CAP = 'nodes ask for a higher fee than the fee cap allows'

/** A transaction that no block has, and what transactions cost now. */
export interface Replacing {
  spend: Spend
  /** The transaction signed last. */
  last: SpendTransaction
  rate: FeeRate
  /** The rate that nodes named when they refused the last one; null if they named none. */
  named: FeeRate | null
  /** Blocks for which a coin that left the chain is waited for; only where coins are spent. */
  patience: number
}

/** Rolls a replacement back, with a reason for operators; null if no replacement is needed now. */
export class Unreplaced extends Error {
  override readonly name = 'Unreplaced'
  readonly why: string | null

  constructor(why: string | null) {
    super(why ?? 'no need')
    this.why = why
  }
}

/**
 * Signs, stores and broadcasts a replacement, unless `sign` throws Unreplaced. After a lost commit
 * the replacement is indistinguishable from its predecessor; the next round reads what is stored.
 */
export async function commitReplacement(
  deps: SpendDeps,
  { sender: address, purpose, subjectId }: Spend,
  sign: (tx: Tx) => Promise<Stored>,
): Promise<Spend | Unreplaced> {
  try {
    const signing = { address, purpose, subjectId, step: 'bump', sign } as const
    const sent = await commitAndBroadcast(deps, signing)
    if (sent.outcome === 'sent') return sent.spend
    const isRefused = sent.outcome === 'refused' && sent.code !== 'not-expired'
    return new Unreplaced(isRefused ? `the signer refuses it (${sent.code}): ${sent.says}` : null)
  } catch (error) {
    if (error instanceof Unreplaced) return error
    throw error
  }
}

/** Moves of our money have only the absolute cap. */
export function capOf({ purpose }: Spend): { relativePercent?: null } {
  return purpose === 'withdrawal' ? {} : { relativePercent: null }
}

/**
 * Raises an alert if the reason is new; the alert is resolved by inclusion. Only for a spend that
 * still waits, because nothing would resolve the alert of another.
 */
export async function raiseStuck(deps: SpendDeps, spend: Spend, why: string): Promise<false> {
  const message = `The transaction ${spend.txnHash} of ${spend.sender} waits: ${why}.`
  const details = { spendId: spend.id, purpose: spend.purpose, nonce: spend.nonce }
  const alert = { code: 'spend.stuck', subject: spend.id, message, details } as const
  await deps.database.transaction(async (tx) => {
    const [now] = await lockSpends(tx, [spend])
    if (now?.state === 'Sent') await raiseIfNews(tx, alert)
  })
  return false
}
