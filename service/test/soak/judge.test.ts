import { describe, expect, test } from 'vitest'
import type { Movement } from './chains/chain.ts'
import {
  judgeDeposits,
  judgeElsewhere,
  judgeReleased,
  judgeWithdrawals,
  type Told,
} from './judge.ts'
import { judgeClaims } from './judge-claims.ts'
import { judgeShown } from './judge-shown.ts'
import { groupSigned } from './ledger.ts'

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
  signed: [],
  ...more,
})

const told = (more: Partial<Told>): Told => ({
  chain: { id: 'eip155:1', family: 'evm', tokens: [COIN] } as unknown as Told['chain'],
  movements: [],
  addresses: [{ chainId: 'eip155:1', userId: 'ann', address: USER, tag: null }],
  wanted: [],
  withdraws: true,
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

  test('a payment and its credit match in any letter case of the address', () => {
    const deposits = [credited('5', { address: '0xAA' })]
    expect(judgeDeposits(told({ movements, deposits }))).toEqual([])
  })

  test.each([
    ['none', [], ['a deposit is lost']],
    ['two', [credited('5'), credited('5')], ['a deposit without a payment']],
    ['another amount', [credited('6')], ['a deposit is lost', 'a deposit without a payment']],
    ['one that waits', [credited('5', { status: 'Detected' })], ['a deposit is not credited']],
  ])('a payment and %s are reported', (_name, deposits, expected) => {
    expect(whats(judgeDeposits(told({ movements, deposits })))).toEqual(expected)
  })

  test('a deposit credited to the wrong user is reported', () => {
    const deposits = [credited('5', { userId: 'bob' })]
    expect(whats(judgeDeposits(told({ movements, deposits })))).toEqual([
      'a deposit is credited to another user',
    ])
  })

  test('an address of two users is reported, and a repeated one of one user is not', () => {
    const issued = (userId: string) => ({ chainId: 'eip155:1', userId, address: '0xAA', tag: null })
    const judge = (...users: string[]) => {
      const addresses = [issued('ann'), ...users.map(issued)]
      return whats(judgeDeposits(told({ movements, deposits: [credited('5')], addresses })))
    }
    expect(judge('ann')).toEqual([])
    expect(judge('bob')).toEqual(['two users were given one address'])
  })

  test('a deposit held for a doubt and released is reported', () => {
    expect(judgeReleased([])).toEqual([])
    expect(judgeReleased([{ what: 'deposit', cause: 'the token is suspended' }])).toEqual([
      { what: 'money was held for a doubt', details: 'deposit: the token is suspended' },
    ])
  })

  test('transfers between own addresses are not deposits', () => {
    expect(judgeDeposits(told({ movements: [moved(GAS, USER, 5n)] }))).toEqual([])
  })
})

describe('withdrawals', () => {
  const paid = moved(SETTLEMENT, PAYEE, 7n, 'p')

  test('a completed withdrawal is paid once', () => {
    const facts = { movements: [paid], wanted: [wanted()], withdrawals: [row('Completed')] }
    expect(judgeWithdrawals(told(facts))).toEqual([])
  })

  test.each([
    ['not paid', [], 'Completed', 'a withdrawal is not paid'],
    ['paid twice', [paid, paid], 'Completed', 'a withdrawal is paid twice'],
    ['paid otherwise', [{ ...paid, amount: 8n }], 'Completed', 'a wrong amount is paid'],
    ['failed and paid', [paid], 'Failed', 'paid, and it has failed'],
    ['failed', [], 'Failed', 'a withdrawal failed'],
    ['under way', [], 'Processing', 'a withdrawal has not ended'],
  ])('a withdrawal that is %s is reported', (_name, movements, status, what) => {
    const facts = { movements, wanted: [wanted()], withdrawals: [row(status)] }
    expect(whats(judgeWithdrawals(told(facts)))).toEqual([what])
  })

  describe('a withdrawal that failed because a reorg removed its inputs', () => {
    const movements = [moved(OUTSIDE, SETTLEMENT, 7n, 'stands')]
    const judge = (failureCode: string, ...signed: string[][]) => {
      const withdrawals = [row('Failed', { failureCode, signed })]
      return whats(judgeWithdrawals(told({ movements, wanted: [wanted()], withdrawals })))
    }

    test('has its inputs by transaction, empty for a transaction without inputs', () => {
      const rows = [
        { id: 'w', txnHash: 'p', coin: 'stands' },
        { id: 'v', txnHash: 'r', coin: null },
        { id: 'w', txnHash: 'q', coin: 'gone' },
        { id: 'w', txnHash: 'p', coin: 'gone' },
      ]
      const found = [...groupSigned(rows)].map(([id, by]) => [id, [...by.values()]])
      expect(found).toEqual([
        ['w', [['stands', 'gone'], ['gone']]],
        ['v', [[]]],
      ])
    })

    test('is correct when each transaction signed for it lost an input', () => {
      expect(judge('DISPLACED', ['stands', 'gone'])).toEqual([])
      expect(judge('DISPLACED', ['stands', 'gone'], ['gone'])).toEqual([])
    })

    test.each([
      ['no transaction was signed', 'DISPLACED', []],
      ['all coins stand', 'DISPLACED', [['stands']]],
      ['one transaction can still be mined', 'DISPLACED', [['gone'], ['stands']]],
      ['one transaction spends no coins', 'DISPLACED', [['gone'], []]],
      ['it is said to have failed otherwise', 'REVERTED', [['gone']]],
    ])('is reported when %s', (_name, failureCode, signed) => {
      expect(judge(failureCode, ...signed)).toEqual(['a withdrawal failed'])
    })
  })

  test('a row without a request is reported in any status', () => {
    for (const status of ['Completed', 'Cancelled', 'Pending']) {
      const withdrawals = [row('Completed'), row(status, { reference: 'two' })]
      const facts = { movements: [paid], wanted: [wanted()], withdrawals }
      expect(whats(judgeWithdrawals(told(facts)))).toEqual(['a withdrawal without a request'])
    }
  })

  test('a second row of one reference is reported', () => {
    const withdrawals = [row('Failed'), row('Completed')]
    const facts = { movements: [paid], wanted: [wanted()], withdrawals }
    expect(whats(judgeWithdrawals(told(facts)))).toEqual(['a reference has two withdrawals'])
  })

  test('a refused request with a row is reported', () => {
    const facts = { wanted: [wanted(400)], withdrawals: [row('Cancelled')] }
    expect(whats(judgeWithdrawals(told(facts)))).toEqual(['a refusal made a row'])
  })

  test('a missing row of an acknowledged or unanswered request is reported', () => {
    expect(whats(judgeWithdrawals(told({ wanted: [wanted()] })))).toEqual([
      'an acknowledged withdrawal is lost',
    ])
    expect(whats(judgeWithdrawals(told({ wanted: [wanted(null)] })))).toEqual([
      'a withdrawal was never answered',
    ])
  })

  test('a payment to an unknown recipient is reported', () => {
    expect(whats(judgeWithdrawals(told({ movements: [moved(USER, OUTSIDE, 1n)] })))).toEqual([
      'a payment to an unknown recipient',
    ])
  })
})

test('a row of a chain outside of the run is reported', () => {
  const chains = [{ id: 'eip155:1' }]
  expect(judgeElsewhere(chains, [credited('5'), row('Completed')])).toEqual([])
  expect(whats(judgeElsewhere(chains, [row('Cancelled', { chainId: 'eip155:2' })]))).toEqual([
    'a row of an unknown chain',
  ])
})

describe('claims', () => {
  const claim = (account: string, amount: string, tokenId = COIN) => ({ tokenId, account, amount })

  test('equal incoming less outgoing amounts, without gas', () => {
    const movements = [
      moved(OUTSIDE, USER, 9n),
      moved(OUTSIDE, SETTLEMENT, 4n),
      moved(OUTSIDE, GAS, 100n),
      moved(USER, SETTLEMENT, 9n),
      moved(SETTLEMENT, PAYEE, 3n),
    ]
    const judge = (amount: string) =>
      whats(judgeClaims(told({ movements }), [claim('claim:available', amount)]))
    expect(judge('10')).toEqual([])
    expect(judge('11')).toEqual(['claims are not what moved'])
  })

  const movements = [moved(OUTSIDE, USER, 9n)]
  const stuck = ['unconfirmed', 'reserved', 'below_minimum', 'held', 'unattributed']

  test.each(stuck)('an amount that is %s in the end is reported despite the right sum', (name) => {
    const claims = [claim('claim:available', '2'), claim(`claim:${name}`, '7')]
    expect(judgeClaims(told({ movements }), claims)).toEqual([
      { what: 'money is left under way', details: `${COIN} claim:${name}: 7` },
    ])
  })

  test('amounts in open work do not cover missing available', () => {
    const claims = [
      claim('claim:available', '9'),
      claim('claim:reserved', '7'),
      claim('claim:unconfirmed', '-7'),
    ]
    expect(whats(judgeClaims(told({ movements }), claims))).toEqual([
      'money is left under way',
      'money is left under way',
    ])
  })

  test('empty accounts and a gas balance are correct', () => {
    const claims = [claim('claim:available', '9'), claim('claim:gas', '5')]
    const empty = stuck.map((name) => claim(`claim:${name}`, '0'))
    expect(judgeClaims(told({ movements }), [...claims, ...empty])).toEqual([])
  })

  test('no open amount remains when fees are paid from available', () => {
    const chain = { id: 'xrpl:0', family: 'xrpl', tokens: [] } as unknown as Told['chain']
    const claims = [claim('claim:reserved', '7', 'xrpl:0/slip44:144'), claim('claim:held', '7')]
    expect(judgeClaims(told({ chain }), claims)).toEqual([
      { what: 'money is left under way', details: 'xrpl:0/slip44:144 claim:reserved: 7' },
    ])
  })

  test('a token without movements has no claims', () => {
    const claims = [
      claim('claim:available', '9'),
      claim('claim:available', '1', 'eip155:1/erc20:0'),
    ]
    expect(judgeClaims(told({ movements }), claims)).toEqual([
      { what: 'claims are not what moved', details: 'eip155:1/erc20:0: 1, not 0' },
    ])
  })
})

describe('a run', () => {
  const judge = (credits: number, withdrawals: Told['withdrawals'], withdraws = true) => {
    const deposits = Array.from({ length: credits }, () => credited('5'))
    return whats(judgeShown(told({ deposits, withdrawals, withdraws })))
  }

  test('passes with a credit and a payment', () => {
    expect(judge(2, [row('Failed'), row('Completed')])).toEqual([])
  })

  test('fails with no deposit but the initial funds', () => {
    expect(judge(1, [row('Completed')])).toEqual(['no deposit was credited'])
    const deposits = [credited('5'), credited('5', { status: 'Held' })]
    const found = judgeShown(told({ deposits, withdrawals: [row('Completed')] }))
    expect(whats(found)).toEqual(['no deposit was credited'])
  })

  test('without a payment fails, except without withdrawals', () => {
    expect(judge(2, [])).toEqual(['no withdrawal was completed'])
    expect(judge(2, [row('Failed'), row('Processing')])).toEqual(['no withdrawal was completed'])
    expect(judge(2, [], false)).toEqual([])
  })
})
