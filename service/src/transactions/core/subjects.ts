import { assert } from '../../base/assert.ts'
import type { Tx } from '../../store/database.ts'
import type { Payment } from './payment-request.ts'
import type { Spend } from './spend.ts'
import { selectSubjects } from './subject-rows.ts'

/** Whether a spend pays several subjects, or none: then it is its own subject. */
function isJoint({ id, subjectId }: Pick<Spend, 'id' | 'subjectId'>): boolean {
  return id === subjectId
}

/** The payments of a spend, in the order of its outputs. No query if there is only one. */
export async function paymentsOf(tx: Tx, spend: Spend): Promise<Payment[]> {
  const { subjectId, recipient: to, amount } = spend
  return isJoint(spend) ? selectSubjects(tx, spend) : [{ subjectId, to, amount }]
}

/**
 * A joint spend split by payment, each with its own recipient, amount and part of the fee. The
 * parts are equal, the first one takes the remainder, and they add up to the fee.
 */
export async function partsOf<S extends Spend>(tx: Tx, spend: S): Promise<S[]> {
  if (!isJoint(spend)) return [spend]
  const payments = await selectSubjects(tx, spend)
  assert(payments.length > 0, 'joint payment has no recipients', { id: spend.id })
  const parts = divideFee(spend.fee ?? 0n, payments.length)
  return payments.map(({ subjectId, to: recipient, amount }, at) => {
    const fee = spend.fee === null ? null : (parts[at] ?? 0n)
    return { ...spend, subjectId, recipient, amount, fee }
  })
}

/** A fee in `count` equal parts, in base units; the first takes the remainder. */
export function divideFee(fee: bigint, count: number): bigint[] {
  const part = fee / BigInt(count)
  const first = fee - part * BigInt(count - 1)
  return Array.from({ length: count }, (_, at) => (at === 0 ? first : part))
}
