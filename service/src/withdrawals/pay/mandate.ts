import { assert } from '../../base/assert.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { isSuspended } from '../../catalogue/token-check.ts'
import type { Address, Intent } from '../../chains/port.ts'
import type { Terms } from '../../chains/spending.ts'
import type { JointPaymentRequest, Mandate, Payment } from '../../transactions/core/mandate.ts'
import type { Spend } from '../../transactions/core/spend.ts'
import type { Tx } from '../../store/database.ts'
import { intentOf, lockPending } from './inspect.ts'
import { judgeWithdrawal } from './judge.ts'
import { tellWithdrawal } from '../payload.ts'
import type { WithdrawalMeans } from './means.ts'
import { lockWithdrawals, moveWithdrawal, noteOutcome } from '../rows.ts'
import { MOVES, type Withdrawal } from '../withdrawal.ts'

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
    sent: (tx, spend) => begin(tx, { catalogue, id, spend }),
  }
}

/**
 * The same for several withdrawals of one organization that one transaction pays. Each is judged by
 * itself: those that are not pending any more, or not good, drop out and change nothing for the
 * others.
 */
export function jointMandateFor(
  given: Pick<WithdrawalMeans, 'catalogue' | 'serviceKey' | 'approvalMaxAgeMs'>,
  wanted: { orgId: string; intents: ReadonlyMap<string, Intent>; from: Address; terms: Terms },
): JointPaymentRequest {
  const { orgId, intents, from, terms } = wanted
  const { catalogue, serviceKey, approvalMaxAgeMs: maxAgeMs } = given
  const asked = [...intents].map(([id, { to, amount }]) => ({ subjectId: id, to, amount }))
  return {
    orgId,
    from,
    payments: asked,
    terms,
    claim: async (tx) => {
      const payments = new Map<string, Payment>()
      for (const withdrawal of await lockWithdrawals(tx, { orgId, ids: [...intents.keys()] })) {
        const { id, status, chainId, tokenId, recipient: to, amount } = withdrawal
        const intent = intents.get(id)
        const isSame = intent?.chainId === chainId && intent.tokenId === tokenId
        if (status !== 'Pending' || !isSame || (await isSuspended(tx, tokenId))) continue
        const { state } = await judgeWithdrawal(tx, serviceKey, { withdrawal, maxAgeMs })
        if (state === 'good') payments.set(id, { subjectId: id, to, amount })
      }
      return asked.flatMap(({ subjectId }) => payments.get(subjectId) ?? [])
    },
    sent: async (tx, spend, paid) => {
      for (const { subjectId: id } of paid) await begin(tx, { catalogue, id, spend })
    },
  }
}

async function begin(
  tx: Tx,
  { catalogue, id, spend }: { catalogue: Catalogue; id: string; spend: Spend },
): Promise<void> {
  const { orgId, id: spendId, txnHash } = spend
  const moved = await moveWithdrawal(tx, { orgId, id, move: MOVES.process })
  assert(moved !== null, 'a claimed withdrawal moved by itself', { id })
  const withdrawal = await noteOutcome(tx, { orgId, id, spendId, txnHash })
  tellWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal })
}
