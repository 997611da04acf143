import { assert } from '../../base/assert.ts'
import type { Intent, Payee } from '../port.ts'

/**
 * The payees, in the order of the outputs. A Bug if the first one or the sum differs from the
 * intent.
 */
export function payeesOf({ to, amount, payees }: Intent): readonly Payee[] {
  if (payees === undefined) return [{ to, amount }]
  const sum = payees.reduce((total, payee) => total + payee.amount, 0n)
  const [first] = payees
  assert(sum === amount && (first === undefined || first.to === to), 'payees of another intent', {
    sum,
    amount,
  })
  return payees
}
