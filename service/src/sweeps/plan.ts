import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { TokenEntry } from '../catalogue/tokens.ts'
import type { Address } from '../chains/port.ts'

/** An address with confirmed money of one token that is not at the settlement account yet. */
export interface Candidate {
  orgId: string
  address: Address
  tokenId: TokenId
  /** Whether the token is the chain's own. */
  isNative: boolean
  /** Base units that may be moved: neither unconfirmed nor held, nor set aside. */
  sweepable: bigint
  /** How long its holdings have not changed. */
  untouchedMs: Millis
  /** A sweep of the token, or for the chain's own of any token, is open at the address. */
  isBusy: boolean
}

/** When it pays to move money. */
export interface SweepRules {
  chainId: ChainId
  /** The most that a sweep of the native currency costs, in its base units. */
  nativeFee: bigint
  /** Native currency is worth moving from so many times its fee on. */
  feeMultiple: bigint
  /** Base units of a token from which it is worth moving. */
  thresholdOf(tokenId: TokenId): bigint
  /** Money that has lain untouched for so long is moved although it is little. */
  maxAgeMs: Millis
}

/** Shortage of waiting withdrawals at the settlement account, less the amounts on the way. */
export interface SweepDemand {
  orgId: string
  tokenId: TokenId
  /** Base units. */
  missing: bigint
}

/** One sweep that is worth beginning. */
export interface PlannedSweep {
  orgId: string
  address: Address
  tokenId: TokenId
  isNative: boolean
  /** Base units; of the native currency the fee is to be taken off when it is known. */
  amount: bigint
  reason: 'threshold' | 'age' | 'demand'
}

/** Old balances below this part of the threshold are not moved. */
const AGED_PART = 100n

/**
 * Selects the sweeps: balances worth their fee, old ones, and as many others as waiting withdrawals
 * need, the largest first, regardless of the threshold. At one address tokens go before the native
 * currency, which pays for them.
 */
export function planSweeps(
  candidates: readonly Candidate[],
  { rules, demands }: { rules: SweepRules; demands: readonly SweepDemand[] },
): PlannedSweep[] {
  const ready = candidates.filter(({ isBusy, sweepable }) => !isBusy && sweepable > 0n)
  const worth = ready.flatMap((candidate): PlannedSweep[] => {
    const reason = worthOf(candidate, rules)
    return reason === null ? [] : [planned(candidate, reason)]
  })
  const needed = meetDemands(ready, { rules, demands, worth })
  return tokensFirst([...worth, ...needed])
}

function worthOf(candidate: Candidate, rules: SweepRules): 'threshold' | 'age' | null {
  const { isNative, sweepable, tokenId, untouchedMs } = candidate
  const { nativeFee, feeMultiple, maxAgeMs } = rules
  const threshold = isNative ? feeMultiple * nativeFee : rules.thresholdOf(tokenId)
  if (sweepable >= threshold) return 'threshold'
  if (untouchedMs < maxAgeMs) return null
  // Of the native currency at least half must arrive; of a token we do not know the worth.
  const least = isNative ? 2n * nativeFee : threshold / AGED_PART
  return sweepable >= least ? 'age' : null
}

function meetDemands(
  ready: readonly Candidate[],
  {
    rules,
    demands,
    worth,
  }: {
    rules: SweepRules
    demands: readonly SweepDemand[]
    worth: readonly PlannedSweep[]
  },
): PlannedSweep[] {
  const taken = new Set(worth.map(keyOf))
  return demands.flatMap((demand) => {
    const same = (one: { orgId: string; tokenId: TokenId }) =>
      one.orgId === demand.orgId && one.tokenId === demand.tokenId
    let missing = demand.missing
    for (const sweep of worth.filter(same)) missing -= sweep.amount
    const spare = ready
      .filter((one) => same(one) && !taken.has(keyOf(one)) && brings(one, rules) > 0n)
      .toSorted((a, b) => (a.sweepable > b.sweepable ? -1 : 1))
    const more: PlannedSweep[] = []
    for (const candidate of spare) {
      if (missing <= 0n) break
      missing -= brings(candidate, rules)
      more.push(planned(candidate, 'demand'))
    }
    return more
  })
}

/** The part of a candidate that reaches the settlement account. */
function brings({ isNative, sweepable }: Candidate, { nativeFee }: SweepRules): bigint {
  return isNative ? sweepable - nativeFee : sweepable
}

/** The native currency of an address stays while a token of the same address is to be swept. */
function tokensFirst(sweeps: readonly PlannedSweep[]): PlannedSweep[] {
  const withTokens = new Set(
    sweeps.filter(({ isNative }) => !isNative).map(({ address }) => address),
  )
  return sweeps.filter(({ isNative, address }) => !isNative || !withTokens.has(address))
}

function planned(candidate: Candidate, reason: PlannedSweep['reason']): PlannedSweep {
  const { orgId, address, tokenId, isNative, sweepable: amount } = candidate
  return { orgId, address, tokenId, isNative, amount, reason }
}

function keyOf({ address, tokenId }: { address: Address; tokenId: TokenId }): string {
  return `${address} ${tokenId}`
}

/** Threshold of a token without a minimum, in whole units. */
const WHOLE_UNITS = 10n

/** Of any other, so many times the minimum. */
const MINIMA = 10n

/**
 * Balance of a token from which it is swept, in base units: the configured value, else ten times
 * the smallest deposit, else ten whole units. Sluice knows no prices: smaller balances move when
 * they are old or when a withdrawal needs them.
 */
export function sweepThreshold(
  token: Pick<TokenEntry, 'decimals' | 'minimumAmount' | 'sweepAmount'> | null,
): bigint {
  if (token === null) return 1n
  if (token.sweepAmount !== undefined) return token.sweepAmount
  if (token.minimumAmount > 1n) return MINIMA * token.minimumAmount
  return WHOLE_UNITS * 10n ** BigInt(token.decimals)
}
