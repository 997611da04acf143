import { sum } from '../../base/amount.ts'
import type { Intent } from '../../chains/port.ts'
import type { Payment } from '../core/mandate.ts'

/** The intent that pays these, in their order; where there is none, all returns to the sender. */
export function jointIntent(
  base: Pick<Intent, 'chainId' | 'tokenId' | 'from'>,
  payments: readonly Payment[],
): Intent {
  const payees = payments.map(({ to, amount }) => ({ to, amount }))
  const to = payees[0]?.to ?? base.from
  return { ...base, to, amount: sum(payees.map(({ amount }) => amount)), memo: null, payees }
}
