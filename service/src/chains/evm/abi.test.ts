import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareWith } from '../../../test/support/oracles.ts'
import { DECIMALS_CALL, decodeText, decodeUint, encodeBalanceOf, SYMBOL_CALL } from './abi.ts'
import { brandEvmAddress } from './address.ts'

const text = (value: string) => {
  const hex = Buffer.from(value).toString('hex')
  const padded = hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
  return `0x${word(32)}${word(hex.length / 2)}${padded}`
}
const bytes32 = (value: string) =>
  `0x${Buffer.from(value).toString('hex').padEnd(64, '0')}` as const

describe('calls of tokens', () => {
  compareWith(['viem'], ({ viem }) => {
    test('are those that another library writes', () => {
      const holder = brandEvmAddress(`0x${'5a'.repeat(20)}`)
      const abi = viem.erc20Abi
      const balanceOf = viem.encodeFunctionData({
        abi,
        functionName: 'balanceOf',
        args: [`0x${'5a'.repeat(20)}`],
      })
      expect(encodeBalanceOf(holder)).toBe(balanceOf)
      expect(DECIMALS_CALL).toBe(viem.encodeFunctionData({ abi, functionName: 'decimals' }))
      expect(SYMBOL_CALL).toBe(viem.encodeFunctionData({ abi, functionName: 'symbol' }))
    })
  })
})

describe('answers of tokens', () => {
  test('a number is read exactly up to 2^256-1 [E22]', () => {
    expect(decodeUint(`0x${'ff'.repeat(32)}`)).toBe(2n ** 256n - 1n)
    expect(decodeUint(`0x${'00'.repeat(31)}06${'ff'.repeat(32)}`)).toBe(6n)
  })

  test.each(['0x', '0x06', `0x${'00'.repeat(31)}`])('%s is no number', (answer) => {
    expect(decodeUint(answer)).toBeNull()
  })

  test('a symbol is read from a string or, as MKR has it, from 32 bytes', () => {
    expect(decodeText(text('USDT'))).toBe('USDT')
    expect(decodeText(text('₮0'))).toBe('₮0')
    expect(decodeText(bytes32('MKR'))).toBe('MKR')
    expect(decodeText(text('x'.repeat(128)))).toBe('x'.repeat(128))
  })

  test.each([
    ['nothing', '0x'],
    ['an empty string', text('')],
    ['an empty word', bytes32('')],
    ['a symbol of 129 bytes', text('x'.repeat(129))],
    ['control characters', text('US\nDT')],
    ['bytes that are no UTF-8', `0x${'ff'.repeat(32)}`],
    ['a length beyond the answer', `0x${word(32)}${word(64)}${word(0)}`],
    ['an offset beyond the answer', `0x${word(2 ** 40)}${word(4)}`],
    ['an offset of 2^255', `0x80${'0'.repeat(62)}${word(4)}`],
    ['half a word', `0x${'41'.repeat(16)}`],
  ])('%s is no symbol', (_what, answer) => {
    expect(decodeText(answer)).toBeNull()
  })

  test('returns a value or null for any answer of a contract', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const answer = `0x${Buffer.from(bytes).toString('hex')}`
        expect([null, 'bigint']).toContain(decodeUint(answer) === null ? null : 'bigint')
        expect([null, 'string']).toContain(decodeText(answer) === null ? null : 'string')
      }),
    )
  })
})

function word(value: number): string {
  return value.toString(16).padStart(64, '0')
}
