import { describe, expect, test } from 'vitest'
import { addressOf, hashOf, sampleBlock, transferLog } from '../../../test/adapters/evm-sample.ts'
import type { Json } from '../../../test/adapters/evm-sample.ts'
import { Outage } from '../../base/fault.ts'
import { parseBlock, parseCount, parseLogs, parseQuantity, parseReceipt } from './rpc.ts'

const log = transferLog(addressOf(1), addressOf(2), addressOf(3), 4n)
const sample = sampleBlock([{ transaction: { value: '0x5' }, logs: [log] }])
const [transaction = {}] = sample.block.transactions
const [receipt = {}] = sample.receipts

const blockWith = (change: Json) => () => parseBlock({ ...sample.block, ...change })
const transactionWith = (change: Json) =>
  blockWith({ transactions: [{ ...transaction, ...change }] })
const receiptWith = (change: Json) => () => parseReceipt({ ...receipt, ...change })
const logWith = (change: Json) => () => {
  const whole = {
    blockHash: sample.block.hash,
    transactionHash: hashOf(5),
    logIndex: '0x0',
    ...log,
  }
  return parseLogs([{ ...whole, ...change }], sample.block.hash)
}

describe('a node that talks nonsense', () => {
  test.each<[string, () => unknown]>([
    ['a list for a block', () => parseBlock([])],
    ['a text for a block', () => parseBlock('0x1')],
    ['a number without 0x', blockWith({ number: '12' })],
    ['a number as a JSON number', blockWith({ number: 12 })],
    ['an empty quantity', blockWith({ number: '0x' })],
    ['a height beyond exact numbers', blockWith({ number: '0x20000000000000' })],
    ['a time that no calendar has', blockWith({ timestamp: '0x1fffffffffffff' })],
    ['a time after the year 9999', blockWith({ timestamp: '0x3afff44180' })],
    ['a hash too short', blockWith({ hash: '0x12' })],
    ['a pending block without a hash', blockWith({ hash: null })],
    ['no transactions', blockWith({ transactions: undefined })],
    ['transactions as hashes only', blockWith({ transactions: [hashOf(1)] })],
    ['a transaction of another block', transactionWith({ blockHash: hashOf(9) })],
    ['a transaction out of its place', transactionWith({ transactionIndex: '0x1' })],
    ['a value as decimal text', transactionWith({ value: '5' })],
    ['a negative value', transactionWith({ value: '-0x5' })],
    ['a value above 2^256-1', transactionWith({ value: `0x1${'0'.repeat(64)}` })],
    ['a recipient too short', transactionWith({ to: '0x12' })],
    ['half a byte of data', transactionWith({ input: '0x123' })],
    ['a receipt that is null', () => parseReceipt(null)],
    ['a receipt without a status', receiptWith({ status: undefined })],
    ['a status of 2', receiptWith({ status: '0x2' })],
    ['a type beyond a byte', receiptWith({ type: '0x1ff' })],
    ['logs that are an object', receiptWith({ logs: {} })],
    ['a log of another transaction', receiptWith({ transactionHash: hashOf(9) })],
    ['a log that was removed', logWith({ removed: true })],
    ['a log of another block', logWith({ blockHash: hashOf(9) })],
    ['five topics', logWith({ topics: [1, 2, 3, 4, 5].map(hashOf) })],
    ['a topic of another length', logWith({ topics: ['0x12'] })],
    ['data of half a byte', logWith({ data: '0x1' })],
  ])('%s is an outage, no crash [N09]', (_what, parse) => {
    expect(parse).toThrow(Outage)
  })
})

describe('a node that talks sense', () => {
  test('unknown types and fields are no reason to stop [E18]', () => {
    const odd = { type: '0x7f', newField: {}, authorizationList: [] }
    expect(transactionWith(odd)()).toEqual(parseBlock(sample.block))
    expect(receiptWith({ type: '0x7f' })().type).toBe(0x7f)
  })

  test('receipts from before EIP-2718 and Byzantium have no type and a root', () => {
    const read = receiptWith({ type: undefined, status: undefined, root: hashOf(3) })()
    expect([read.type, read.succeeded, read.postState]).toEqual([0, null, hashOf(3)])
  })

  test('an empty root beside a status says nothing', () => {
    expect(receiptWith({ root: '0x' })().succeeded).toBe(true)
  })

  test('spellings in capitals are read as the same hash and address', () => {
    const shout = (text: string) => `0x${text.slice(2).toUpperCase()}`
    const { hash } = sample.block
    const loud = { hash: shout(hash), transactions: [{ ...transaction, blockHash: shout(hash) }] }
    expect(blockWith(loud)()).toEqual(parseBlock(sample.block))
  })

  test('quantities are exact up to 2^256-1 [E22]', () => {
    expect(parseQuantity(`0x${'f'.repeat(64)}`, 'value')).toBe(2n ** 256n - 1n)
    expect(parseCount('0x1fffffffffffff', 'count')).toBe(Number.MAX_SAFE_INTEGER)
  })
})
