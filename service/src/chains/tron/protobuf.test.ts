import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, integerOf, readMessage, writeMessage } from './protobuf.ts'
import type { Field } from './protobuf.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const field = fc.tuple(
  fc.integer({ min: 1, max: 5_000 }),
  fc.oneof(int64, fc.uint8Array({ maxLength: 300 })),
)

describe('protocol buffers', () => {
  test('reads back written messages, without zeros and empty fields', () => {
    fc.assert(
      fc.property(fc.uniqueArray(field, { selector: ([number]) => number }), (fields) => {
        const message = readMessage(writeMessage(fields satisfies Field[]))
        if (message === null) throw new Error('not read')
        for (const [number, value] of fields) {
          if (typeof value === 'bigint') expect(integerOf(message, number)).toBe(value)
          else expect([...bytesOf(message, number)]).toEqual([...value])
        }
        const isSomething = (value: bigint | Uint8Array) =>
          value !== 0n && Object(value).length !== 0
        expect(message.size).toBe(fields.filter(([, value]) => isSomething(value)).length)
      }),
    )
  })

  test('the examples of the documentation are written so', () => {
    expect(Buffer.from(writeMessage([[1, 150n]])).toString('hex')).toBe('089601')
    const text = new Uint8Array(Buffer.from('testing'))
    expect(Buffer.from(writeMessage([[2, text]])).toString('hex')).toBe('120774657374696e67')
    expect(writeMessage([[1, -2n]])).toHaveLength(11)
  })

  test('no bytes at all make it crash, and none are read past their end [N09]', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const message = readMessage(bytes)
        const sizes = [...(message?.values() ?? [])].flat().map((one) => Object(one).length ?? 0)
        expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(bytes.length)
      }),
    )
  })

  test.each([
    ['a varint that never ends', 'ffffffffffffffffffffff'],
    ['a length below zero', '0affffffff0f'],
    ['bytes that are cut off', '0a05aabb'],
    ['a group that does not end', '0b'],
    ['a field without a value', '08'],
  ])('no message: %s', (_name, hex) => {
    expect(readMessage(new Uint8Array(Buffer.from(hex, 'hex')))).toBeNull()
  })
})
