import type { Intent, Quote } from '../port.ts'
import { refuseQuote } from '../refuse-quote.ts'
import { feeCapOf } from '../spending.ts'
import type { FeeCaps, TronTerms } from '../spending.ts'
import type { TronAccount } from './balance.ts'
import { contractOf } from './chain-ids.ts'

/** The last word on terms: whether they are within the caps, and the sender can pay for them. */
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
  const required = fee + (isCoins ? intent.amount : 0n)
  if (sender.balance >= required) return { ok: true, terms }
  const numbers = { available: sender.balance, required }
  return refuseQuote('INSUFFICIENT_GAS', 'the sender cannot pay the fee', numbers)
}
