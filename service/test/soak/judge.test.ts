import { describe, expect, test } from 'vitest'
import type { Movement } from './chains/chain.ts'
import { judgeClaims, judgeDeposits, judgeWithdrawals, type Told } from './judge.ts'

const COIN = 'eip155:1/slip44:60'
const USER = '0xaa'
const SETTLEMENT = '0x55'
const GAS = '0x66'
const OUTSIDE = '0x01'
const PAYEE = '0x99'

const moved = (from: string, to: string, amount: bigint, txnHash = 'h'): Movement => ({
  from,
  to,
  amount,
  txnHash,
  tag: null,
  tokenId: COIN,
})

const credited = (amount: string, more = {}) => ({
  id: 'd',
  chainId: 'eip155:1',
  txnHash: 'h',
  position: 'tx',
  address: USER,
  tag: null,
  tokenId: COIN,
  amount,
  userId: 'ann',
  status: 'Confirmed',
  blockHash: 'b',
  ...more,
})

const wanted = (heard: number | null = 201) => ({
  reference: 'one',
  chainId: 'eip155:1',
  tokenId: COIN,
  amount: 7n,
  recipient: PAYEE,
  memo: null,
  heard,
  refusal: '',
})

const row = (status: string, more = {}) => ({
  id: 'w',
  chainId: 'eip155:1',
  reference: 'one',
  status,
  txnHash: 'p',
  failureCode: null,
  coins: [],
  ...more,
})

const told = (more: Partial<Told>): Told => ({
  chain: { family: 'evm', tokens: [COIN] } as unknown as Told['chain'],
  movements: [],
  addresses: [{ chainId: 'eip155:1', userId: 'ann', address: USER, tag: null }],
  wanted: [],
  own: [
    { address: USER, purpose: 'deposit' },
    { address: SETTLEMENT, purpose: 'settlement' },
    { address: GAS, purpose: 'gas' },
  ],
  deposits: [],
  withdrawals: [],
  ...more,
})

const whats = (found: { what: string }[]) => found.map(({ what }) => what)

describe('deposits', () => {
  const movements = [moved(OUTSIDE, USER, 5n)]

  test('one payment and one credit differ in nothing, whatever the letters of the address', () => {
    const deposits = [credited('5', { address: '0xAA' })]
    expect(judgeDeposits(told({ movements, deposits }))).toEqual([])
  })

  test.each([
    ['none', [], ['a deposit is lost']],
    ['two', [credited('5'), credited('5')], ['a deposit nobody paid']],
    ['another amount', [credited('6')], ['a deposit is lost', 'a deposit nobody paid']],
    ['one that waits', [credited('5', { status: 'Detected' })], ['a deposit is not credited']],
  ])('a payment and %s is told', (_name, deposits, expected) => {
    expect(whats(judgeDeposits(told({ movements, deposits })))).toEqual(expected)
  })

  test('what the house moves itself is no deposit', () => {
    expect(judgeDeposits(told({ movements: [moved(GAS, USER, 5n)] }))).toEqual([])
  })
})

describe('withdrawals', () => {
  const paid = moved(SETTLEMENT, PAYEE, 7n, 'p')

  test('what was completed is paid once', () => {
    const given = { movements: [paid], wanted: [wanted()], withdrawals: [row('Completed')] }
    expect(judgeWithdrawals(told(given))).toEqual([])
  })

  test.each([
    ['not paid', [], 'Completed', 'a withdrawal is not paid'],
    ['paid twice', [paid, paid], 'Completed', 'a withdrawal is paid twice'],
    ['paid otherwise', [{ ...paid, amount: 8n }], 'Completed', 'a wrong amount is paid'],
    ['failed and paid', [paid], 'Failed', 'paid, and it has failed'],
    ['failed', [], 'Failed', 'a withdrawal failed'],
    ['under way', [], 'Processing', 'a withdrawal has not ended'],
  ])('one that is %s is told', (_name, movements, status, what) => {
    const given = { movements, wanted: [wanted()], withdrawals: [row(status)] }
    expect(whats(judgeWithdrawals(told(given)))).toEqual([what])
  })

  test('one that failed since a reorg took its coins is right, and no other that failed', () => {
    const movements = [moved(OUTSIDE, SETTLEMENT, 7n, 'stands')]
    const judge = (failureCode: string, coins: string[]) => {
      const withdrawals = [row('Failed', { failureCode, coins })]
      return whats(judgeWithdrawals(told({ movements, wanted: [wanted()], withdrawals })))
    }
    expect(judge('DISPLACED', ['stands', 'gone'])).toEqual([])
    expect(judge('DISPLACED', ['stands'])).toEqual(['a withdrawal failed'])
    expect(judge('REVERTED', ['gone'])).toEqual(['a withdrawal failed'])
  })

  test('one that was acknowledged and is gone is told, and so is one nobody answered', () => {
    expect(whats(judgeWithdrawals(told({ wanted: [wanted()] })))).toEqual([
      'an acknowledged withdrawal is lost',
    ])
    expect(whats(judgeWithdrawals(told({ wanted: [wanted(null)] })))).toEqual([
      'a withdrawal was never answered',
    ])
  })

  test('money that went to anybody else is told', () => {
    expect(whats(judgeWithdrawals(told({ movements: [moved(USER, OUTSIDE, 1n)] })))).toEqual([
      'money went to somebody nobody named',
    ])
  })
})

test('claims are what came in from outside less what went out, gas left aside', () => {
  const movements = [
    moved(OUTSIDE, USER, 9n),
    moved(OUTSIDE, SETTLEMENT, 4n),
    moved(OUTSIDE, GAS, 100n),
    moved(USER, SETTLEMENT, 9n),
    moved(SETTLEMENT, PAYEE, 3n),
  ]
  const claim = (amount: string) => [{ tokenId: COIN, account: 'claim:available', amount }]
  expect(judgeClaims(told({ movements }), claim('10'))).toEqual([])
  expect(whats(judgeClaims(told({ movements }), claim('11')))).toEqual([
    'claims are not what moved',
  ])
})
