import type { Intent, Quote } from '../port.ts'
import { refuseQuote, tooLittle } from '../refuse-quote.ts'
import { feeCapOf } from '../spending.ts'
import type { FeeCaps, TronTerms } from '../spending.ts'
import type { TronAccount } from './balance.ts'
import { contractOf } from './chain-ids.ts'

/**
 * Checks that terms are within the caps and that the sender can pay for them. A fee above its cap
 * is refused first, because later deposits do not lower it.
 */
export function weigh(
  intent: Intent,
  caps: FeeCaps,
  { terms, sender }: { terms: TronTerms; sender: TronAccount },
): Quote {
  const { fee } = terms
  const cap = feeCapOf(intent, caps)
  if (fee > cap) {
    return refuseQuote('FEE_TOO_HIGH', 'the fee would be above what is allowed', { fee, cap })
  }
  const isCoins = contractOf(intent.tokenId) === null
  if (isCoins && sender.balance < intent.amount) return tooLittle(intent, sender.balance)
  const required = fee + (isCoins ? intent.amount : 0n)
  if (sender.balance >= required) return { ok: true, terms }
  const numbers = { available: sender.balance, required }
  return refuseQuote('INSUFFICIENT_GAS', 'the sender cannot pay the fee', numbers)
}
