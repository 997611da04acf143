import type { Intent, Quote } from '../port.ts'
import { feeCapOf } from '../spending.ts'
import type { FeeCaps } from '../spending.ts'
import { scriptOf } from './address.ts'
import { rateOf } from './fees.ts'
import { dustOf, feeFor, vsizeOf } from './size.ts'
import type { Prices } from './spending-node.ts'

/** A payment and its change; change returns to a P2WPKH address. */
const CHANGE = { script: Buffer.alloc(22) }

/**
 * What a payment may cost under the caps (W16, W17). Refused where nodes would not pass its output
 * on, or where not even one coin could be spent within the cap. Which coins there are, the chain
 * does not tell: that is for whoever keeps them.
 */
export function quoteSpend(prices: Prices, intent: Intent, caps: FeeCaps): Quote {
  const output = { script: scriptOf(intent.to, intent.chainId) }
  const dust = dustOf(output)
  if (intent.amount < dust) {
    const details = { amount: intent.amount.toString(), minimum: dust.toString() }
    return { ok: false, code: 'RECIPIENT_REFUSES', message: 'nodes pass no dust on', details }
  }
  const rate = rateOf(prices.estimate, prices.floor)
  const fee = feeFor(vsizeOf(1, [output, CHANGE]), rate.perKvb)
  const cap = feeCapOf(intent, caps)
  if (fee <= cap) return { ok: true, terms: { ...rate, maxFee: cap } }
  const message = 'the fee would be above what is allowed'
  const details = { fee: fee.toString(), cap: cap.toString() }
  return { ok: false, code: 'FEE_TOO_HIGH', message, details }
}
