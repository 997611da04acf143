import type { ChainId } from '@sluice/wire'
import type { Address, ChildOffer, CoinOffer, CoinsReservation, Intent } from '../port.ts'
import type { CoinTerms } from '../spending.ts'
import { scriptOf } from './address.ts'
import { payeesOf } from './payees.ts'
import { childFor, replaceCoins } from './replace-coins.ts'
import { leastJoined, selectAll, selectCoins } from './select-coins.ts'
import type { Choice, Wish } from './select-coins.ts'

/** Chooses the outputs that pay an intent, or pay it again if a transaction is stuck. Pure. */
export function chooseCoins(
  intent: Intent,
  { perKvb, maxFee }: CoinTerms,
  { coins, change, stuck }: CoinOffer,
): CoinsReservation | null {
  const { chainId } = intent
  const wish: Wish = {
    payees: payeesOf(intent).map(({ to, amount }) => ({ script: scriptOf(to, chainId), amount })),
    changeScript: scriptOf(change, chainId),
    perKvb,
    maxFee,
  }
  const choice = stuck === undefined ? selectCoins(coins, wish) : replaceCoins(stuck, wish, coins)
  return reservationOf(choice, change)
}

/** The output of a child that also pays for its parent; null if it cannot. Pure. */
export function chooseChild(
  chainId: ChainId,
  { perKvb, maxFee }: CoinTerms,
  { output, stuck, change }: ChildOffer,
): CoinsReservation | null {
  const wish = { changeScript: scriptOf(change, chainId), perKvb, maxFee }
  return reservationOf(childFor(stuck, output, wish), change)
}

/** The outputs of a consolidation, all of which return; null if it does not pay off. Pure. */
export function chooseAll(
  chainId: ChainId,
  { perKvb, maxFee }: CoinTerms,
  { coins, change }: Pick<CoinOffer, 'coins' | 'change'>,
): CoinsReservation | null {
  const wish = { changeScript: scriptOf(change, chainId), perKvb, maxFee }
  return reservationOf(selectAll(coins, wish), change)
}

/** The least amount of an output to be joined with this many, including itself. Pure. */
export function leastToJoin(
  chainId: ChainId,
  { perKvb }: CoinTerms,
  { count, change }: { count: number; change: Address },
): bigint {
  return leastJoined(count, { changeScript: scriptOf(change, chainId), perKvb })
}

function reservationOf(choice: Choice | null, address: Address): CoinsReservation | null {
  if (choice === null) return null
  const change = choice.change === 0n ? null : { address, amount: choice.change }
  return { kind: 'coins', coins: choice.coins, change }
}
