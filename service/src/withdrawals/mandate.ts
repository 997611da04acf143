import { assert } from '../base/assert.ts'
import { isSuspended } from '../catalogue/token-check.ts'
import type { Intent } from '../chains/port.ts'
import type { Terms } from '../chains/spending.ts'
import type { Mandate } from '../spends/mandate.ts'
import { intentOf, lockPending } from './inspect.ts'
import { judgeWithdrawal } from './judge.ts'
import { tellWithdrawal } from './payload.ts'
import type { WithdrawalMeans } from './means.ts'
import { moveWithdrawal, noteOutcome } from './rows.ts'
import { MOVES, type Withdrawal } from './withdrawal.ts'

/**
 * What the spends room is asked to do for a withdrawal. In its signing transaction the row is
 * locked and judged once more, so that nothing that came between a look at it and the signature is
 * missed; `Processing` begins when the bytes are stored (decisions, 7).
 */
export function mandateFor(
  given: Pick<WithdrawalMeans, 'catalogue' | 'serviceKey' | 'approvalMaxAgeMs'>,
  wanted: { withdrawal: Pick<Withdrawal, 'orgId' | 'id'>; intent: Intent; terms: Terms },
): Mandate {
  const { orgId, id } = wanted.withdrawal
  const { catalogue, serviceKey, approvalMaxAgeMs: maxAgeMs } = given
  const { intent, terms } = wanted
  return {
    purpose: 'withdrawal',
    orgId,
    subjectId: id,
    intent,
    terms,
    claim: async (tx) => {
      const withdrawal = await lockPending(tx, { orgId, id })
      if (withdrawal === null || (await isSuspended(tx, withdrawal.tokenId))) return null
      const { state } = await judgeWithdrawal(tx, serviceKey, { withdrawal, maxAgeMs })
      return state === 'good' ? intentOf(withdrawal, intent.from) : null
    },
    sent: async (tx, spend) => {
      const moved = await moveWithdrawal(tx, { orgId, id, move: MOVES.process })
      assert(moved !== null, 'a claimed withdrawal moved by itself', { id })
      const { id: spendId, txnHash } = spend
      const withdrawal = await noteOutcome(tx, { orgId, id, spendId, txnHash })
      tellWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal })
    },
  }
}
