import { refusalsIn } from '../named-rate.ts'
import type { CoinRate, Terms } from '../spending.ts'
import { coinTermsOf } from '../spending.ts'

/**
 * The comparisons in Bitcoin Core's refusals of a fee: "min relay fee not met, 123 < 456", "mempool
 * min fee not met, 123 < 456", "new feerate 0.00001 BTC/kvB <= old feerate 0.00002 BTC/kvB", "less
 * fees than conflicting txs; 0.000001 < 0.000002" (`validation.cpp`, `policy/rbf.cpp`).
 */
const COMPARED = /([0-9]+(?:\.[0-9]+)?)(?: BTC\/kvB)? <=? (?:old feerate )?([0-9]+(?:\.[0-9]+)?)/
const ABOUT_FEE = /fee/i
/**
 * Compares the added fee of the replacement, not its whole fee: the usual increment covers that.
 */
const ABOUT_INCREMENT = /additional fees/i
const DECIMALS = 8

/**
 * The smallest rate that a node named when it refused a transaction under these terms: the offered
 * rate times the needed fee over the offered one. Null if a node accepted it, or none named more.
 */
export function rateNamed(previous: Terms, answer: string): CoinRate | null {
  const { family, perKvb } = coinTermsOf(previous)
  // A refusal may contain "; " itself, which also separates the answers of two nodes.
  if (!ABOUT_FEE.test(answer) || ABOUT_INCREMENT.test(answer)) return null
  const rates = refusalsIn(answer).flatMap((said) => {
    const [, offered = '', needed = ''] = COMPARED.exec(said) ?? []
    if (offered === '') return []
    const [paid, least] = [unitsOf(offered), unitsOf(needed)]
    return paid > 0n && least > paid ? [(perKvb * least + paid - 1n) / paid] : []
  })
  const [first, ...others] = rates
  if (first === undefined) return null
  return { family, perKvb: others.reduce((least, rate) => (rate < least ? rate : least), first) }
}

function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
}
