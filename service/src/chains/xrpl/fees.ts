import { larger, smaller } from '../../base/amount.ts'
import { refusalsIn } from '../named-rate.ts'
import type { FeeCaps, FeeRate, LedgerRate, LedgerTerms, Terms } from '../spending.ts'
import { ledgerRateOf, ledgerTermsOf } from '../spending.ts'
import { demand, parseDrops, parseJson } from './read.ts'
import type { XrplRpc } from './rpc.ts'

/**
 * Ledgers after which a transaction that none has is lost for ever: a minute or more, time enough
 * to be tried again by every server, and short enough to be paid anew.
 */
export const LEDGERS_VALID = 20n
/** No crowd has ever asked for more: a node that says so is wrong (N11). */
const FEE_MAX = 10n ** 9n
/** The fee of the open ledger grows with each transaction in it. */
const HEADROOM_NUMERATOR = 12n
const HEADROOM_DENOMINATOR = 10n

/** What a transaction must burn to come into the next ledger, in drops. */
export async function readFee(rpc: XrplRpc): Promise<bigint> {
  const drops = parseJson((await rpc.call('fee', {}))['drops'], 'fee.drops')
  const open = parseDrops(drops['open_ledger_fee'], 'fee.drops.open_ledger_fee')
  const least = parseDrops(drops['minimum_fee'], 'fee.drops.minimum_fee')
  demand(open > 0n && open <= FEE_MAX && least <= open * HEADROOM_NUMERATOR, 'a fee that cannot be')
  return larger(open, least)
}

/** With headroom, in whole drops, where the fee has left its minimum. */
export function rateOf(fee: bigint, ledger: number): LedgerRate {
  const wide = (fee * HEADROOM_NUMERATOR + HEADROOM_DENOMINATOR - 1n) / HEADROOM_DENOMINATOR
  return { family: 'xrpl', fee: wide, asked: fee, ledger: BigInt(ledger) }
}

/** Headroom is given up where the cap leaves no room for it; null where not even the fee fits. */
export function termsWithin(fee: bigint, ledger: number, cap: bigint): LedgerTerms | null {
  if (fee > cap) return null
  const wide = rateOf(fee, ledger).fee
  return {
    family: 'xrpl',
    fee: wide < cap ? wide : cap,
    lastLedger: BigInt(ledger) + LEDGERS_VALID,
  }
}

/** Results of a submission whose fee is below that of the open ledger or its queue. */
const FEE_REFUSED = /^tel(?:INSUF_FEE_P|CAN_NOT_QUEUE_FEE)/
const COST_NAMED = / open ledger cost ([0-9]{1,10})$/

/** The part of an answer to a submission that names the fee of the open ledger; empty if none. */
export function feeWords(outcome: string, cost: unknown): string {
  const isNamed = FEE_REFUSED.test(outcome) && /^[0-9]{1,10}$/.test(String(cost))
  return isNamed ? ` open ledger cost ${String(cost)}` : ''
}

/**
 * The smallest fee of an open ledger that a node named in refusing a transaction under these terms.
 * Null if a node accepted it, or none named more.
 */
export function rateNamed(previous: Terms, answer: string): LedgerRate | null {
  const { fee } = ledgerTermsOf(previous)
  const named = refusalsIn(answer)
    .filter((said) => FEE_REFUSED.test(said))
    .map((said) => BigInt(COST_NAMED.exec(said)?.[1] ?? 0))
    .filter((cost) => cost > fee)
  const [first, ...others] = named
  return first === undefined ? null : rateOf(others.reduce(smaller, first), 0)
}

/**
 * Terms for the same Sequence once the last ledger has passed: what was signed before can then be
 * in none, so there is nothing to outbid, and the fee is what the ledger asks for now: all of it is
 * burnt. Before that, only if the ledger asks for more than was offered: the Sequence lets at most
 * one of them in. Null otherwise; headroom is given up as for the first.
 */
export function bumpTerms(
  previously: Terms,
  rate: FeeRate,
  { absolute }: Pick<FeeCaps, 'absolute'>,
): LedgerTerms | null {
  const { lastLedger, fee } = ledgerTermsOf(previously)
  const { asked, ledger } = ledgerRateOf(rate)
  if (ledger <= lastLedger && asked <= fee) return null
  return termsWithin(asked, Number(ledger), absolute)
}
