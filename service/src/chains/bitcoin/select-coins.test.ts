import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseChain, parseHolder } from '../../../test/adapters/brands.ts'
import type { Coin } from '../port.ts'
import { rateWithin } from '../spending.ts'
import { childFor, replaceCoins } from './replace-coins.ts'
import {
  balance,
  type Choice,
  leastJoined,
  selectAll,
  selectCoins,
  type Wish,
} from './select-coins.ts'
import { addressTypeOf, scriptOf } from './address.ts'
import { dustOf, feeFor, inputVsize, typesOf, vsizeOf } from './size.ts'

const REGTEST = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
const address = parseHolder(REGTEST, 'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c')
const taproot = parseHolder(
  REGTEST,
  'bcrt1pamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhqz6nvlh',
)
const script = Buffer.from(`0014${'11'.repeat(20)}`, 'hex')
const change = { script }
const txnHash = 'ab'.repeat(32)
const coinOf = (amount: bigint, vout: number): Coin => ({ txnHash, vout, address, amount })
const costOf = ({ address: of }: Coin, perKvb: bigint) =>
  feeFor(inputVsize(addressTypeOf(of)), perKvb)

const amounts = (most: number) =>
  fc.array(fc.tuple(fc.bigInt(1n, 300_000n), fc.boolean()), { maxLength: most }).map((list) =>
    list.map(([amount, isTaproot], vout) => {
      return { ...coinOf(amount, vout), ...(isTaproot && { address: taproot }) }
    }),
  )
const wishes: fc.Arbitrary<Wish> = fc
  .record({
    paid: fc.array(fc.bigInt(546n, 200_000n), { minLength: 1, maxLength: 5 }),
    perKvb: fc.bigInt(1_000n, 60_000n),
    maxFee: fc.bigInt(100n, 60_000n),
  })
  .map(({ paid, perKvb, maxFee }) => {
    return {
      payees: paid.map((amount) => ({ script, amount })),
      changeScript: script,
      perKvb,
      maxFee,
    }
  })

function expectSound({ coins, change: rest, fee }: Choice, wish: Wish): void {
  const paid = sumOf(wish.payees)
  expect(sumOf(coins)).toBe(paid + rest + fee)
  expect(new Set(coins.map(({ vout }) => vout)).size).toBe(coins.length)
  const outputs = rest === 0n ? wish.payees : [...wish.payees, change]
  expect(fee).toBeGreaterThanOrEqual(feeFor(vsizeOf(typesOf(coins), outputs), wish.perKvb))
  expect(fee).toBeLessThanOrEqual(wish.maxFee)
  if (rest !== 0n) expect(rest).toBeGreaterThanOrEqual(dustOf(change))
}

describe('the choice of coins', () => {
  test('adds up, keeps to the cap, and pays its rate [B12, W16]', () => {
    fc.assert(
      fc.property(amounts(30), wishes, (coins, wish) => {
        const choice = selectCoins(coins, wish)
        if (choice === null) return
        expectSound(choice, wish)
        for (const coin of choice.coins) expect(coins).toContain(coin)
      }),
      { numRuns: 500 },
    )
  })

  test('has no coin that costs more than it brings [B06]', () => {
    fc.assert(
      fc.property(amounts(30), wishes, (coins, wish) => {
        for (const coin of selectCoins(coins, wish)?.coins ?? []) {
          expect(coin.amount).toBeGreaterThan(costOf(coin, wish.perKvb))
        }
      }),
    )
  })

  test('is null exactly when no outputs suffice without a cap [B13]', () => {
    fc.assert(
      fc.property(amounts(8), wishes, (coins, capped) => {
        const wish = { ...capped, maxFee: 10n ** 12n }
        const worthy = coins.filter((coin) => coin.amount > costOf(coin, wish.perKvb))
        const sets = Array.from({ length: 2 ** worthy.length }, (_, set) =>
          worthy.filter((_one, at) => (set >> at) & 1),
        )
        const wouldDo = sets.some((some) => some.length > 0 && balance(some, wish) !== null)
        expect(selectCoins(coins, wish) !== null).toBe(wouldDo)
      }),
      { numRuns: 300 },
    )
  })

  test('does not depend on the order of the outputs', () => {
    fc.assert(
      fc.property(amounts(20), wishes, fc.nat(), (coins, wish, turn) => {
        const at = coins.length === 0 ? 0 : turn % coins.length
        const turned = [...coins.slice(at), ...coins.slice(0, at)]
        expect(selectCoins(turned, wish)).toEqual(selectCoins(coins, wish))
      }),
    )
  })

  test('is the smallest single output that suffices', () => {
    const coins = [100_000n, 50_000n, 20_000n, 5_000n].map(coinOf)
    const payees = [{ script, amount: 19_000n }]
    const wish = { payees, changeScript: script, perKvb: 1_000n, maxFee: 10_000n }
    expect(selectCoins(coins, wish)?.coins).toEqual([coinOf(20_000n, 2)])
  })

  test('prefers the smaller input when two outputs have the same amount', () => {
    const payees = [{ script, amount: 19_000n }]
    const wish = { payees, changeScript: script, perKvb: 10_000n, maxFee: 10_000n }
    const coins = [coinOf(30_000n, 0), { ...coinOf(30_000n, 1), address: taproot }]
    const larger = { ...wish, payees: [{ script, amount: 40_000n }] }
    expect(selectCoins(coins, wish)?.coins.map(({ vout }) => vout)).toEqual([0])
    expect(selectCoins(coins, larger)?.coins.map(({ vout }) => vout)).toEqual([1, 0])
    expect(selectCoins(coins, larger)?.fee).toBe(
      feeFor(vsizeOf(['p2tr', 'p2wpkh'], [change, change]), 10_000n),
    )
  })

  test('takes the largest outputs when no single one suffices', () => {
    const coins = [5_000n, 9_000n, 20_000n, 18_000n].map(coinOf)
    const payees = [{ script, amount: 30_000n }]
    const wish = { payees, changeScript: script, perKvb: 1_000n, maxFee: 10_000n }
    expect(selectCoins(coins, wish)?.coins.map(({ amount }) => amount)).toEqual([20_000n, 18_000n])
  })
})

describe('a consolidation', () => {
  test('is of all that bring more than they cost, and gives back all but the fee [B06]', () => {
    fc.assert(
      fc.property(amounts(30), wishes, (coins, { payees: _none, ...wish }) => {
        const worthy = coins.filter((coin) => coin.amount > costOf(coin, wish.perKvb))
        const choice = selectAll(coins, wish)
        if (choice === null) {
          const fee = feeFor(vsizeOf(typesOf(worthy), [change]), wish.perKvb)
          const isLeft = sumOf(worthy) - fee >= dustOf(change)
          expect(worthy.length < 2 || !isLeft || fee > wish.maxFee).toBe(true)
          return
        }
        expectSound(choice, { ...wish, payees: [] })
        expect(new Set(choice.coins)).toEqual(new Set(worthy))
        expect(choice.change).toBeGreaterThan(0n)
      }),
      { numRuns: 300 },
    )
  })

  test('of so many that hold the least for it is always of them all [B06]', () => {
    const rates = fc.bigInt(1_000n, 200_000n)
    fc.assert(
      fc.property(
        amounts(60),
        rates,
        fc.constantFrom(address, taproot),
        (candidates, perKvb, to) => {
          if (candidates.length < 2) return
          const changeScript = scriptOf(to, REGTEST)
          const least = leastJoined(candidates.length, { changeScript, perKvb })
          const coins = candidates.map((coin, at) => ({
            ...coin,
            amount: at === 0 ? least : least + 1n,
          }))
          const choice = selectAll(coins, { changeScript, perKvb, maxFee: 10n ** 9n })
          expect(choice?.coins).toHaveLength(coins.length)
          expect(least).toBeGreaterThan(feeFor(inputVsize('p2wpkh'), perKvb))
        },
      ),
    )
  })

  test('of more coins than go into one transaction takes the largest', () => {
    const coins = Array.from({ length: 1_200 }, (_, vout) => coinOf(BigInt(1_000 + vout), vout))
    const wish = { changeScript: script, perKvb: 1_000n, maxFee: 10n ** 9n }
    const taken = selectAll(coins, wish)?.coins ?? []
    expect(taken).toHaveLength(1_000)
    expect(taken.every(({ amount }) => amount >= 1_200n)).toBe(true)
  })
})

describe('a replacement', () => {
  test('keeps all inputs, pays the same, and raises the fee as nodes require [W18]', () => {
    fc.assert(
      fc.property(amounts(20), wishes, amounts(5), (coins, wish, spare) => {
        const first = selectCoins(coins, { ...wish, perKvb: 1_000n })
        if (first === null) return
        const more = spare.map((one) => ({ ...one, vout: one.vout + 1_000 }))
        const vsize = sizeOf(first, wish)
        const second = replaceCoins({ ...first, vsize }, wish, more)
        if (second === null) return
        expectSound(second, wish)
        for (const coin of first.coins) expect(second.coins).toContain(coin)
        const after = sizeOf(second, wish)
        expect(second.fee).toBeGreaterThanOrEqual(first.fee + feeFor(after, 1_000n))
        expect(rateOf(second.fee, after)).toBeGreaterThan(rateOf(first.fee, vsize))
      }),
      { numRuns: 500 },
    )
  })

  test('at the rate that its cap allows it keeps to the cap, as near as a rate can [W16]', () => {
    fc.assert(
      fc.property(amounts(20), fc.bigInt(2_000n, 10n ** 6n), (coins, maxFee) => {
        const first = { coins, fee: 0n, vsize: 100 }
        const wish = { payees: [], changeScript: script, perKvb: 2_000n, maxFee }
        const least = replaceCoins(first, wish, [])
        if (least === null) return
        const terms = { family: 'bip122', perKvb: wish.perKvb, maxFee } as const
        const rate = { family: 'bip122', perKvb: 10n ** 9n } as const
        const { perKvb } = rateWithin(rate, { terms, fee: least.fee })
        const dearest = replaceCoins(first, { ...wish, perKvb }, [])
        // None where the coins do not pay so much and give back what nodes pass on.
        if (dearest === null) expect(sumOf(coins)).toBeLessThan(maxFee + dustOf(change))
        else expect(dearest.fee * 100n).toBeGreaterThan(maxFee * 99n)
      }),
    )
  })

  test('takes its fee from the change, then from other coins, and is none without', () => {
    const payees = [{ script, amount: 30_000n }]
    const wish = { payees, changeScript: script, perKvb: 20_000n, maxFee: 50_000n }
    const rich = { coins: [coinOf(60_000n, 0)], fee: 141n, vsize: 141 }
    expect(replaceCoins(rich, wish, [])).toMatchObject({ fee: 2_820n, change: 27_180n })
    const poor = { coins: [coinOf(30_200n, 0)], fee: 200n, vsize: 110 }
    expect(replaceCoins(poor, wish, [])).toBeNull()
    const helped = replaceCoins(poor, wish, [coinOf(9_000n, 7), coinOf(8_000n, 8)])
    expect(helped?.coins.map(({ vout }) => vout)).toEqual([0, 7])
  })
})

/** As nodes compare it: whole base units for a thousand virtual bytes. */
function rateOf(fee: bigint, vsize: number): bigint {
  return (fee * 1_000n) / BigInt(vsize)
}

function sizeOf({ coins, change: rest }: Choice, { payees }: Wish): number {
  return vsizeOf(typesOf(coins), rest === 0n ? payees : [...payees, change])
}

describe('a child', () => {
  const wish = { changeScript: script, perKvb: 20_000n, maxFee: 50_000n }
  const stuck = { fee: 141n, vsize: 141 }

  test('pays what both together cost, less what the parent paid', () => {
    const choice = childFor(stuck, coinOf(40_000n, 1), wish)
    const both = feeFor(141 + vsizeOf(['p2wpkh'], [change]), 20_000n)
    expect(choice?.fee).toBe(both - 141n)
    expect(choice?.change).toBe(40_000n - (both - 141n))
  })

  test('is null when no amount would be left, or the cap forbids it [W16]', () => {
    expect(childFor(stuck, coinOf(5_000n, 1), wish)).toBeNull()
    expect(childFor(stuck, coinOf(40_000n, 1), { ...wish, maxFee: 1_000n })).toBeNull()
  })
})

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}
