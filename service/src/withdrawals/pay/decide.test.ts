import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ETHER, ETHEREUM, toChainId, toTokenId } from '../../../test/support/door.ts'
import { stranger } from '../../../test/support/spend-harness.ts'
import type { WaitingFor, Withdrawal } from '../withdrawal.ts'
import { type AnswerCode, answerOf, type Decision, decide, type Facts } from './decide.ts'

const NOW = 1_000_000
const GAS_WAIT_MS = 60_000
const [FROM, TO] = [stranger(1), stranger(2)]
const TOGETHER = ['gas', 'fee', 'funds'] as const
const VOIDED = [{ id: 'a', userId: 'ann', cause: 'the approval is too old' }]

const WITHDRAWAL: Withdrawal = {
  orgId: 'org',
  id: 'withdrawal',
  chainId: toChainId(ETHEREUM),
  tokenId: toTokenId(ETHER),
  amount: 60n,
  recipient: TO,
  memo: null,
  reference: 'reference',
  internalNote: null,
  externalUserId: null,
  requiredApprovals: 1,
  requiredHumans: 0,
  initiator: 'ann',
  createdAt: 0,
  status: 'Pending',
  mac: new Uint8Array(32),
  approvers: ['ann'],
  spendId: null,
  txnHash: null,
  txnError: null,
  failureCode: null,
  fee: null,
  waitingFor: null,
  waitingSince: null,
  completedAt: null,
  updatedAt: 0,
}

const GOOD: Facts = {
  withdrawal: WITHDRAWAL,
  now: NOW,
  gasWaitMs: GAS_WAIT_MS,
  isTokenStopped: false,
  approvals: { tampered: null, isEnough: true, wasEnough: true, voided: [] },
  forgery: null,
  available: 0n,
  payer: { address: FROM, isHalted: false },
  hasGasWallet: true,
  mayReceive: true,
  isGasGone: false,
  isRefused: false,
}

/** Each answer: the decision at first, and once it has waited as long as it may. */
const ANSWERS: Record<AnswerCode, [first: Decision, late: Decision]> = {
  INSUFFICIENT_GAS: gas(),
  NO_GAS_FOR_ESTIMATE: gas(),
  'short-of-gas': gas(),
  FEE_TOO_HIGH: fee(),
  'too-dear': fee(),
  INSUFFICIENT_BALANCE: funds(),
  'short-of-native': funds(),
  'short-of-token': funds(),
  RECIPIENT_REFUSES: always({ act: 'fail', code: 'RECIPIENT_REFUSES', says: 'as the node says' }),
  'loan-pending': always({ act: 'wait', waitingFor: 'confirmations' }),
  refused: always({
    act: 'wait',
    waitingFor: 'operator',
    alert: 'refused',
    says: 'as the node says',
  }),
  'signed-before': always({ act: 'wait', waitingFor: 'confirmations' }),
  busy: always({ act: 'wait-together', waitingFor: 'confirmations', spared: TOGETHER }),
  halted: always({ act: 'wait-together', waitingFor: 'operator', spared: [] }),
  frozen: always({ act: 'stop' }),
  declined: always({ act: 'skip' }),
}
const CODES = Object.keys(ANSWERS) as AnswerCode[]
const OF_ALL: readonly AnswerCode[] = ['busy', 'halted', 'frozen', 'declined']

test.each(CODES)('%s leads to its outcome, and to a failure only after the wait', (code) => {
  const [first, late] = ANSWERS[code]
  const answer = { code, says: 'as the node says' }
  const waitingFor = 'waitingFor' in first ? first.waitingFor : null
  expect(decide(GOOD, answer)).toEqual(first)
  expect(decide(waited(waitingFor, GAS_WAIT_MS - 1), answer)).toEqual(first)
  expect(decide(waited(waitingFor, GAS_WAIT_MS), answer)).toEqual(late)
  // The time that it waited for something else does not count.
  expect(decide(waited('chain', GAS_WAIT_MS), answer)).toEqual(first)
})

test('a withdrawal fails for missing funds if no funds can arrive [B06, X13]', () => {
  const facts = { ...waited('funds', GAS_WAIT_MS), mayReceive: false }
  const code = 'INSUFFICIENT_BALANCE'
  expect(decide(facts, { code })).toEqual({ act: 'fail', code })
})

test('a withdrawal that the signer refused waits for the operator until it is signed', () => {
  const facts = waited('operator', 0)
  expect(decide(facts, null)).toMatchObject({ act: 'pay', isResumed: true })
  expect(decide({ ...facts, isRefused: true }, null)).toMatchObject({
    act: 'pay',
    isResumed: false,
  })
})

test('the answer of the signer names its code, and a window that is open is no refusal', () => {
  const refused = { outcome: 'refused', says: 'The fee exceeds 5.' } as const
  const [high, open] = [
    answerOf({ ...refused, code: 'fee-too-high' }),
    answerOf({ ...refused, code: 'not-expired' }),
  ]
  expect(high).toEqual({ code: 'refused', says: 'fee-too-high. The fee exceeds 5.' })
  expect(open).toEqual({ code: 'signed-before' })
})

/** Each state of the records, most severe first, and the decision before nodes are queried. */
const STATES: [name: string, changes: Partial<Facts>, decision: Decision][] = [
  ['of a stopped token', { isTokenStopped: true }, { act: 'wait', waitingFor: 'operator' }],
  [
    'with changed records',
    { approvals: { ...GOOD.approvals, tampered: 'changed' } },
    { act: 'report', cause: 'changed' },
  ],
  [
    'without an approval',
    { approvals: { ...GOOD.approvals, isEnough: false, wasEnough: false } },
    { act: 'report', cause: 'it was never approved by as many as it needs' },
  ],
  ['signed before', { forgery: 'signed' }, { act: 'report', cause: 'signed' }],
  [
    'with void approvals',
    { approvals: { ...GOOD.approvals, isEnough: false, voided: VOIDED } },
    { act: 'recall', voided: VOIDED },
  ],
  ['of an organization that owes', { available: -1n }, { act: 'wait', waitingFor: 'funds' }],
  ['without a settlement account', { payer: null }, { act: 'skip' }],
  [
    'with a halted sender',
    { payer: { address: FROM, isHalted: true } },
    { act: 'wait', waitingFor: 'operator' },
  ],
]

test.each(STATES)(
  'a withdrawal %s is not paid after any answer of the nodes',
  (_, changes, expected) => {
    const facts = { ...GOOD, ...changes }
    expect(decide(facts, null)).toEqual(expected)
    for (const code of CODES)
      expect(decide(facts, { code })).toEqual(OF_ALL.includes(code) ? ANSWERS[code][0] : expected)
  },
)

test.each(STATES.map(([name], at) => [name, at] as const))(
  'a withdrawal %s is decided before the states below',
  (_, at) => {
    // Of the approvals the later states change other fields: merged, the earlier cause remains.
    const [, , expected] = STATES[at] ?? []
    const below = STATES.slice(at).toReversed()
    const facts = Object.assign({}, GOOD, ...below.map(([, changes]) => changes))
    expect(decide(facts, null)).toEqual(expected)
  },
)

test('an organization that owes raises an alert once its withdrawal has waited', () => {
  const facts = { ...waited('funds', GAS_WAIT_MS), available: -1n }
  expect(decide(facts, null)).toEqual({ act: 'wait', waitingFor: 'funds', alert: 'owed' })
})

test('a withdrawal is spared when another found no gas, until it has waited itself [W20]', () => {
  const spared = { act: 'wait', waitingFor: 'gas', alert: 'gas-short' }
  const facts = { ...GOOD, isGasGone: true }
  expect(decide(facts, null)).toEqual(spared)
  expect(decide({ ...waited('fee', GAS_WAIT_MS), isGasGone: true }, null)).toEqual(spared)
  expect(decide({ ...waited('gas', GAS_WAIT_MS), isGasGone: true }, null).act).toBe('pay')
})

test('a withdrawal that waited for an operator is resumed', () => {
  expect(decide(GOOD, null)).toMatchObject({ act: 'pay', isResumed: false })
  expect(decide(waited('operator', 0), null)).toMatchObject({ act: 'pay', isResumed: true })
})

test('only an approved, authentic and covered withdrawal is paid or failed [A13, A19]', () => {
  fc.assert(
    fc.property(someFacts(), fc.option(fc.constantFrom(...CODES)), (facts, code) => {
      const decision = decide(facts, code === null ? null : { code })
      if (decision.act !== 'pay' && decision.act !== 'fail') return
      expect(facts).toMatchObject({ isTokenStopped: false, forgery: null })
      expect(facts?.approvals).toMatchObject({ tampered: null, isEnough: true, wasEnough: true })
      expect(facts?.available).toBeGreaterThanOrEqual(0n)
      expect(facts?.payer).toMatchObject({ isHalted: false })
      expect(decision.act === 'pay').toBe(code === null)
      if (decision.act !== 'pay') return
      const { chainId, tokenId, amount, memo } = WITHDRAWAL
      expect(decision.intent).toEqual({ chainId, tokenId, from: FROM, to: TO, amount, memo })
    }),
    { numRuns: 2_000 },
  )
})

function someFacts(): fc.Arbitrary<Facts | null> {
  const waits: (WaitingFor | null)[] = [null, 'gas', 'fee', 'funds', 'chain', 'operator']
  const facts = fc.record({
    withdrawal: fc
      .record({ waitingFor: fc.constantFrom(...waits), waitedMs: fc.nat(2 * GAS_WAIT_MS) })
      .map(({ waitingFor, waitedMs }) => waited(waitingFor, waitedMs).withdrawal),
    now: fc.constant(NOW),
    gasWaitMs: fc.constantFrom(0, GAS_WAIT_MS),
    isTokenStopped: rarely(true, false),
    approvals: fc.record({
      tampered: rarely('changed', null),
      isEnough: rarely(false, true),
      wasEnough: rarely(false, true),
      voided: fc.constant(VOIDED),
    }),
    forgery: rarely('signed', null),
    available: rarely(-1n, 0n),
    payer: rarely(null, { address: FROM, isHalted: false }).chain((payer) =>
      rarely(payer && { ...payer, isHalted: true }, payer),
    ),
    hasGasWallet: fc.boolean(),
    mayReceive: fc.boolean(),
    isGasGone: fc.boolean(),
    isRefused: fc.boolean(),
  })
  return fc.option(facts, { freq: 20 })
}

function rarely<A, B>(rare: A, usual: B): fc.Arbitrary<A | B> {
  return fc.nat(9).map((drawn) => (drawn === 0 ? rare : usual))
}

function waited(waitingFor: WaitingFor | null, ms: number): Facts {
  const waitingSince = waitingFor === null ? null : NOW - ms
  return { ...GOOD, withdrawal: { ...WITHDRAWAL, waitingFor, waitingSince } }
}

function always(decision: Decision): [Decision, Decision] {
  return [decision, decision]
}

function gas(): [Decision, Decision] {
  const alert = 'gas-short'
  return [
    { act: 'wait', waitingFor: 'gas', alert },
    { act: 'fail', code: 'INSUFFICIENT_GAS', alert },
  ]
}

function fee(): [Decision, Decision] {
  return [
    { act: 'wait', waitingFor: 'fee' },
    { act: 'fail', code: 'FEE_TOO_HIGH' },
  ]
}

function funds(): [Decision, Decision] {
  return [
    { act: 'wait', waitingFor: 'funds' },
    { act: 'wait', waitingFor: 'funds', alert: 'unfunded' },
  ]
}
