import { describe, expect, test } from 'vitest'
import { HOUR_MS, policyOf, signedBy, START } from '../../test/policies.ts'
import { FROM, withdrawalOf } from '../../test/requests.ts'
import { Refused } from '../base.ts'
import { check } from '../check.ts'
import type { Action, Slot } from '../decode/decoded.ts'
import { History } from '../history.ts'
import type { Payment, SigningRequest } from '../request.ts'
import type { Policy } from './policy.ts'

const TRON = 'tron:2494448814'
const BITCOIN = 'bip122:000000000933ea01ad0ee984209779ba'

function historyOf(tokenId: string): History {
  const tiers: Policy['limits'][number]['tiers'] = [
    { approvals: 2, each: '1000', hour: '2500', day: '2500' },
  ]
  const order = signedBy(policyOf({ limits: [{ orgId: 'org', tokenId, tiers }] }))
  const history = new History()
  history.apply({ at: START, wallets: [], slots: [], order: { ...order, activeAt: START } })
  return history
}

interface Case {
  history: History
  chainId: string
  payment: Payment
  action: Action
  slot: Slot
  body: number
  now?: number
}

/** `signed`, or the code of the refusal. */
function ask({ history, chainId, payment, action, slot, body, now = START }: Case): string {
  const namespace = chainId === TRON ? 'tron' : 'bip122'
  const from = { ...FROM, namespace } as const
  const request: SigningRequest = {
    orgId: 'org',
    chainId,
    payment,
    from,
    body: Uint8Array.of(body),
  }
  const decoded = { chainId: null, from: null, action, slot, maxFee: 1n }
  const facts = { withoutPolicy: 'closed', addressAt: () => 'own', maxFee: 1n } as const
  try {
    history.apply(check(request, { decoded, history, now, ...facts }))
    return 'signed'
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}

test('a new window is decided and counted as a new payment', () => {
  const tokenId = `${TRON}/slip44:195`
  const history = historyOf(tokenId)
  const fields = { chainId: TRON, tokenId, recipient: 'TBob' }
  const pay = (now: number, isApproved = true) => {
    const withdrawal = withdrawalOf(fields, isApproved ? ['ann', 'bob'] : ['ann'])
    return ask({
      history,
      chainId: TRON,
      payment: { kind: 'withdrawals', withdrawals: [withdrawal] },
      action: { kind: 'payment', contract: null, to: 'TBob', amount: 1_000n, memo: null },
      slot: { kind: 'window', expiresAt: now + 10 },
      body: now - START,
      now,
    })
  }
  expect([pay(START + 1, false), pay(START + 1), pay(START + 1, false)]).toEqual([
    'approvals-missing',
    'signed',
    'signed',
  ])
  expect([pay(START + 20, false), pay(START + 20)]).toEqual(['approvals-missing', 'signed'])
  expect(pay(START + 40)).toBe('cap-exceeded')
  expect(pay(START + 2 * HOUR_MS)).toBe('cap-exceeded')
})

describe('a transaction of several withdrawals', () => {
  const tokenId = `${BITCOIN}/slip44:1`
  const fields = { chainId: BITCOIN, tokenId, recipient: 'tb1qbob' }
  const withdrawal = (id: string, isApproved: boolean) =>
    withdrawalOf({ ...fields, id, amount: '900' }, isApproved ? ['ann', 'bob'] : [])
  const pay = (history: History, body: number, ...all: [id: string, isApproved: boolean][]) => {
    const outputs = all.map(() => ({ address: 'tb1qbob', amount: 900n }))
    const withdrawals = all.map(([id, isApproved]) => withdrawal(id, isApproved))
    return ask({
      history,
      chainId: BITCOIN,
      payment: { kind: 'withdrawals', withdrawals },
      action: { kind: 'outputs', outputs },
      slot: { kind: 'inputs', outpoints: ['a:0'] },
      body,
    })
  }
  const sum = (history: History) => history.policy.spent({ orgId: 'org', tokenId }, 9, 0)

  test('needs approvals of those that had no slot', () => {
    const history = historyOf(tokenId)
    expect(pay(history, 1, ['one', true], ['two', false])).toBe('approvals-missing')
    expect(pay(history, 1, ['one', true])).toBe('signed')
    expect(pay(history, 2, ['one', false], ['two', false])).toBe('approvals-missing')
    expect([sum(history), pay(history, 2, ['one', false], ['two', true])]).toEqual([900n, 'signed'])
    expect([sum(history), pay(history, 3, ['two', false], ['one', false])]).toEqual([
      1_800n,
      'signed',
    ])
    expect(sum(history)).toBe(1_800n)
  })

  test('is refused if they exceed a limit together', () => {
    const all = ['one', 'two', 'three'].map((id): [string, boolean] => [id, true])
    expect(pay(historyOf(tokenId), 1, ...all)).toBe('cap-exceeded')
    expect(pay(historyOf(tokenId), 1, ...all.slice(1))).toBe('signed')
  })
})
