import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depositOf } from '../../test/support/sample-deposit.ts'
import type { Deposit } from './deposit.ts'
import { splitByMinimum } from './minimum.ts'

const MINIMUM = 10n
const minimumOf = () => MINIMUM

describe('splitByMinimum', () => {
  test('credits a deposit of at least the minimum', () => {
    const [over, exact, under] = [deposit(1, 11n), deposit(2, 10n), deposit(3, 9n)]
    const split = splitByMinimum({ arriving: [over, exact, under], waiting: [], minimumOf })
    expect(split).toEqual({ credited: [over, exact], setAside: [under] })
  })

  test('credits waiting deposits with the one that completes the minimum', () => {
    const waiting = [deposit(1, 4n, 'BelowMinimum'), deposit(2, 5n, 'BelowMinimum')]
    const arriving = [deposit(3, 1n)]
    const split = splitByMinimum({ arriving, waiting, minimumOf })
    expect(split).toEqual({ credited: [...waiting, ...arriving], setAside: [] })
  })

  test('credits a great many dust deposits in linear time [B06]', () => {
    const grain = deposit(0, 1n, 'BelowMinimum')
    const dust = Array.from({ length: 200_000 }, (_, height) => ({
      ...grain,
      block: { height, hash: `0x${height}` },
    }))
    const arriving = [deposit(200_000, 1n)]
    const split = splitByMinimum({ arriving, waiting: dust, minimumOf: () => 200_001n })
    expect([split.credited.length, split.setAside.length]).toEqual([200_001, 0])
  })

  test('does not add up amounts of different accounts or tokens', () => {
    const ann = deposit(1, 6n)
    const bob = { ...deposit(1, 6n), accountId: 'bob' }
    const other = { ...deposit(1, 6n), tokenId: 'eip155:1/erc20:0xother' as Deposit['tokenId'] }
    const split = splitByMinimum({ arriving: [ann, bob, other], waiting: [], minimumOf })
    expect(split).toEqual({ credited: [], setAside: [ann, bob, other] })
  })

  test('changes no waiting deposit if none arrives', () => {
    const waiting = [deposit(1, 400n, 'BelowMinimum')]
    expect(splitByMinimum({ arriving: [], waiting, minimumOf })).toEqual({
      credited: [],
      setAside: [],
    })
  })

  test('returns the same for blocks one by one and together', () => {
    const amounts = fc.array(fc.array(fc.bigInt({ min: 1n, max: 12n }), { maxLength: 3 }))
    fc.assert(
      fc.property(amounts, fc.infiniteStream(fc.boolean()), (blocks, cuts) => {
        const deposits = blocks.map((block, height) =>
          block.map((one, rank) => ({ ...deposit(height, one), id: `${height} ${rank}` })),
        )
        const once = splitByMinimum({ arriving: deposits.flat(), waiting: [], minimumOf })
        const { credited, waiting } = inPieces(deposits, cuts)
        expect(idsOf(credited)).toEqual(idsOf(once.credited))
        expect(idsOf(waiting)).toEqual(idsOf(once.setAside))
      }),
    )
  })
})

/** Lets blocks arrive in runs, cut where the stream says so. */
function inPieces(blocks: readonly Deposit[][], cuts: fc.Stream<boolean>) {
  const credited: Deposit[] = []
  let waiting: Deposit[] = []
  let arriving: Deposit[] = []
  for (const [at, block] of blocks.entries()) {
    arriving.push(...block)
    const cut = cuts.next().value === true || at === blocks.length - 1
    if (!cut) continue
    const split = splitByMinimum({ arriving, waiting, minimumOf })
    credited.push(...split.credited)
    const setAside = split.setAside.map((one) => ({ ...one, status: 'BelowMinimum' as const }))
    waiting = [...waiting.filter((one) => !split.credited.includes(one)), ...setAside]
    arriving = []
  }
  return { credited, waiting }
}

/** In one order; an id that comes twice stands twice. */
function idsOf(deposits: readonly Deposit[]): string[] {
  return deposits.map(({ id }) => id).toSorted()
}

function deposit(height: number, amount: bigint, status: Deposit['status'] = 'Detected'): Deposit {
  return depositOf({ amount, status, block: { height, hash: `0x${height}` } })
}
