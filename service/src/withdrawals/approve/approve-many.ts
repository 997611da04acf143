import { ERRORS, type ErrorCode, messageOf } from '@sluice/wire'
import { Refusal } from '../../base/fault.ts'
import { isId } from '../../base/id.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import type { Tx } from '../../store/database.ts'
import { type Approving, type ConsumeCode, type Ready, addApproval, readyFor } from './approve.ts'
import { lockWithdrawals } from '../rows.ts'
import { Tampered } from '../tell-tampered.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** So many withdrawals are approved with one code. */
export const APPROVED_TOGETHER_MAX = 100

/** What came of approving several: those that could be, and why others could not. */
export interface ApprovedTogether {
  withdrawals: Withdrawal[]
  refused: { id: string; error: ErrorCode; message: string }[]
  /** Those of the refused that were changed behind the service's back: for `tellTampered`. */
  tampered: Tampered[]
}

/**
 * Approves several withdrawals with one code (engineering, 27), in the order they are named. One
 * that cannot be approved is told so and stops none of the others; the code is used up only where
 * at least one can. Refuses with BAD_REQUEST (no id, too many, one twice) and INVALID_TOTP.
 */
export async function approveWithdrawals(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { ids: readonly string[] },
  consume: ConsumeCode,
): Promise<ApprovedTogether> {
  const { orgId, ids } = given
  checkIds(ids)
  const locked = await lockWithdrawals(tx, { orgId, ids: ids.filter(isId) })
  const byId = new Map(locked.map((withdrawal) => [withdrawal.id, withdrawal]))
  const answer: ApprovedTogether = { withdrawals: [], refused: [], tampered: [] }
  let totpStep: number | null = null
  for (const id of ids) {
    const withdrawal = byId.get(id)
    const ready = await readyOrRefused(tx, serviceKey, { ...given, withdrawal })
    if (ready instanceof Refusal) {
      answer.refused.push(told(id, ready))
      if (ready instanceof Tampered) answer.tampered.push(ready)
      continue
    }
    if (ready !== null) totpStep ??= await consume(tx)
    const approved =
      ready === null || totpStep === null
        ? withdrawal
        : await addApproval(tx, serviceKey, { ...given, ready, totpStep })
    if (approved !== undefined) answer.withdrawals.push(approved)
  }
  return answer
}

function checkIds(ids: readonly string[]): void {
  const fits = ids.length > 0 && ids.length <= APPROVED_TOGETHER_MAX
  if (fits && new Set(ids).size === ids.length) return
  throw new Refusal(
    'BAD_REQUEST',
    { field: 'ids', maximum: APPROVED_TOGETHER_MAX },
    `ids names 1 to ${APPROVED_TOGETHER_MAX} withdrawals, each once.`,
  )
}

async function readyOrRefused(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { withdrawal: Withdrawal | undefined },
): Promise<Ready | Refusal | null> {
  try {
    return await readyFor(tx, serviceKey, given)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function told(id: string, { code, says }: Refusal): ApprovedTogether['refused'][number] {
  return { id: id.slice(0, 100), error: code, message: says ?? messageOf(ERRORS[code]) }
}
