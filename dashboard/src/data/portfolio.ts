import type { PortfolioEntry } from '@sluice/client'
import { sumOf } from './amounts.ts'
import { groupBy } from './groups.ts'

/** The purposes of the parts of a balance, which add up to it. */
export const PURPOSES = [
  'available',
  'reserved',
  'heldForFees',
  'unconfirmed',
  'belowMinimum',
  'held',
  'unattributed',
  'gas',
] as const
export type Purpose = (typeof PURPOSES)[number]

/** The addresses that hold a balance, which add up to it too. */
export const PLACES = ['settlement', 'deposits', 'gas'] as const
export type Place = (typeof PLACES)[number]

/** The balance of one token on one chain, in base units. */
export interface Holding {
  chainId: string
  tokenId: string
  token: PortfolioEntry['Token']
  /** The sum of its places, and of its purposes. */
  total: string
  purposes: Readonly<Record<Purpose, string>>
  /** A token that is no native currency has no gas wallet. */
  places: Readonly<Record<Place, string>>
  /** Whether both sums are the same. */
  isBalanced: boolean
}

/** The holdings on one chain. */
export interface ChainHoldings {
  chainId: string
  /** Everything up to this block is included; null before the first contact with a node. */
  asOf: PortfolioEntry['asOf']
  holdings: Holding[]
}

/** The entries by chain and token, in the order of the answer. */
export function holdingsOf(entries: readonly PortfolioEntry[]): ChainHoldings[] {
  return [...groupBy(entries, ({ chainId }) => chainId)].map(([chainId, onChain]) => ({
    chainId,
    asOf: onChain[0]?.asOf ?? null,
    holdings: [...groupBy(onChain, ({ tokenId }) => tokenId).values()].flatMap(holdingOf),
  }))
}

function holdingOf(entries: readonly PortfolioEntry[]): Holding[] {
  const [first] = entries
  if (first === undefined) return []
  const { chainId, tokenId, Token: token } = first
  const sumFor = (purpose: Purpose) => sumOf(entries.map((entry) => entry[purpose]))
  const sumAt = (place: Place) =>
    sumOf(entries.filter(({ accountType }) => accountType === place).map(({ balance }) => balance))
  const purposes = {
    available: sumFor('available'),
    reserved: sumFor('reserved'),
    heldForFees: sumFor('heldForFees'),
    unconfirmed: sumFor('unconfirmed'),
    belowMinimum: sumFor('belowMinimum'),
    held: sumFor('held'),
    unattributed: sumFor('unattributed'),
    gas: sumFor('gas'),
  }
  const places = {
    settlement: sumAt('settlement'),
    deposits: sumAt('deposits'),
    gas: sumAt('gas'),
  }
  const total = sumOf(Object.values(places))
  const isBalanced = total === sumOf(Object.values(purposes))
  return [{ chainId, tokenId, token, total, purposes, places, isBalanced }]
}

/** Whether a token has a balance, or a part of one. */
export function isHeld({ total, purposes }: Holding): boolean {
  return total !== '0' || Object.values(purposes).some((amount) => amount !== '0')
}
