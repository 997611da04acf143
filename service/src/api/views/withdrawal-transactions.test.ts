import { expect, test } from 'vitest'
import { parseAddress } from '../../chains/format-address.ts'
import type { SpendRecord } from '../../transactions/core/read.ts'
import type { SpendTransaction } from '../../transactions/core/transaction.ts'
import { ETHER, ETHEREUM, toChainId, toTokenId } from '../../../test/support/door.ts'
import { viewTransactions } from './withdrawal-transactions.ts'

const CHAIN = toChainId(ETHEREUM)
const ID = '019b76da-0000-7000-8000-000000000000'
const SENDER = parseAddress(CHAIN, '0x00000000000000000000000000000000000000aa')

function transaction(number: number, change: Partial<SpendTransaction> = {}): SpendTransaction {
  return {
    chainId: CHAIN,
    txnHash: `0x${number}`,
    orgId: ID,
    spendId: ID,
    number,
    raw: new Uint8Array(),
    maxFee: BigInt(number) * 100n,
    terms: Object({}),
    signedHeight: 1,
    signedAt: number * 1_000,
    broadcastAt: number * 1_000 + 500,
    broadcastHeight: 1,
    broadcasts: 1,
    lastAnswer: '',
    ...change,
  }
}

function spend(
  change: Partial<SpendRecord>,
  transactions: readonly SpendTransaction[] = [transaction(1), transaction(2)],
): SpendRecord {
  if (SENDER === null) throw new Error('no address')
  return {
    orgId: ID,
    id: ID,
    chainId: CHAIN,
    purpose: 'withdrawal',
    subjectId: ID,
    sender: SENDER,
    nonce: 0,
    ticket: false,
    tickets: 0,
    tokenId: toTokenId(ETHER),
    recipient: SENDER,
    amount: 1n,
    state: 'Sent',
    maxFee: 200n,
    txnHash: '0x2',
    succeeded: null,
    fee: null,
    block: null,
    settledAt: null,
    createdAt: 0,
    updatedAt: 0,
    transactions,
    ...change,
  }
}

const INCLUDED = { state: 'Included', fee: 42n, block: { height: 7, hash: '0xb' } } as const
const statesOf = (records: readonly SpendRecord[]) =>
  viewTransactions(records).map(({ txnHash, state }) => [txnHash, state])

test('a replacement follows the transaction that it replaces', () => {
  expect(viewTransactions([spend({})])).toEqual([
    {
      txnHash: '0x1',
      state: 'Replaced',
      fee: null,
      maxFee: '100',
      blockNumber: null,
      signedAt: '1970-01-01T00:00:01.000Z',
      broadcastAt: '1970-01-01T00:00:01.500Z',
    },
    {
      txnHash: '0x2',
      state: 'Sent',
      fee: null,
      maxFee: '200',
      blockNumber: null,
      signedAt: '1970-01-01T00:00:02.000Z',
      broadcastAt: '1970-01-01T00:00:02.500Z',
    },
  ])
})

test('a stored transaction is signed until it is broadcast', () => {
  const [view] = viewTransactions([
    spend({ txnHash: '0x1' }, [transaction(1, { broadcastAt: null })]),
  ])
  expect(view).toMatchObject({ state: 'Signed', broadcastAt: null })
})

test('the included transaction has the fee and the block, also if it was replaced', () => {
  const included = spend({ ...INCLUDED, succeeded: true, txnHash: '0x1' })
  expect(viewTransactions([included])).toMatchObject([
    { txnHash: '0x1', state: 'Included', fee: '42', blockNumber: 7 },
    { txnHash: '0x2', state: 'Replaced', fee: null, blockNumber: null },
  ])
})

test.each([
  [{ ...INCLUDED, succeeded: null }, 'Included'],
  [{ ...INCLUDED, succeeded: false }, 'Failed'],
  [{ ...INCLUDED, succeeded: true, state: 'Settled' }, 'Confirmed'],
  [{ ...INCLUDED, succeeded: false, state: 'Settled' }, 'Failed'],
] as const)('the current transaction of %o is %s', (change, state) => {
  expect(statesOf([spend(change)])).toEqual([
    ['0x1', 'Replaced'],
    ['0x2', state],
  ])
})

test('a displaced spend comes before the one that followed it', () => {
  const first = spend({ state: 'Displaced', txnHash: '0x1' }, [transaction(1)])
  const second = spend({}, [transaction(2)])
  expect(statesOf([first, second])).toEqual([
    ['0x1', 'Displaced'],
    ['0x2', 'Sent'],
  ])
})
