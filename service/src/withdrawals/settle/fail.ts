import type { Catalogue } from '../../catalogue/find.ts'
import type { Tx } from '../../store/database.ts'
import { tellWithdrawal } from '../payload.ts'
import { releaseAmount } from '../reserve.ts'
import { moveWithdrawal, noteOutcome } from '../rows.ts'
import { type FailureCode, type Move, MOVES, type Withdrawal } from '../withdrawal.ts'

/** What a failure is told as, to people, where nothing more is known of it. */
export const FAILURES: Readonly<Record<FailureCode, string>> = {
  INSUFFICIENT_GAS: 'The gas wallet could not pay the fee in time.',
  INSUFFICIENT_BALANCE:
    'Too little of what is there could be spent for it in time: a reserve must be kept, or the ' +
    'coins are too small or too many.',
  FEE_TOO_HIGH: 'The fee stayed above what one transaction may cost.',
  RECIPIENT_REFUSES: 'The transfer would fail: the recipient or the token refuses it.',
  REVERTED: 'The transaction was included and failed; nothing was paid but its fee.',
  DISPLACED: 'Another transaction took its place; it can never be included.',
  EXPIRED: 'No block had it, nor its successors, before they expired; it can never be included.',
}

/**
 * Ends a withdrawal of which it is proved that it can never pay (decisions, 7): its amount is given
 * back, once, since only one move leads here. Null where it is not in a state that may fail.
 */
export async function failWithdrawal(
  tx: Tx,
  given: {
    catalogue: Catalogue
    orgId: string
    id: string
    /** From where it may fail; from `Pending` and `Processing` where it is left out. */
    move?: Move
    code: FailureCode
    says?: string
    /** Base units of the native currency that were paid all the same. */
    fee?: bigint
    txnHash?: string
  },
): Promise<Withdrawal | null> {
  const { catalogue, orgId, id, move = MOVES.fail, code, says = FAILURES[code] } = given
  const moved = await moveWithdrawal(tx, { orgId, id, move, txnError: says, failureCode: code })
  if (moved === null) return null
  const { fee, txnHash } = given
  const withdrawal =
    fee === undefined && txnHash === undefined
      ? moved
      : await noteOutcome(tx, {
          orgId,
          id,
          ...(fee !== undefined && { fee }),
          ...(txnHash !== undefined && { txnHash }),
        })
  tellWithdrawal(tx, 'withdrawal.failed', { catalogue, withdrawal })
  await releaseAmount(tx, { catalogue, withdrawal })
  return withdrawal
}
