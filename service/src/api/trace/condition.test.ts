import { describe, expect, test } from 'vitest'
import { depositOf } from '../../../test/support/sample-deposit.ts'
import {
  ANN,
  CHAIN,
  ETHER,
  factsOf,
  seenOf,
  STRANGER,
  TIP,
  transferOf,
} from '../../../test/support/trace-facts.ts'
import type { Condition } from '../../catalogue/chain-state.ts'
import type { Deposit } from '../../deposits/deposit.ts'
import type { TraceFacts } from './facts.ts'
import { trace } from './trace.ts'

const DUE = { height: TIP - 12, hash: '0x08' }
const AHEAD = { height: TIP + 7, hash: '0x11' }
const APART = { tokenId: ETHER, from: STRANGER, to: ANN, amount: 5n, tag: null }
const STOPPED = [
  ['frozen', 'CHAIN_FROZEN'],
  ['halted', 'CHAIN_HALTED'],
] as const

const on = (condition: Condition): Partial<TraceFacts> => {
  const { state } = factsOf()
  if (state === null) throw new Error('no state')
  return { state: { ...state, condition, cause: 'a reorg' } }
}

const tell = (facts: Partial<TraceFacts>) => trace(factsOf(facts))

/** Ann's ether, as a deposit with all its confirmations. */
function deposited(more: Partial<Deposit> = {}): Partial<TraceFacts> {
  const { to: address, amount, tokenId } = transferOf()
  const ours = { chainId: CHAIN, accountChainId: CHAIN, address, amount, tokenId }
  return {
    deposits: [depositOf({ ...ours, status: 'Detected', block: DUE, ...more })],
    seen: seenOf({ block: DUE, transfers: [transferOf()] }),
  }
}

describe.each(STOPPED)('on a %s chain', (condition, code) => {
  test.each([
    ['is due', {}],
    ['waits for confirmations', { block: { height: TIP - 1, hash: '0x0e' } }],
  ])('a payment that %s reports the condition and no time', (_name, more) => {
    const found = tell({ ...on(condition), ...deposited(more) })
    expect(found).toMatchObject({ outcome: code, payments: [{ outcome: code }] })
    const told = found.payments[0]?.steps.map((step) => step.code)
    expect(told).toEqual(['RECIPIENT_IS_USER', 'DETECTED', code])
  })

  test('a funding and a payment that is not scanned yet report the condition', () => {
    const funded = depositOf({ chainId: CHAIN, address: ANN, block: DUE })
    const funding = { ...funded, purpose: 'gas', place: 'gas', booked: 'unconfirmed' } as const
    const fundings = [{ ...funding, status: 'Detected' } as const]
    expect(tell({ ...on(condition), fundings }).outcome).toBe(code)
    const seen = seenOf({ block: AHEAD, transfers: [transferOf()] })
    expect(tell({ ...on(condition), seen }).outcome).toBe(code)
  })

  test.each([
    ['Confirmed', 'CREDITED'],
    ['Orphaned', 'ORPHANED'],
    ['Held', 'HELD'],
    ['BelowMinimum', 'BELOW_MINIMUM'],
  ] as const)('a payment that is %s keeps its own outcome: %s', (status, outcome) => {
    const found = tell({ ...on(condition), ...deposited({ status, confirmedAt: 0 }) })
    expect(found).toMatchObject({ outcome, payments: [{ outcome }] })
    expect(found.steps.map((step) => step.code)).toContain(code)
  })

  test.each([
    ['that failed', { seen: seenOf({ succeeded: false }) }, 'TRANSACTION_FAILED'],
    ['that waits', { seen: seenOf({ block: null, succeeded: null }) }, 'TRANSACTION_WAITS'],
    ['unknown to all nodes', { seen: 'unknown' }, 'TRANSACTION_NOT_FOUND'],
    ['paying no address of ours', {}, 'NOTHING_FOR_YOU'],
  ] as const)('a transaction %s has its own outcome', (_name, facts, outcome) => {
    const found = tell({ ...on(condition), ...facts })
    expect(found.outcome).toBe(outcome)
    expect(found.steps.map((step) => step.code)).toContain(code)
  })

  test('the outcome of several payments is the condition only if it stops one of them', () => {
    const credited = deposited({ status: 'Confirmed', confirmedAt: 0 })
    const seen = seenOf({ block: DUE, transfers: [transferOf()], apart: [APART] })
    expect(tell({ ...on(condition), ...credited, seen }).outcome).toBe('BLOCK_READ')
    expect(tell({ ...on(condition), ...deposited(), seen }).outcome).toBe(code)
  })
})

describe('when the nodes of the chain disagree', () => {
  const message =
    'The nodes of Ethereum disagree about its blocks: deposits are credited once they agree or ' +
    'an operator has decided.'

  test('a due payment reports CHAIN_DISPUTED [N05]', () => {
    const found = tell({ isDisputed: true, ...deposited() })
    expect(found).toMatchObject({ outcome: 'CHAIN_DISPUTED' })
    expect(found.payments[0]?.steps.at(-1)).toEqual({
      code: 'CHAIN_DISPUTED',
      message,
      details: {},
    })
  })

  test.each([
    ['waits for confirmations', deposited({ block: { height: TIP - 1, hash: '0x0e' } })],
    ['is credited', deposited({ status: 'Confirmed', confirmedAt: 0 })],
    ['is held', deposited({ status: 'Held' })],
    ['is not scanned yet', { seen: seenOf({ block: AHEAD, transfers: [transferOf()] }) }],
  ])(
    'a payment that %s keeps its own outcome, since blocks are still scanned [N05]',
    (_name, facts) => {
      const { steps, outcome } = tell({ isDisputed: true, ...facts })
      expect(outcome).toBe(tell(facts).outcome)
      expect(steps.map(({ code }) => code)).toContain('CHAIN_DISPUTED')
    },
  )

  test('a frozen chain reports CHAIN_FROZEN first', () => {
    const found = tell({ ...on('frozen'), isDisputed: true, ...deposited() })
    expect(found.outcome).toBe('CHAIN_FROZEN')
    expect(found.steps.map(({ code }) => code)).not.toContain('CHAIN_DISPUTED')
  })
})
