import type { Intent, Quote } from '../port.ts'
import { refuseQuote } from '../refuse-quote.ts'
import { feeCapOf } from '../spending.ts'
import type { FeeCaps } from '../spending.ts'
import { scriptOf } from './address.ts'
import { rateOf } from './fees.ts'
import { payeesOf } from './payees.ts'
import { dustOf, feeFor, vsizeOf } from './size.ts'
import type { Prices } from './spending-node.ts'

/** A payment and its change; change returns to a P2WPKH address. */
const CHANGE = { script: Buffer.alloc(22) }

/**
 * The cost of a payment under the caps (W16, W17). Refused if nodes would not relay an output, or
 * if not even one output of the smaller type could be spent within the cap. The chain does not know
 * our unspent outputs; the caller does.
 */
export function quoteSpend(prices: Prices, intent: Intent, caps: FeeCaps): Quote {
  const { chainId } = intent
  const outputs = payeesOf(intent).map(({ to, amount }) => {
    return { script: scriptOf(to, chainId), amount }
  })
  const tooSmall = outputs.find((output) => output.amount < dustOf(output))
  if (tooSmall !== undefined) {
    const numbers = { amount: tooSmall.amount, minimum: dustOf(tooSmall) }
    return refuseQuote('RECIPIENT_REFUSES', 'nodes pass no dust on', numbers)
  }
  const rate = rateOf(prices.estimate, prices.floor)
  const fee = feeFor(vsizeOf(['p2tr'], [...outputs, CHANGE]), rate.perKvb)
  const cap = feeCapOf(intent, caps)
  if (fee <= cap) return { ok: true, terms: { ...rate, maxFee: cap } }
  return refuseQuote('FEE_TOO_HIGH', 'the fee would be above what is allowed', { fee, cap })
}
