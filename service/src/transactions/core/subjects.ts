import { assert } from '../../base/assert.ts'
import type { Tx } from '../../store/database.ts'
import type { Payment } from './mandate.ts'
import type { Spend } from './spend.ts'
import { selectSubjects } from './subject-rows.ts'

/** Whether a spend pays several, or nobody: then it stands for itself. */
export function isJoint({ id, subjectId }: Pick<Spend, 'id' | 'subjectId'>): boolean {
  return id === subjectId
}

/** Whom a spend pays, in the order of its outputs; asks nothing where it is one. */
export async function paymentsOf(tx: Tx, spend: Spend): Promise<Payment[]> {
  const { subjectId, recipient: to, amount } = spend
  return isJoint(spend) ? selectSubjects(tx, spend) : [{ subjectId, to, amount }]
}

/**
 * A spend as each of those sees it whom it pays: recipient and amount are theirs, and so is their
 * part of the fee. The parts are equal, what cannot be divided is the first one's, and they add up
 * to the fee of the transaction.
 */
export async function partsOf<S extends Spend>(tx: Tx, spend: S): Promise<S[]> {
  if (!isJoint(spend)) return [spend]
  const payments = await selectSubjects(tx, spend)
  assert(payments.length > 0, 'a payment of nobody', { id: spend.id })
  const parts = divideFee(spend.fee ?? 0n, payments.length)
  return payments.map(({ subjectId, to: recipient, amount }, at) => {
    const fee = spend.fee === null ? null : (parts[at] ?? 0n)
    return { ...spend, subjectId, recipient, amount, fee }
  })
}

/** A fee in `count` equal parts, in base units; what is left over is the first one's. */
export function divideFee(fee: bigint, count: number): bigint[] {
  const part = fee / BigInt(count)
  const first = fee - part * BigInt(count - 1)
  return Array.from({ length: count }, (_, at) => (at === 0 ? first : part))
}
