import { scopeOf } from '../tokens.ts'
import type { ReadChain, View } from './view.ts'

/** What the ledger places on an address of ours, and what is truly there; base units. */
export interface Holding {
  address: string
  tokenId: string
  placed: bigint
  held: bigint
  /** By how much the ledger must differ, by what was done behind everybody's back. */
  deviation: bigint
}

/**
 * I2, I3: what the ledger places on our addresses is what the chain shows there at the cursor, to
 * the base unit.
 */
export function checkHoldings(view: View): string[] {
  return view.read.flatMap((read) => {
    const holdings = holdingsOn(view, read)
    return [read.chain.native, ...read.chain.tokens].flatMap((tokenId) =>
      compare(
        `${tokenId} at ${read.tip.height}`,
        holdings.filter((one) => one.tokenId === tokenId),
      ),
    )
  })
}

function compare(what: string, holdings: readonly Holding[]): string[] {
  const places = holdings.reduce((sum, { placed }) => sum + placed, 0n)
  const truth = holdings.reduce((sum, { held, deviation }) => sum + held + deviation, 0n)
  if (places === truth) return []
  const apart = holdings.filter(({ placed, held, deviation }) => placed !== held + deviation)
  const lines = apart.map(
    ({ address, placed, held, deviation }) =>
      `${address} has ${held + deviation} and the ledger ${placed}`,
  )
  return [`I2: ${what}: ${places} in the ledger, ${truth} on the chain: ${lines.join('; ')}`]
}

/** Each address of ours, with each token that is paid there, as far as the chain was read. */
export function holdingsOn(view: View, { chain, tip }: ReadChain): Holding[] {
  const addresses = addressesOn(view, chain.id)
  return [chain.native, ...chain.tokens].flatMap((tokenId) =>
    addresses.map((address) => ({
      address,
      tokenId,
      placed: placedOn(view, { chainId: chain.id, tokenId, address }),
      held: chain.balance(address, tokenId, tip.hash),
      deviation: chain.deviation(address, tokenId, tip.hash),
    })),
  )
}

function addressesOn(view: View, chainId: string): string[] {
  const all = view.picture.watched.filter(({ scope }) => scope === scopeOf(chainId))
  return [...new Set(all.map(({ address }) => address))]
}

const PLACED = new WeakMap<object, Map<string, bigint>>()

function placedOn(
  { picture }: View,
  { chainId, tokenId, address }: { chainId: string; tokenId: string; address: string },
): bigint {
  const placed = PLACED.get(picture) ?? new Map<string, bigint>()
  if (!PLACED.has(picture)) {
    PLACED.set(picture, placed)
    for (const { chain, token, account, amount } of picture.balances) {
      const [, , at] = account.split(':')
      if (at === undefined || !account.startsWith('place:')) continue
      const key = `${chain} ${token} ${at}`
      placed.set(key, (placed.get(key) ?? 0n) + BigInt(amount))
    }
  }
  return placed.get(`${chainId} ${tokenId} ${address}`) ?? 0n
}
