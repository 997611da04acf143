import type { Catalogue } from '../../catalogue/find.ts'
import type { Tx } from '../../store/database.ts'
import { emitWithdrawal } from '../payload.ts'
import { releaseAmount } from '../reserve.ts'
import { moveWithdrawal, noteOutcome } from '../rows.ts'
import { type FailureCode, type Move, MOVES, type Withdrawal } from '../withdrawal.ts'

/** The text of a failure for people, unless a more precise one is known. */
const FAILURES: Readonly<Record<FailureCode, string>> = {
  INSUFFICIENT_GAS: 'The gas wallet could not pay the fee in time.',
  INSUFFICIENT_BALANCE:
    'Too little of the balance could be spent for it in time: a reserve must be kept, or the ' +
    'unspent outputs are too small or too many.',
  FEE_TOO_HIGH: 'The fee stayed above what one transaction may cost.',
  RECIPIENT_REFUSES: 'The transfer would fail: the recipient or the token refuses it.',
  REVERTED: 'The transaction was included and failed; only its fee was paid.',
  DISPLACED: 'Another transaction replaced it, so it can never be included.',
  EXPIRED: 'It expired before a block included it or a successor, so it can never be included.',
}

/**
 * Fails a withdrawal that provably can never pay (decisions, 7), and releases its amount once,
 * since only one move leads here. Null if its status does not permit the move.
 */
export async function failWithdrawal(
  tx: Tx,
  failure: {
    catalogue: Catalogue
    orgId: string
    id: string
    /** From `Pending` and `Processing` if left out. */
    move?: Move
    code: FailureCode
    says?: string
    /** Base units of the native currency that were paid nevertheless. */
    fee?: bigint
    txnHash?: string
  },
): Promise<Withdrawal | null> {
  const { catalogue, orgId, id, move = MOVES.fail, code, says = FAILURES[code] } = failure
  const moved = await moveWithdrawal(tx, { orgId, id, move, txnError: says, failureCode: code })
  if (moved === null) return null
  const { fee, txnHash } = failure
  const withdrawal =
    fee === undefined && txnHash === undefined
      ? moved
      : await noteOutcome(tx, {
          orgId,
          id,
          ...(fee !== undefined && { fee }),
          ...(txnHash !== undefined && { txnHash }),
        })
  emitWithdrawal(tx, 'withdrawal.failed', { catalogue, withdrawal })
  await releaseAmount(tx, { catalogue, withdrawal })
  return withdrawal
}
