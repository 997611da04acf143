import { describe, expect, test } from 'vitest'
import type { Terms } from '../spending.ts'
import { rateNamed } from './named-price.ts'

const GWEI = 10n ** 9n
const TERMS: Terms = {
  family: 'eip155',
  gasLimit: 21_000n,
  maxFeePerGas: 61_500_000_000n,
  maxPriorityFeePerGas: 1_500_000_000n,
}
const LEGACY: Terms = { family: 'eip155-legacy', gasLimit: 21_000n, gasPrice: GWEI }
const HASH = `0x${'ab'.repeat(32)}`

const TIPS: readonly [client: string, said: string][] = [
  [
    'bor',
    'transaction gas price below minimum: gas tip cap 1500000000, minimum needed 25000000000',
  ],
  ['geth 1.12', 'transaction underpriced: tip needed 25000000000, tip permitted 1500000000'],
  [
    'nethermind',
    'FeeTooLow, EffectivePriorityFeePerGas too low 1500000000 < 25000000000, BaseFee: 7',
  ],
  ['reth', 'priority fee below minimum required priority fee 25000000000'],
  ['gwei', 'gas price 1.5 gwei is too low, must be at least 25 gwei'],
  ['fractions', 'underpriced: minimum gas price 25.0 Gwei'],
  ['hexadecimal', 'gas price below configured minimum gas price 0x5d21dba00'],
  ['no offer', 'transaction underpriced, want 25000000000'],
]
const WHOLE: readonly [client: string, said: string][] = [
  [
    'geth',
    `max fee per gas less than block base fee: address 0x${'Ab'.repeat(20)}, ` +
      'maxFeePerGas: 61500000000, baseFee: 90000000000',
  ],
  [
    'nethermind',
    'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 61500000000, BaseFee: 90000000000, ' +
      'MaxPriorityFeePerGas:1500000000, Block number: 22000000',
  ],
  [
    'coreth',
    'transaction underpriced: have gas fee cap (61500000000) < pool minimum fee cap (90000000000)',
  ],
  [
    'blob pool',
    'replacement transaction underpriced: new tx gas fee cap 61500000000 < 90000000000 queued',
  ],
]
const SILENT: readonly [what: string, said: string][] = [
  ['no number', 'replacement transaction underpriced'],
  ['a price that is paid already', 'tip needed 1500000000, tip permitted 1500000000'],
  [
    'a balance',
    'insufficient funds for gas * price + value: address 0x01 have 1 want 25000000000000000',
  ],
  ['a nonce', 'nonce too low: next nonce 99000000000, tx nonce 3'],
  ['gas', 'intrinsic gas too low: gas 21000, minimum needed 99000000000'],
  ['bytes that are known', 'already known'],
]

describe('rateNamed', () => {
  test.each(TIPS)('reads the tip that a node needs [%s]', (_client, said) => {
    expect(rateNamed(TERMS, `rpc.example:8545: ${said} (-32000)`)).toEqual({
      family: 'eip155',
      maxFeePerGas: 25n * GWEI,
      maxPriorityFeePerGas: 25n * GWEI,
    })
  })

  test.each(WHOLE)('reads the whole price that a node needs [%s]', (_client, said) => {
    expect(rateNamed(TERMS, `node: ${said} (-32000)`)).toEqual({
      family: 'eip155',
      maxFeePerGas: 90n * GWEI,
      maxPriorityFeePerGas: 1_500_000_000n,
    })
  })

  test.each(SILENT)('reads no price from %s', (_what, said) => {
    expect(rateNamed(TERMS, `node: ${said} (-32000)`)).toBeNull()
  })

  test('reads the price of a legacy chain', () => {
    const said = 'node: transaction underpriced: minimum needed 5000000000 (-32000)'
    expect(rateNamed(LEGACY, said)).toEqual({ family: 'eip155-legacy', gasPrice: 5n * GWEI })
  })

  test('takes the smallest of the prices that several nodes name', () => {
    const said = (price: bigint) => `transaction underpriced: tip needed ${price}, tip permitted 1`
    const answer = `a: ${said(40n * GWEI)} (-32000); b: ${said(30n * GWEI)} (-32000)`
    expect(rateNamed(TERMS, answer)).toMatchObject({ maxPriorityFeePerGas: 30n * GWEI })
  })

  test.each([HASH, 'already known (-32000)'])('is silent when a node answers %s', (accepted) => {
    const refused = 'transaction underpriced: tip needed 25000000000, tip permitted 1 (-32000)'
    expect(rateNamed(TERMS, `a: ${refused}; b: ${accepted}`)).toBeNull()
  })
})
