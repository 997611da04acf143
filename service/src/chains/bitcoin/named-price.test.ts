import { expect, test } from 'vitest'
import { rateNamed } from './named-price.ts'

const TERMS = { family: 'bip122', perKvb: 1_000n, maxFee: 141n } as const

test.each([
  ['min relay fee not met, 141 < 705', 5_000n],
  ['mempool min fee not met, 141 < 143', 1_015n],
  [
    'insufficient fee, rejecting replacement ab; new feerate 0.00001000 BTC/kvB <= old feerate ' +
      '0.00002000 BTC/kvB',
    2_000n,
  ],
  ['insufficient fee, rejecting replacement ab, less fees than conflicting txs; 0.1 < 0.3', 3_000n],
])('reads the rate that a node needs from "%s"', (said, perKvb) => {
  expect(rateNamed(TERMS, `node: ${said} (-26)`)).toEqual({ family: 'bip122', perKvb })
})

test.each([
  'min relay fee not met',
  'min relay fee not met, 0 < 141',
  'insufficient fee, rejecting replacement ab, not enough additional fees to relay; 0.1 < 0.2',
  'dust',
  'ab'.repeat(32),
])('reads no rate from "%s"', (said) => {
  expect(rateNamed(TERMS, `node: ${said} (-26)`)).toBeNull()
})
