import { describe, expect, test } from 'vitest'
import { parseChain, parseToken } from '../../test/adapters/brands.ts'
import { ManualClock } from '../../test/support/clock.ts'
import { Outage } from '../base/fault.ts'
import { openFeeBook } from './fee-book.ts'

const CHAIN = parseChain('eip155:11155111')
const COIN = parseToken(`${CHAIN}/slip44:60`)

function openBook() {
  const clock = new ManualClock()
  const node = { fee: 5n, asked: 0, isAway: false }
  const feeEstimate = async () => {
    node.asked += 1
    if (node.isAway) throw new Outage(CHAIN, 'away')
    return node.fee
  }
  const book = openFeeBook({ get: (id) => (id === CHAIN ? { feeEstimate } : null) }, clock)
  return { clock, node, feeOf: () => book.feeOf(CHAIN, COIN), book }
}

describe('the fee book', () => {
  test('queries the node once in 15 seconds [N11]', async () => {
    const { clock, node, feeOf } = openBook()
    expect(await Promise.all([feeOf(), feeOf(), feeOf()])).toEqual([5n, 5n, 5n])
    node.fee = 6n
    await clock.advance(14_999)
    expect(await feeOf()).toBe(5n)
    expect(node.asked).toBe(1)
    await clock.advance(1)
    expect(await feeOf()).toBe(6n)
  })

  test('returns an old fee for ten minutes of an outage [N01]', async () => {
    const { clock, node, feeOf } = openBook()
    await feeOf()
    node.isAway = true
    await clock.advance(599_999)
    expect(await feeOf()).toBe(5n)
    await clock.advance(1)
    await expect(feeOf()).rejects.toThrow(Outage)
    node.isAway = false
    expect(await feeOf()).toBe(5n)
  })

  test('throws an Outage for a chain without nodes [N01]', async () => {
    const { book } = openBook()
    const other = parseChain('eip155:97')
    await expect(book.feeOf(other, parseToken(`${other}/slip44:60`))).rejects.toThrow(Outage)
  })
})
