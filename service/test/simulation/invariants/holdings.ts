import type { View } from './view.ts'

/**
 * I2, I3: what the ledger places on our addresses is what the chain shows there at the cursor, to
 * the base unit.
 */
export function checkHoldings(view: View): string[] {
  const wrongs: string[] = []
  for (const { chain, tip } of view.read) {
    for (const tokenId of [chain.native, ...chain.tokens]) {
      let places = 0n
      let truth = 0n
      const apart: string[] = []
      for (const address of addressesOn(view, chain.id)) {
        const placed = placedOn(view, { chainId: chain.id, tokenId, address })
        const held =
          chain.balance(address, tokenId, tip.hash) + chain.deviation(address, tokenId, tip.hash)
        places += placed
        truth += held
        if (placed !== held) apart.push(`${address} has ${held} and the ledger ${placed}`)
      }
      if (places !== truth)
        wrongs.push(
          `I2: ${tokenId} at ${tip.height}: ${places} in the ledger, ${truth} on the chain: ` +
            apart.join('; '),
        )
    }
  }
  return wrongs
}

function addressesOn(view: View, chainId: string): string[] {
  const family = chainId.split(':')[0] ?? ''
  const all = view.picture.watched.filter(({ scope }) => scope.startsWith(family))
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
