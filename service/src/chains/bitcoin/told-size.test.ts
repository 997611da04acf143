import { describe, expect, test } from 'vitest'
import type { RawInput, RawTransaction } from './raw-transaction.ts'
import { isAskable, TOLD_BYTES_MAX, toldBytesMax } from './told-size.ts'

const PLAIN = input()
const SIGNED = input({ witness: [Buffer.alloc(72), Buffer.alloc(33)] })
const HIDDEN = input({ witness: [Buffer.alloc(64)] })
/** A key's hash of old, opened by a signature and a key: 148 bytes in all. */
const OLD = input({ script: Buffer.alloc(107) })

function input(more: Partial<RawInput> = {}): RawInput {
  const bare = { txid: 'ab'.repeat(32), vout: 0, script: Buffer.alloc(0), sequence: 0 }
  return { ...bare, witness: [], ...more }
}

function transactionOf(inputs: readonly RawInput[], bytes = 200 * inputs.length): RawTransaction {
  return {
    txid: 'cd'.repeat(32),
    hash: Buffer.alloc(32),
    version: 2,
    inputs,
    outputs: [{ value: 1n, script: Buffer.alloc(22) }],
    lockTime: 0,
    isCoinbase: false,
    hasWitness: true,
    bytes: Buffer.alloc(bytes),
    weight: 4 * bytes,
  }
}

const times = (count: number, one: RawInput) => Array.from({ length: count }, () => one)

describe("length of a node's answer for a transaction", () => {
  test('is bounded by what opens its coins, not by its size [N09]', () => {
    expect(isAskable(transactionOf(times(1_071, PLAIN), 44_000))).toBe(false)
    expect(isAskable(transactionOf([SIGNED, HIDDEN, ...times(120, PLAIN)]))).toBe(false)
    expect(isAskable(transactionOf(times(90, OLD)))).toBe(true)
  })

  test('is never too much of what we sign: each input has a witness [W19]', () => {
    // The most that nodes pass on: 100,000 virtual bytes.
    expect(isAskable(transactionOf(times(1_470, SIGNED), 400_000))).toBe(true)
    expect(isAskable(transactionOf(times(1_739, HIDDEN), 400_000))).toBe(true)
  })

  test('has room for the longest words of a script that can be spent [N09]', () => {
    const script = 10_000
    const longest = 'OP_CHECKLOCKTIMEVERIFY '
    const operations = 201 * longest.length
    const words = (script - 201) * 'OP_RESERVED '.length
    const hex = 2 * script
    const descriptor = 2 * script + 'raw()#12345678'.length
    const more = toldBytesMax(transactionOf([PLAIN], 0)) - toldBytesMax(transactionOf([SIGNED], 0))
    expect(more).toBeGreaterThan(operations + words + hex + descriptor)
    expect(more * 4).toBeLessThan(TOLD_BYTES_MAX)
  })
})
