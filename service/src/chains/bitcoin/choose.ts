import type { CoinOffer, CoinsReservation, Intent } from '../port.ts'
import type { CoinTerms } from '../spending.ts'
import { scriptOf } from './address.ts'
import { replaceCoins } from './replace-coins.ts'
import { selectCoins } from './select-coins.ts'
import type { Wish } from './select-coins.ts'

/** The coins that pay an intent, or pay it again where something is stuck. Pure. */
export function chooseCoins(
  { chainId, to, amount }: Intent,
  { perKvb, maxFee }: CoinTerms,
  { coins, change: address, stuck }: CoinOffer,
): CoinsReservation | null {
  const wish: Wish = {
    payees: [{ script: scriptOf(to, chainId), amount }],
    changeScript: scriptOf(address, chainId),
    perKvb,
    maxFee,
  }
  const choice = stuck === undefined ? selectCoins(coins, wish) : replaceCoins(stuck, wish, coins)
  if (choice === null) return null
  const change = choice.change === 0n ? null : { address, amount: choice.change }
  return { kind: 'coins', coins: choice.coins, change }
}
