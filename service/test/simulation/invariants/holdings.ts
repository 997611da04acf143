import { scopeOf } from '../tokens.ts'
import type { ReadChain, View } from './view.ts'

/** The ledger's amount at an address of ours, and the real amount; base units. */
export interface Holding {
  address: string
  tokenId: string
  placed: bigint
  held: bigint
  /** The known difference of the ledger, caused without a transaction. */
  deviation: bigint
}

/**
 * I2, I3: the ledger's amount at each own address equals the chain's at the cursor, to the base
 * unit, and belongs to the organization of the address.
 */
export function checkHoldings(view: View): string[] {
  return [...misplaced(view), ...view.read.flatMap((read) => compare(view, read))]
}

function compare(view: View, read: ReadChain): string[] {
  return holdingsOn(view, read)
    .filter(({ placed, held, deviation }) => placed !== held + deviation)
    .map(
      ({ address, tokenId, placed, held, deviation }) =>
        `I2: ${tokenId} at ${read.tip.height}: ` +
        `${address} has ${held + deviation} and the ledger ${placed}`,
    )
}

/** Amounts that the ledger places outside the addresses of the organization. */
function misplaced(view: View): string[] {
  return view.picture.balances.flatMap(({ org, token, account, amount }) => {
    const [kind, , at = ''] = account.split(':')
    if (kind !== 'place' || view.ownerOf(at)?.org === org) return []
    return [`I2: ${amount} of ${token} are placed at ${at} for ${org}, whose it is not`]
  })
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
