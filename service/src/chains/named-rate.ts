import { larger } from '../base/amount.ts'
import { assert } from '../base/assert.ts'
import { coinTermsOf, gasTermsOf, ledgerTermsOf } from './spending.ts'
import type { FeeRate, Terms } from './spending.ts'

/** Separators in the answer of `broadcastTo`: between nodes, and after the name of a node. */
export const BETWEEN_ANSWERS = '; '
export const AFTER_NAME = ': '

const CODE = / \([^()\s]*\)$/
/** A hash, with a provisional result before it on the XRP Ledger, means accepted bytes. */
const ACCEPTED =
  /^(?:(?:tes|ter)\w* )?(?:0x)?[0-9a-f]{64}$|already (?:known|exists|in)|known transaction/i

/** The refusals in the answer to a broadcast, without names and codes; empty if a node accepted. */
export function refusalsIn(answer: string): readonly string[] {
  const said = answer.split(BETWEEN_ANSWERS).map((part) => {
    const at = part.indexOf(AFTER_NAME)
    return (at < 0 ? part : part.slice(at + AFTER_NAME.length)).replace(CODE, '').trim()
  })
  return said.some((one) => ACCEPTED.test(one)) ? [] : said
}

/** The current rate, raised to the one that a node named. Two families are a Bug. */
export function raisedTo(rate: FeeRate, named: FeeRate): FeeRate {
  assert(rate.family === named.family, 'rates of two families', { rate, named })
  if (rate.family === 'eip155' && named.family === 'eip155') {
    const headroom = rate.maxFeePerGas - rate.maxPriorityFeePerGas
    const tip = larger(rate.maxPriorityFeePerGas, named.maxPriorityFeePerGas)
    const maxFeePerGas = larger(headroom + tip, named.maxFeePerGas)
    return { ...rate, maxFeePerGas, maxPriorityFeePerGas: tip }
  }
  if (rate.family === 'eip155-legacy' && named.family === 'eip155-legacy')
    return { ...rate, gasPrice: larger(rate.gasPrice, named.gasPrice) }
  if (rate.family === 'bip122' && named.family === 'bip122')
    return { ...rate, perKvb: larger(rate.perKvb, named.perKvb) }
  if (rate.family === 'xrpl' && named.family === 'xrpl') {
    const [fee, asked] = [larger(rate.fee, named.fee), larger(rate.asked, named.asked)]
    return { ...rate, fee, asked }
  }
  return rate
}

/** Whether terms pay at least the rate that a node named; true if it is null. */
export function meets(terms: Terms, named: FeeRate | null): boolean {
  if (named === null || named.family === 'tron') return true
  if (named.family === 'bip122') return coinTermsOf(terms).perKvb >= named.perKvb
  if (named.family === 'xrpl') return ledgerTermsOf(terms).fee >= named.asked
  const paid = gasTermsOf(terms)
  if (named.family === 'eip155-legacy' || paid.family === 'eip155-legacy')
    return paid.family === 'eip155-legacy' && named.family === paid.family
      ? paid.gasPrice >= named.gasPrice
      : false
  const hasTip = paid.maxPriorityFeePerGas >= named.maxPriorityFeePerGas
  return hasTip && paid.maxFeePerGas >= named.maxFeePerGas
}
