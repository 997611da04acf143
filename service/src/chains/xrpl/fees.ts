import { larger, smaller } from '../../base/amount.ts'
import { refusalsIn } from '../named-rate.ts'
import type { FeeCaps, FeeRate, LedgerRate, LedgerTerms, Terms } from '../spending.ts'
import { ledgerTermsOf } from '../spending.ts'
import { demand, parseDrops, parseJson } from './read.ts'
import type { XrplRpc } from './rpc.ts'

/**
 * Number of ledgers after which a transaction that none includes can no longer be included: a
 * minute or more. Servers can retry it in that time, and a new payment does not wait long.
 */
export const LEDGERS_VALID = 20n
/** The fee has never been higher: a node that reports more is wrong (N11). */
const FEE_MAX = 10n ** 9n
/** The fee of the open ledger grows with each transaction in it. */
const HEADROOM_NUMERATOR = 12n
const HEADROOM_DENOMINATOR = 10n

/** The fee for the next ledger, which is burned, in drops. */
export async function readFee(rpc: XrplRpc): Promise<bigint> {
  const drops = parseJson((await rpc.call('fee', {}))['drops'], 'fee.drops')
  const open = parseDrops(drops['open_ledger_fee'], 'fee.drops.open_ledger_fee')
  const least = parseDrops(drops['minimum_fee'], 'fee.drops.minimum_fee')
  demand(open > 0n && open <= FEE_MAX && least <= open * HEADROOM_NUMERATOR, 'a fee that cannot be')
  return larger(open, least)
}

/** With headroom, in whole drops, if the fee is above its minimum. */
export function rateOf(fee: bigint, ledger: number): LedgerRate {
  const wide = (fee * HEADROOM_NUMERATOR + HEADROOM_DENOMINATOR - 1n) / HEADROOM_DENOMINATOR
  return { family: 'xrpl', fee: wide, asked: fee, ledger: BigInt(ledger) }
}

/** Headroom is reduced if the cap leaves no room for it; null if not even the fee fits. */
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

/**
 * The part of an answer to a submission that names the fee of the open ledger; empty without one.
 */
export function feeWords(outcome: string, cost: unknown): string {
  const isNamed = FEE_REFUSED.test(outcome) && /^[0-9]{1,10}$/.test(String(cost))
  return isNamed ? ` open ledger cost ${String(cost)}` : ''
}

/**
 * The smallest fee of an open ledger that a node named when it refused a transaction under these
 * terms. Null if a node accepted it, or none named more.
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
 * Terms for the same Sequence once the last ledger has passed: the earlier transaction can then be
 * in none, so it need not be outbid, and the fee is the current one: all of it is burned. Before
 * that, only if the ledger requires more than was offered: the Sequence admits at most one of them.
 * Null otherwise; headroom is reduced as for the first.
 */
export function bumpTerms(
  previously: Terms,
  rate: FeeRate,
  { absolute }: Pick<FeeCaps, 'absolute'>,
): LedgerTerms | null {
  const { lastLedger, fee } = ledgerTermsOf(previously)
  const { asked, ledger } = ledgerTermsOf(rate)
  if (ledger <= lastLedger && asked <= fee) return null
  return termsWithin(asked, Number(ledger), absolute)
}
