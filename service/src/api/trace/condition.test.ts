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

/** Ann's ether, as a deposit that is waited for no longer. */
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
  ])('what %s is kept by that, and nobody is told a time', (_name, more) => {
    const found = tell({ ...on(condition), ...deposited(more) })
    expect(found).toMatchObject({ outcome: code, payments: [{ outcome: code }] })
    const told = found.payments[0]?.steps.map((step) => step.code)
    expect(told).toEqual(['RECIPIENT_IS_USER', 'DETECTED', code])
  })

  test('so is what funds the organization, and what is not read yet', () => {
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
  ] as const)('what is %s keeps its own outcome: %s', (status, outcome) => {
    const found = tell({ ...on(condition), ...deposited({ status, confirmedAt: 0 }) })
    expect(found).toMatchObject({ outcome, payments: [{ outcome }] })
    expect(found.steps.map((step) => step.code)).toContain(code)
  })

  test.each([
    ['that failed', { seen: seenOf({ succeeded: false }) }, 'TRANSACTION_FAILED'],
    ['that waits', { seen: seenOf({ block: null, succeeded: null }) }, 'TRANSACTION_WAITS'],
    ['that no node knows', { seen: 'unknown' }, 'TRANSACTION_NOT_FOUND'],
    ['that pays nobody of ours', {}, 'NOTHING_FOR_YOU'],
  ] as const)('a transaction %s has its own outcome', (_name, facts, outcome) => {
    const found = tell({ ...on(condition), ...facts })
    expect(found.outcome).toBe(outcome)
    expect(found.steps.map((step) => step.code)).toContain(code)
  })

  test('of several payments one that is kept says so for all; else each has its own', () => {
    const credited = deposited({ status: 'Confirmed', confirmedAt: 0 })
    const seen = seenOf({ block: DUE, transfers: [transferOf()], apart: [APART] })
    expect(tell({ ...on(condition), ...credited, seen }).outcome).toBe('BLOCK_READ')
    expect(tell({ ...on(condition), ...deposited(), seen }).outcome).toBe(code)
  })
})

describe('where the nodes of the chain disagree', () => {
  const message =
    'The nodes of Ethereum disagree about its blocks: nothing is credited until they agree, or ' +
    'an operator has looked.'

  test('N05 what is due is kept by that', () => {
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
    ['is not read yet', { seen: seenOf({ block: AHEAD, transfers: [transferOf()] }) }],
  ])('N05 what %s has its own outcome, for blocks are read on', (_name, facts) => {
    const { steps, outcome } = tell({ isDisputed: true, ...facts })
    expect(outcome).toBe(tell(facts).outcome)
    expect(steps.map(({ code }) => code)).toContain('CHAIN_DISPUTED')
  })

  test('and it is frozen as well, the operator has to look at that first', () => {
    const found = tell({ ...on('frozen'), isDisputed: true, ...deposited() })
    expect(found.outcome).toBe('CHAIN_FROZEN')
    expect(found.steps.map(({ code }) => code)).not.toContain('CHAIN_DISPUTED')
  })
})
