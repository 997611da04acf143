import { PaymentTrace, TRACE_CODES } from '@sluice/wire'
import { Value } from 'typebox/value'
import { afterAll, describe, expect, test } from 'vitest'
import { parseChain, parseToken } from '../../../test/adapters/brands.ts'
import { depositOf } from '../../../test/support/sample-deposit.ts'
import {
  ANN,
  CHAIN,
  ETHER,
  factsOf,
  OWNER,
  seenOf,
  STRANGER,
  TIP,
  transferOf,
} from '../../../test/support/trace-facts.ts'
import { tagKey } from '../../accounts/tagged.ts'
import type { Deposit, Funding } from '../../deposits/deposit.ts'
import type { TraceFacts } from './facts.ts'
import { trace } from './trace.ts'

const told = new Set<string>()
const UNLISTED = parseToken(`eip155:1/erc20:0x${'7'.repeat(40)}`)
const USDT = parseToken('eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7')
const APART = { tokenId: ETHER, from: STRANGER, to: ANN, amount: 5n, tag: null }

function tell(more: Partial<TraceFacts>): PaymentTrace {
  const found = trace(factsOf(more))
  expect(Value.Check(PaymentTrace, found)).toBe(true)
  const steps = [...found.steps, ...found.payments.flatMap((one) => one.steps)]
  for (const { code, message } of steps) {
    told.add(code)
    expect(message).toMatch(/^\S.{9,}[.`)]$/)
  }
  return found
}

const codes = ({ steps }: { steps: readonly { code: string }[] }) => steps.map(({ code }) => code)
const state = (more: Partial<NonNullable<TraceFacts['state']>>) => {
  const standing = factsOf().state
  if (standing === null) throw new Error('no state')
  return { ...standing, ...more }
}

/** Ann's ether, as a deposit of block TIP - 10. */
function deposited(more: Partial<Deposit>): Partial<TraceFacts> {
  const { to: address, amount, tokenId } = transferOf()
  const ours = { chainId: CHAIN, accountChainId: CHAIN, address, amount, tokenId }
  const block = { height: TIP - 10, hash: '0x0a' }
  return {
    deposits: [depositOf({ ...ours, block, ...more })],
    seen: seenOf({ transfers: [transferOf()] }),
  }
}

afterAll(() => {
  // Every documented code must be reachable.
  expect([...told].toSorted()).toEqual(Object.keys(TRACE_CODES).toSorted())
})

describe('a transaction', () => {
  test.each([
    ['bip122:000000000019d6689c085ae165831e93', true],
    [CHAIN, false],
  ])('an unknown transaction on %s may be due to a missing index: %s', (id, mayLack) => {
    const entry = factsOf().catalogue.chain(id)
    if (entry === null) throw new Error('no chain')
    const message = tell({ entry, seen: 'unknown' }).steps[0]?.message ?? ''
    expect(message.includes('index of transactions')).toBe(mayLack)
  })

  test.each([
    ['on a chain never reached', { state: null }, 'CHAIN_NOT_FOLLOWED'],
    ['while no node answers', { seen: 'away' }, 'NODE_AWAY'],
    ['unknown to all nodes', { seen: 'unknown' }, 'TRANSACTION_NOT_FOUND'],
    [
      'in no block',
      { seen: seenOf({ block: null, succeeded: null, apart: [APART] }) },
      'TRANSACTION_WAITS',
    ],
    ['failed [E01]', { seen: seenOf({ succeeded: false }) }, 'TRANSACTION_FAILED'],
    ['paying no address of ours', {}, 'NOTHING_FOR_YOU'],
  ] as const)('%s results in %s', (_name, facts, outcome) => {
    expect(tell(facts).outcome).toBe(outcome)
  })

  test('a failed transaction credits no recipient [E01]', () => {
    const found = tell({ seen: seenOf({ succeeded: false, apart: [APART] }) })
    expect(codes(found)).toEqual(['TRANSACTION_FOUND', 'TRANSACTION_FAILED'])
    expect(found.payments.map(({ outcome }) => outcome)).toEqual(['TRANSACTION_FAILED'])
  })

  test('a transaction whose block is not scanned yet reports the lag', () => {
    const block = { height: TIP + 7, hash: '0x11' }
    const found = tell({ seen: seenOf({ block, transfers: [transferOf()] }) })
    const step = found.steps.find(({ code }) => code === 'NOT_YET_SCANNED')
    expect(step?.details).toEqual({ blocksBehind: 7, secondsBehind: 30 })
    expect(found.outcome).toBe('NOT_YET_SCANNED')
  })

  test('a transaction below the first scanned block is BEFORE_START', () => {
    const seen = seenOf({ block: { height: 90, hash: '0x09' }, transfers: [transferOf()] })
    expect(codes(tell({ seen }))).toContain('BEFORE_START')
    expect(tell({ seen }).outcome).toBe('BEFORE_START')
  })

  test.each([
    ['frozen', 'CHAIN_FROZEN'],
    ['halted', 'CHAIN_HALTED'],
  ] as const)('a transaction of a %s chain reports %s', (condition, code) => {
    expect(codes(tell({ state: state({ condition, cause: 'a reorg' }) }))).toContain(code)
  })

  test('a transaction of a chain whose nodes disagree reports CHAIN_DISPUTED [N05]', () => {
    expect(codes(tell({ isDisputed: true }))).toContain('CHAIN_DISPUTED')
  })

  test('a sweep is not a deposit although it pays an address of ours [E16]', () => {
    const found = tell({ own: 'sweep', seen: seenOf({ transfers: [transferOf()] }) })
    expect(found).toMatchObject({ outcome: 'OWN_TRANSACTION', payments: [] })
  })

  test('a withdrawal that pays a deposit address is a deposit there', () => {
    const found = tell({ own: 'withdrawal', ...deposited({ status: 'Confirmed', confirmedAt: 0 }) })
    expect(codes(found)).toContain('OWN_WITHDRAWAL')
    expect(found.outcome).toBe('CREDITED')
  })

  test('the change of a withdrawal is not a missing payment [B11]', () => {
    const entry = factsOf().catalogue.chain('bip122:000000000019d6689c085ae165831e93')
    if (entry === null) throw new Error('no chain')
    const watched = new Map([[ANN, { ...OWNER, purpose: 'settlement' as const, accountId: null }]])
    const change = transferOf({ position: 'out:1' })
    const included = { entry, watched, seen: seenOf({ transfers: [change] }) }
    const waiting = seenOf({ block: null, succeeded: null, apart: [APART] })
    for (const seen of [included.seen, waiting]) {
      const found = tell({ ...included, seen, own: 'withdrawal' })
      expect(found).toMatchObject({ outcome: 'OWN_WITHDRAWAL', payments: [] })
    }
    // The same output of a foreign transaction is a deposit that was missed.
    expect(tell(included).outcome).toBe('NOT_DETECTED')
  })

  test('our own records answer while no node does [N14]', () => {
    const known = deposited({ status: 'Confirmed', confirmedAt: 0 })
    const found = tell({ ...known, seen: 'away' })
    expect(codes(found)).toEqual(['NODE_AWAY', 'BLOCK_READ'])
    expect(found.outcome).toBe('CREDITED')
  })
})

describe('a payment to a user', () => {
  test('reports the blocks and time that it still waits', () => {
    const [payment] = tell(deposited({ status: 'Detected' })).payments
    expect(codes(payment ?? { steps: [] })).toEqual([
      'RECIPIENT_IS_USER',
      'DETECTED',
      'WAITING_FOR_CONFIRMATIONS',
    ])
    const details = { confirmations: 10, required: 12, remaining: 2, seconds: 24 }
    expect(payment?.steps.at(-1)).toMatchObject({
      details,
      message: '10 of 12 confirmations: 2 more blocks, about 24 s.',
    })
    const last = deposited({ status: 'Detected', block: { height: TIP - 11, hash: '0x09' } })
    expect(tell(last).payments[0]?.steps.at(-1)?.message).toContain(': 1 more block, about 12 s.')
  })

  test('with all its confirmations is about to be judged', () => {
    const known = deposited({ status: 'Detected', block: { height: TIP - 12, hash: '0x08' } })
    expect(tell(known).outcome).toBe('BEING_CONFIRMED')
  })

  test('is credited, with the id of its deposit and the time', () => {
    const [payment] = tell(deposited({ status: 'Confirmed', confirmedAt: 1_000 })).payments
    expect(payment).toMatchObject({ outcome: 'CREDITED', depositId: depositOf().id })
    expect(payment?.steps.at(-1)?.details['at']).toBe('1970-01-01T00:00:01.000Z')
  })

  test('below the minimum reports how much is missing in total', () => {
    const known = deposited({ status: 'BelowMinimum', tokenId: USDT, amount: 3n })
    const catalogue = factsOf().catalogue
    const minimum = catalogue.token(USDT)?.minimumAmount ?? 0n
    const waiting = new Map([[depositOf().id, minimum - 1n]])
    const [payment] = tell({ ...known, waiting, seen: seenOf() }).payments
    expect(payment?.steps.at(-1)).toMatchObject({
      code: 'BELOW_MINIMUM',
      details: { missing: '1', minimum: `${minimum}`, arrived: `${minimum - 1n}` },
    })
  })

  test('on hold reports the cause and the command that releases it', () => {
    const [payment] = tell(deposited({ status: 'Held', heldCause: 'it lied' })).payments
    expect(payment?.steps.at(-1)).toMatchObject({ code: 'HELD', details: { cause: 'it lied' } })
    expect(payment?.steps.at(-1)?.message).toContain(`sluice deposit release ${depositOf().id} --`)
  })

  test('is ORPHANED when its block left the chain [R01]', () => {
    expect(tell(deposited({ status: 'Orphaned' })).outcome).toBe('ORPHANED')
  })

  test('over another network and of a disabled token reports both and is credited', () => {
    const accountChainId = parseChain('eip155:56')
    const known = deposited({ status: 'Confirmed', confirmedAt: 0, accountChainId })
    const [payment] = tell({ ...known, isTokenOn: () => false }).payments
    expect(codes(payment ?? { steps: [] })).toEqual([
      'RECIPIENT_IS_USER',
      'OTHER_NETWORK',
      'TOKEN_DISABLED',
      'DETECTED',
      'CREDITED',
    ])
  })

  test('in a scanned block without a record recommends a rescan', () => {
    const found = tell({ seen: seenOf({ transfers: [transferOf()] }) })
    expect(found.outcome).toBe('NOT_DETECTED')
    expect(found.payments[0]?.steps.at(-1)?.message).toContain(
      `sluice chain rescan eip155:1 --from ${TIP - 10} --to ${TIP - 10}`,
    )
  })

  test.each([
    ['of zero [E12]', { amount: 0n }, 'ZERO_VALUE'],
    ['of a token that is not listed [E10]', { tokenId: UNLISTED }, 'TOKEN_NOT_LISTED'],
    ['of an asset without a token id', { tokenId: null }, 'TOKEN_NOT_LISTED'],
    ['of a holder to itself', { from: ANN }, 'ZERO_VALUE'],
  ] as const)('%s is not a payment: %s', (_name, more, outcome) => {
    const found = tell({ seen: seenOf({ apart: [{ ...APART, ...more }] }) })
    expect(found.payments).toMatchObject([{ outcome, depositId: null }])
  })

  test('each of several payments in one transaction has its own outcome', () => {
    const first = deposited({ status: 'Confirmed', confirmedAt: 0 })
    const transfers = [transferOf(), transferOf({ position: 'log:0', tokenId: USDT })]
    const found = tell({ ...first, seen: seenOf({ transfers, apart: [APART] }) })
    expect(found.payments.map(({ outcome }) => outcome)).toEqual([
      'CREDITED',
      'NOT_DETECTED',
      'ZERO_VALUE',
    ])
    expect(found.outcome).toBe('BLOCK_READ')
  })
})

describe('a payment to an address of the organization itself', () => {
  const funding = (more: Partial<Funding>): Funding => ({
    ...depositOf(),
    purpose: 'settlement',
    place: 'settlement',
    booked: 'unconfirmed',
    gasPart: 0n,
    chainId: CHAIN,
    tokenId: ETHER,
    address: ANN,
    block: { height: 990, hash: '' },
    status: 'Detected',
    ...more,
  })

  test.each([
    ['settlement', 'Detected', 'WAITING_FOR_CONFIRMATIONS'],
    ['gas', 'Confirmed', 'CREDITED'],
    ['gas', 'Held', 'HELD'],
    ['settlement', 'Orphaned', 'ORPHANED'],
  ] as const)('for %s, %s, is a funding: %s', (purpose, status, outcome) => {
    const [payment] = tell({ fundings: [funding({ purpose, status })], seen: 'away' }).payments
    const first = purpose === 'gas' ? 'RECIPIENT_IS_GAS' : 'RECIPIENT_IS_SETTLEMENT'
    expect(codes(payment ?? { steps: [] })).toEqual([first, outcome])
  })

  test('on hold names the command for fundings, with its own id', () => {
    const held = funding({ id: 'f1', status: 'Held', heldCause: 'it lied' })
    const step = tell({ fundings: [held], seen: 'away' }).payments[0]?.steps.at(-1)
    expect(step).toMatchObject({ code: 'HELD', details: { cause: 'it lied', id: 'f1' } })
    expect(step?.message).toContain('`sluice gas release f1 --reason <text>`')
  })

  test.each([
    [null, 'TAG_MISSING'],
    [77, 'TAG_UNKNOWN'],
  ] as const)('on XRPL with the tag %s is %s [X03 X04]', (tag, outcome) => {
    const { catalogue } = factsOf()
    const entry = catalogue.chain('xrpl:mainnet')
    if (entry === null) throw new Error('no chain')
    const watched = new Map([[ANN, { ...OWNER, purpose: 'settlement' as const, accountId: null }]])
    const seen = seenOf({ transfers: [transferOf({ tag })] })
    const found = tell({ entry, watched, seen })
    expect(found.outcome).toBe(outcome)
    // It is not a funding, although the address belongs to the organization.
    expect(found.payments.map(codes)).toEqual([[outcome]])
    const failed = seenOf({ succeeded: false, apart: [{ ...APART, tag }] })
    expect(tell({ entry, watched, seen: failed }).payments.map(codes)).toEqual([
      [outcome, 'TRANSACTION_FAILED'],
    ])
  })

  test('on XRPL with the tag of a user names the user even if failed or not scanned [X03]', () => {
    const entry = factsOf().catalogue.chain('xrpl:mainnet')
    if (entry === null) throw new Error('no chain')
    const { orgId, externalUserId } = OWNER
    const owner = { orgId, accountId: OWNER.accountId ?? '', externalUserId }
    const facts = {
      entry,
      watched: new Map([[ANN, { ...OWNER, purpose: 'settlement' as const, externalUserId: '' }]]),
      tagged: new Map([[tagKey({ address: ANN, tag: 77 }), owner]]),
    }
    const block = { height: TIP + 7, hash: '0x11' }
    const ahead = tell({ ...facts, seen: seenOf({ block, transfers: [transferOf({ tag: 77 })] }) })
    expect(ahead.payments.map(codes)).toEqual([['RECIPIENT_IS_USER', 'NOT_YET_SCANNED']])
    const seen = seenOf({ succeeded: false, apart: [{ ...APART, tag: 77 }] })
    const [failed] = tell({ ...facts, seen }).payments
    expect(failed).toMatchObject({ externalUserId: 'ann', outcome: 'TRANSACTION_FAILED' })
  })
})

test('payments to unknown addresses are neither listed nor counted [S09]', () => {
  const transfers = [transferOf({ to: STRANGER }), transferOf()]
  const seen = seenOf({ transfers, apart: [APART] })
  const blind = tell({ seen, watched: new Map() })
  const empty = tell({ seen: seenOf(), watched: new Map() })
  expect(blind).toEqual(empty)
})
