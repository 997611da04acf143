import {
  bitcoinKey,
  signBitcoin,
  taprootKey,
  BITCOIN_NETWORKS,
  bitcoinAddress,
} from '@sluice/simulator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTransaction } from './raw-transaction.ts'
import { dustOf, feeFor, inputVsize, vsizeOf } from './size.ts'

const { kind } = BITCOIN_NETWORKS.regtest
const script = (hex: string) => ({ script: Buffer.from(hex, 'hex') })

describe('the size of a transaction', () => {
  test('is what it is once signed, or a byte less for each input of P2WPKH', () => {
    const types = fc.array(fc.constantFrom('p2wpkh' as const, 'p2tr' as const), {
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(types, fc.integer({ min: 1, max: 20 }), (inputs, outs) => {
        const ins = inputs.length
        const coins = inputs.map((type, vout) => {
          const key = (type === 'p2tr' ? taprootKey : bitcoinKey)(`size ${vout}`)
          return { key, txid: 'ab'.repeat(32), vout, value: 100_000n }
        })
        const to = bitcoinAddress(bitcoinKey('to'), kind)
        const payees = Array.from({ length: outs }, () => ({ to, amount: 1_000n }))
        const fee = BigInt(ins) * 100_000n - BigInt(outs) * 1_000n
        const { hex } = signBitcoin({ kind, coins, payees, fee })
        const { weight, outputs } = parseTransaction(Buffer.from(hex, 'hex'))
        const estimated = vsizeOf(inputs, outputs)
        const real = Math.ceil(weight / 4)
        expect(estimated).toBeGreaterThanOrEqual(real)
        expect(estimated - real).toBeLessThanOrEqual(
          inputs.filter((type) => type === 'p2wpkh').length,
        )
      }),
      { numRuns: 25 },
    )
  })

  test('is what published transactions of P2TR inputs weigh', () => {
    // One key spent to one P2TR output, and to two.
    expect(vsizeOf(['p2tr'], [script(`5120${'00'.repeat(32)}`)])).toBe(111)
    expect(vsizeOf(['p2tr', 'p2tr'], [script(`5120${'00'.repeat(32)}`)])).toBe(169)
    expect([inputVsize('p2tr'), inputVsize('p2wpkh')]).toEqual([58, 68])
  })

  test('counts long lists and scripts as they are written', () => {
    const output = script(`0014${'00'.repeat(20)}`)
    const many = Array.from({ length: 253 }, () => output)
    expect(vsizeOf(['p2tr'], many) - vsizeOf(['p2tr'], many.slice(1))).toBe(31 + 2)
  })
})

describe('dust', () => {
  test.each([
    ['P2PKH', `76a914${'00'.repeat(20)}88ac`, 546n],
    ['P2SH', `a914${'00'.repeat(20)}87`, 540n],
    ['P2WPKH', `0014${'00'.repeat(20)}`, 294n],
    ['P2WSH', `0020${'00'.repeat(32)}`, 330n],
    ['P2TR', `5120${'00'.repeat(32)}`, 330n],
  ])('is what Core says for %s [B06]', (_name, hex, least) => {
    expect(dustOf(script(hex))).toBe(least)
  })
})

test('a fee is rounded up', () => {
  expect(feeFor(141, 1_000n)).toBe(141n)
  expect(feeFor(141, 1_001n)).toBe(142n)
  expect(feeFor(1, 1n)).toBe(1n)
})
