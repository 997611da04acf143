import { describe, expect, test } from 'vitest'
import { Refused } from './base.ts'
import { check, type Checking } from './check.ts'
import type { Action, Decoded, Slot } from './decode/decoded.ts'
import { History } from './history.ts'
import type { KeyPath, SigningRequest, WithdrawalFields } from './request.ts'

const EVM = 'eip155:11155111'
const TRON = 'tron:2494448814'
const BITCOIN = 'bip122:000000000933ea01ad0ee984209779ba'
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'
const MAX_FEE = 1_000n

const key = (namespace: KeyPath['namespace'], wallet: number, index = 0): KeyPath => ({
  namespace,
  isTestnet: true,
  wallet,
  branch: 0,
  index,
})
/** Any text serves as an address, if each key has its own. */
const addressAt = ({ wallet, index }: KeyPath) => `own-${wallet}-${index}`

const WITHDRAWAL: WithdrawalFields = {
  orgId: 'org',
  id: 'one',
  chainId: EVM,
  tokenId: `${EVM}/slip44:60`,
  amount: '1000',
  recipient: RECIPIENT,
  memo: null,
  reference: 'r-1',
  createdAt: '2026-01-31T09:30:00.000Z',
}
const PAID: Action = { kind: 'payment', contract: null, to: RECIPIENT, amount: 1_000n, memo: null }

interface Case {
  request?: Partial<SigningRequest>
  withdrawals?: readonly Partial<WithdrawalFields>[]
  decoded?: Partial<Decoded>
  history?: History
  now?: number
}

function ask({ request = {}, withdrawals = [{}], decoded = {}, history, now = 0 }: Case = {}) {
  const known = history ?? new History()
  const asked: SigningRequest = {
    orgId: 'org',
    chainId: EVM,
    payment: {
      kind: 'withdrawals',
      withdrawals: withdrawals.map((one) => ({ ...WITHDRAWAL, ...one })),
    },
    from: key('eip155', 1),
    body: Uint8Array.of(1),
    ...request,
  }
  const checking: Checking = {
    decoded: {
      chainId: EVM,
      from: null,
      action: PAID,
      slot: {
        kind: 'nonce',
        nonce: 7,
      },
      maxFee: MAX_FEE,
      ...decoded,
    },
    history: known,
    addressAt,
    withoutPolicy: 'open',
    maxFee: MAX_FEE,
    now,
  }
  const entry = check(asked, checking)
  known.apply(entry)
  return entry
}

function refusalOf(one: Case): string {
  try {
    ask(one)
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
  return 'signed'
}

const inward = (to: KeyPath | null, id = 'sweep') => ({ kind: 'inward', id, to }) as const
const outputs = (...all: [address: string, amount: bigint][]): Action => ({
  kind: 'outputs',
  outputs: all.map(([address, amount]) => ({ address, amount })),
})
const onBitcoin = (more: Case): Case => ({
  ...more,
  request: { chainId: BITCOIN, from: key('bip122', 2), ...more.request },
  withdrawals: (more.withdrawals ?? [{}]).map((one) => ({
    chainId: BITCOIN,
    tokenId: `${BITCOIN}/slip44:1`,
    recipient: 'tb1qbob',
    ...one,
  })),
  decoded: { chainId: null, slot: { kind: 'inputs', outpoints: ['a:0', 'b:1'] }, ...more.decoded },
})
const onTron = (expiresAt: number, more: Case = {}): Case => ({
  ...more,
  request: { chainId: TRON, from: key('tron', 3), ...more.request },
  withdrawals: [{ chainId: TRON, tokenId: `${TRON}/slip44:195`, recipient: 'TBob' }],
  decoded: {
    chainId: null,
    from: 'own-3-0',
    action: {
      ...PAID,
      to: 'TBob',
    },
    slot: {
      kind: 'window',
      expiresAt,
    },
    ...more.decoded,
  },
})

describe('a withdrawal', () => {
  test('is signed if the transaction pays exactly it, and leaves its slot and wallet', () => {
    expect(ask()).toMatchObject({
      wallets: [[1, 'org']],
      slots: [{ chainId: EVM, slot: { kind: 'nonce', nonce: 7 }, signed: 1 }],
    })
  })

  test.each<[string, Case, string]>([
    ['another recipient', { decoded: { action: { ...PAID, to: TOKEN } } }, 'other-payment'],
    ['another amount', { decoded: { action: { ...PAID, amount: 999n } } }, 'other-payment'],
    ['a token instead', { decoded: { action: { ...PAID, contract: TOKEN } } }, 'other-payment'],
    ['another action', { decoded: { action: { kind: 'tickets', count: 1 } } }, 'other-payment'],
    ['another chain in the bytes', { decoded: { chainId: 'eip155:1' } }, 'other-payment'],
    ['another sender in the bytes', { decoded: { from: 'own-9-9' } }, 'other-sender'],
    ['a fee above the cap', { decoded: { maxFee: MAX_FEE + 1n } }, 'fee-too-high'],
    ['a key of another family', { request: { from: key('tron', 1) } }, 'malformed'],
    ['no withdrawal', { withdrawals: [] }, 'malformed'],
    ['two withdrawals at once', { withdrawals: [{}, { id: 'two' }] }, 'other-payment'],
    ['another organization', { withdrawals: [{ orgId: 'other' }] }, 'other-payment'],
    ['a withdrawal of another chain', { withdrawals: [{ chainId: 'eip155:1' }] }, 'other-payment'],
    ['an amount of 0', { withdrawals: [{ amount: '0' }] }, 'malformed'],
    ['a token of another chain', { withdrawals: [{ tokenId: 'eip155:1/slip44:60' }] }, 'malformed'],
  ])('is refused with %s', (_what, one, code) => {
    expect(refusalOf(one)).toBe(code)
  })

  test('of a token names its contract, in any case', () => {
    const withdrawals = [{ tokenId: `${EVM}/erc20:${TOKEN}` }]
    const contract = TOKEN.toLowerCase()
    expect(refusalOf({ withdrawals, decoded: { action: { ...PAID, contract } } })).toBe('signed')
    const other = { ...PAID, contract: RECIPIENT }
    expect(refusalOf({ withdrawals, decoded: { action: other } })).toBe('other-payment')
    expect(refusalOf({ withdrawals })).toBe('other-payment')
  })

  test('has its memo in the bytes on chains with memos', () => {
    const action = { ...PAID, to: 'TBob', memo: '12' }
    expect(refusalOf(onTron(5, { decoded: { action } }))).toBe('other-payment')
  })

  test('is paid from a wallet of its organization alone', () => {
    const history = new History()
    history.apply({ at: 0, wallets: [[1, 'other']], slots: [] })
    expect(refusalOf({ history })).toBe('other-organization')
  })
})

describe('a withdrawal that was signed', () => {
  const second = (decoded: Partial<Decoded>, request: Partial<SigningRequest> = {}): Case => ({
    request: { body: Uint8Array.of(2), ...request },
    decoded,
  })
  const nonce = (number: number): Slot => ({ kind: 'nonce', nonce: number })

  test.each<[string, Case, string]>([
    ['under the same nonce', second({}), 'signed'],
    ['under another nonce', second({ slot: nonce(8) }), 'signed-elsewhere'],
    ['under a ticket', second({ slot: { kind: 'ticket', ticket: 7 } }), 'signed-elsewhere'],
    ['for another sender', second({}, { from: key('eip155', 4) }), 'signed-elsewhere'],
    ['for another index', second({}, { from: key('eip155', 1, 1) }), 'signed-elsewhere'],
  ])('%s again is decided by the slot', (_what, one, code) => {
    const history = new History()
    ask({ history })
    expect(refusalOf({ ...one, history })).toBe(code)
  })

  test('is signed again with the same bytes, which adds nothing', () => {
    const history = new History()
    ask({ history })
    expect(ask({ history })).toMatchObject({ wallets: [], slots: [] })
  })

  test('does not keep another withdrawal from its nonce', () => {
    const history = new History()
    ask({ history })
    expect(refusalOf({ ...second({}), history, withdrawals: [{ id: 'two' }] })).toBe('signed')
  })

  test('needs an output on Bitcoin that all its transactions spend', () => {
    const history = new History()
    const pay = (at: number, ...outpoints: string[]) => {
      const action = outputs(['tb1qbob', 1_000n])
      const decoded = { action, slot: { kind: 'inputs', outpoints } as const }
      const request = { chainId: BITCOIN, from: key('bip122', 2), body: Uint8Array.of(at) }
      return refusalOf({ ...onBitcoin({ decoded, request }), history })
    }
    expect([pay(1, 'a:0', 'b:1'), pay(2, 'b:1', 'c:2'), pay(3, 'c:2', 'a:0')]).toEqual([
      'signed',
      'signed',
      'signed-elsewhere',
    ])
    expect([pay(4, 'b:1'), pay(5, 'd:3')]).toEqual(['signed', 'signed-elsewhere'])
  })

  test('is signed again on TRON after its window, four times at most', () => {
    const history = new History()
    const pay = (at: number, now: number, expiresAt: number) =>
      refusalOf({ ...onTron(expiresAt, { request: { body: Uint8Array.of(at) } }), history, now })
    expect([pay(1, 0, 10), pay(2, 10, 20)]).toEqual(['signed', 'not-expired'])
    expect([pay(2, 11, 20), pay(3, 21, 30), pay(4, 31, 40)]).toEqual(['signed', 'signed', 'signed'])
    expect(pay(5, 41, 50)).toBe('signed-too-often')
  })
})

describe('a transaction of several withdrawals', () => {
  const two = [{}, { id: 'two', recipient: 'tb1qcid', amount: '5' }]
  test.each<[string, Action, string]>([
    ['all in any order', outputs(['tb1qcid', 5n], ['tb1qbob', 1_000n]), 'signed'],
    ['with change', outputs(['tb1qbob', 1_000n], ['tb1qcid', 5n], ['own-2-0', 9n]), 'signed'],
    ['one short', outputs(['tb1qbob', 1_000n]), 'other-payment'],
    ['one twice', outputs(['tb1qbob', 1_000n], ['tb1qbob', 1_000n]), 'other-payment'],
    [
      'change to another',
      outputs(['tb1qbob', 1_000n], ['tb1qcid', 5n], ['x', 9n]),
      'other-payment',
    ],
    [
      'change twice',
      outputs(['tb1qbob', 1_000n], ['tb1qcid', 5n], ['own-2-0', 9n], ['own-2-0', 9n]),
      'other-payment',
    ],
  ])('pays %s', (_what, action, code) => {
    expect(refusalOf(onBitcoin({ withdrawals: two, decoded: { action } }))).toBe(code)
  })

  test('counts each withdrawal once', () => {
    const action = outputs(['tb1qbob', 1_000n], ['tb1qbob', 1_000n])
    expect(refusalOf(onBitcoin({ withdrawals: [{}, {}], decoded: { action } }))).toBe('malformed')
  })
})

describe('an inward payment', () => {
  const to = key('eip155', 1, 3)
  const paid = { ...PAID, to: addressAt(to) }
  test.each<[string, Case, string]>([
    [
      'to the named own address',
      { request: { payment: inward(to) }, decoded: { action: paid } },
      'signed',
    ],
    ['to another address', { request: { payment: inward(to) } }, 'not-own-address'],
    [
      'to another own address',
      { request: { payment: inward(key('eip155', 1, 4)) }, decoded: { action: paid } },
      'not-own-address',
    ],
    [
      'with a memo',
      { request: { payment: inward(to) }, decoded: { action: { ...paid, memo: '1' } } },
      'not-own-address',
    ],
    [
      'of tickets',
      { request: { payment: inward(null) }, decoded: { action: { kind: 'tickets', count: 3 } } },
      'signed',
    ],
    [
      'of tickets for another',
      { request: { payment: inward(to) }, decoded: { action: { kind: 'tickets', count: 3 } } },
      'not-own-address',
    ],
    [
      'of energy to another address',
      {
        request: { payment: inward(to) },
        decoded: { action: { kind: 'delegation', act: 'lend', to: 'x', stake: 1n } },
      },
      'not-own-address',
    ],
  ])('%s is decided', (_what, one, code) => {
    expect(refusalOf(one)).toBe(code)
  })

  test('of Bitcoin returns everything to the sender', () => {
    const payment = inward(null)
    const own = { action: outputs(['own-2-0', 7n]) }
    expect(refusalOf(onBitcoin({ request: { payment }, decoded: own }))).toBe('signed')
    const other = { action: outputs(['own-2-0', 7n], ['x', 1n]) }
    expect(refusalOf(onBitcoin({ request: { payment }, decoded: other }))).toBe('not-own-address')
  })

  test('to the wallet of another organization is refused', () => {
    const history = new History()
    history.apply({ at: 0, wallets: [[8, 'other']], slots: [] })
    const foreign = key('eip155', 8)
    const action = { ...PAID, to: addressAt(foreign) }
    const one = { history, request: { payment: inward(foreign) }, decoded: { action } }
    expect(refusalOf(one)).toBe('other-organization')
  })

  test('has one slot, as a withdrawal', () => {
    const history = new History()
    const sweep = (nonce: number, at: number) =>
      refusalOf({
        history,
        request: { payment: inward(to), body: Uint8Array.of(at) },
        decoded: { action: paid, slot: { kind: 'nonce', nonce } },
      })
    expect([sweep(1, 1), sweep(1, 2), sweep(2, 3)]).toEqual([
      'signed',
      'signed',
      'signed-elsewhere',
    ])
  })
})
