import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareWith } from '../../../test/support/oracles.ts'
import { rlpEncode, rlpNumber } from './rlp.ts'
import type { RlpItem } from './rlp.ts'

const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const

type HexTree = `0x${string}` | HexTree[]

const bytes = fc.oneof(
  { weight: 8, arbitrary: fc.uint8Array({ maxLength: 70 }) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 250, maxLength: 300 }) },
)
const trees = fc.letrec<{ tree: RlpItem }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, bytes, fc.array(tie('tree'), { maxLength: 8 })),
})).tree

function toHexTree(item: RlpItem): HexTree {
  return item instanceof Uint8Array ? hexOf(item) : item.map(toHexTree)
}

describe('RLP', () => {
  compareWith(['viem', 'ethers'], ({ viem, ethers }) => {
    test('any tree of bytes is encoded as two other libraries do', () => {
      fc.assert(
        fc.property(trees, (tree) => {
          expect(hexOf(rlpEncode(tree))).toBe(viem.toRlp(toHexTree(tree)))
          expect(hexOf(rlpEncode(tree))).toBe(ethers.encodeRlp(toHexTree(tree)))
        }),
      )
    })
  })

  test.each([
    [55, '0xb7'],
    [56, '0xb838'],
    [255, '0xb8ff'],
    [256, '0xb90100'],
    [65_536, '0xba010000'],
  ])('%d bytes carry the prefix %s', (length, prefix) => {
    expect(hexOf(rlpEncode(new Uint8Array(length))).startsWith(prefix)).toBe(true)
  })

  test.each([
    [0, '0x'],
    [1n, '0x01'],
    [127, '0x7f'],
    [256n, '0x0100'],
    [2n ** 256n - 1n, `0x${'ff'.repeat(32)}`],
  ])('the number %s is %s', (value, written) => {
    expect(hexOf(rlpNumber(value))).toBe(written)
  })
})
