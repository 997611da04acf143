import { expect, test } from 'vitest'
import { parseChain, parseHolder } from '../../../test/adapters/brands.ts'
import { transfersOf } from './block.ts'
import type { Deed } from './moves.ts'

const TESTNET = parseChain('xrpl:testnet')
const SENDER = parseHolder(TESTNET, 'rKjcjXSL2xn6SEwPf2NeCekWyY54HQAgij')
const OURS = parseHolder(TESTNET, 'rsbBHqTA5eLom34booyLytNu9dNFTTqiPr')

/** A payment of five drops to us. */
const PAYMENT: Deed = {
  txnHash: 'A'.repeat(64),
  type: 'Payment',
  sender: SENDER,
  sequence: 1,
  fee: 10n,
  succeeded: true,
  rank: 0,
  changes: [
    { address: SENDER, before: 100n, after: 85n, from: '', tag: null },
    { address: OURS, before: 0n, after: 5n, from: SENDER, tag: 7 },
  ],
  delivered: 5n,
}
const isOurs = (address: string) => address === OURS

test('reads a payment whose result is success as a transfer', () => {
  expect(transfersOf(TESTNET, PAYMENT, isOurs)).toMatchObject([{ to: OURS, amount: 5n, tag: 7 }])
})

test('is an outage if a payment whose result is failure brought us something', () => {
  expect(() => transfersOf(TESTNET, { ...PAYMENT, succeeded: false }, isOurs)).toThrow(
    'a gain by a failed transaction',
  )
})

test('passes over a failed payment that cost its fee alone', () => {
  const [sender] = PAYMENT.changes
  const changes = sender === undefined ? [] : [{ ...sender, after: 90n }]
  const failed = { ...PAYMENT, succeeded: false, changes, delivered: null }
  expect(transfersOf(TESTNET, failed, () => true)).toEqual([])
})

test('withholds the tag if what is stated as delivered is not what arrived', () => {
  for (const delivered of ['unavailable', 6n] as const) {
    expect(transfersOf(TESTNET, { ...PAYMENT, delivered }, isOurs)).toMatchObject([
      { amount: 5n, tag: null },
    ])
  }
})
