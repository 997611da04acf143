import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import { parseChain, parseToken } from '../../../test/adapters/brands.ts'
import { Outage } from '../../base/fault.ts'
import type { Address, Block } from '../port.ts'
import { fromHex41 } from './address.ts'
import { TRANSFER_TOPIC, toBlock } from './block.ts'
import { writeMessage } from './protobuf.ts'
import { parseBlock, parseOutcomes } from './rpc.ts'

const SHASTA = parseChain('tron:shasta')
const STRANGER = `41${'11'.repeat(20)}`
const OURS = `41${'22'.repeat(20)}`
const TOKEN = parseToken(`${SHASTA}/trc20:${fromHex41(`41${'33'.repeat(20)}`)}`)
const NOTE = { call: hex('call'), freeze: hex('freezeBalanceV2ForEnergy') }
const LEAST = '-9223372036854775808'

function hex(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex')
}

interface Told {
  /** The Any.value of the one transaction of the block. */
  value?: string
  result?: string
  /** Of its receipt, and of the transaction info. */
  receiptResult?: string
  infoResult?: string
  logs?: readonly object[]
  internals?: readonly object[]
}

/** A block of one TransferContract, in the node's form and in the scanner's. */
function seen(answers: Told): Block {
  const {
    value = '',
    result = 'SUCCESS',
    internals = [],
    receiptResult,
    infoResult,
    logs,
  } = answers
  const url = new Uint8Array(Buffer.from('type.googleapis.com/protocol.TransferContract'))
  const inner = new Uint8Array(Buffer.from(value, 'hex'))
  const parameter = writeMessage([
    [1, url],
    [2, inner],
  ])
  const contract = writeMessage([
    [1, 1n],
    [2, parameter],
  ])
  const raw = writeMessage([[11, contract]])
  const txID = Buffer.from(sha256(raw)).toString('hex')
  const hash = 'ab'.repeat(32)
  const block = parseBlock({
    blockID: hash,
    block_header: {
      raw_data: {
        number: '7',
        timestamp: '3000',
        parentHash: hash,
        txTrieRoot: hash,
        witness_address: STRANGER,
      },
    },
    transactions: [
      {
        txID,
        raw_data_hex: Buffer.from(raw).toString('hex'),
        raw_data: { contract: [{ parameter: 'of an unknown kind' }] },
        ret: [{ contractRet: result }],
      },
    ],
  })
  const outcomes = parseOutcomes([
    {
      id: txID,
      blockNumber: '7',
      blockTimeStamp: '3000',
      receipt: { result: receiptResult },
      result: infoResult,
      log: logs,
      internal_transactions: internals,
    },
  ])
  if (block === null) throw new Error('no block')
  const mayWatch = (address: Address) => address === fromHex41(OURS)
  return toBlock(SHASTA, { block, outcomes }, { tokens: [TOKEN], mayWatch })
}

function paid(more: object, callValue = '9'): object {
  return {
    caller_address: STRANGER,
    transferTo_address: OURS,
    callValueInfo: [{ callValue }],
    note: NOTE.call,
    ...more,
  }
}

describe('transactions of strangers in a block', () => {
  test('a rejected inner transaction with a negative amount stops no chain [T04] [N09]', () => {
    const frozen = paid({ note: NOTE.freeze, rejected: true }, LEAST)
    const odd = paid({ note: NOTE.freeze, caller_address: 'no address', note2: {} }, LEAST)
    const { transfers } = seen({ internals: [frozen, odd, paid({})] })
    expect(transfers).toMatchObject([{ to: fromHex41(OURS), amount: 9n, position: 'call:0' }])
  })

  test('payments of contracts must have a positive amount and a recipient [T04] [N09]', () => {
    expect(() => seen({ internals: [paid({}, LEAST)] })).toThrow(Outage)
    expect(() => seen({ internals: [paid({ transferTo_address: '' })] })).toThrow(Outage)
    expect(() => seen({ internals: [paid({ transferTo_address: 'me' })] })).toThrow(Outage)
    expect(() => seen({ internals: [paid({ callValueInfo: [{ callValue: 'x' }] })] })).toThrow(
      Outage,
    )
  })

  test('an unreadable contract moves nothing when it failed [T01] [N09]', () => {
    const value = `0a15${STRANGER}1215${OURS}0b`
    expect(seen({ value, result: 'REVERT', infoResult: 'FAILED' }).transfers).toEqual([])
  })

  test('an unreadable contract moves nothing when it names no watched address [N09]', () => {
    const value = `0a15${STRANGER}1215${STRANGER}0b`
    expect(seen({ value }).transfers).toEqual([])
  })

  test('an unreadable contract that may pay us is not reported [N09]', () => {
    const value = `0a15${STRANGER}1215${OURS}0b`
    expect(() => seen({ value })).toThrow(Outage)
  })
})

describe('a transaction with different results from two sources', () => {
  /** A payment of nine sun to us. */
  const paying = { value: `0a15${STRANGER}1215${OURS}1809` }
  const log = {
    address: '33'.repeat(20),
    topics: [TRANSFER_TOPIC, wordOf(STRANGER), wordOf(OURS)],
    data: '9'.padStart(64, '0'),
  }

  test('is a deposit if all of them name success', () => {
    expect(seen(paying).transfers).toMatchObject([{ amount: 9n }])
    expect(seen({ ...paying, infoResult: 'SUCESS' }).transfers).toMatchObject([{ amount: 9n }])
  })

  test('is no deposit if all of them name failure', () => {
    expect(seen({ ...paying, result: 'REVERT', infoResult: 'FAILED' }).transfers).toEqual([])
  })

  test.each<[string, Told]>([
    ['the info names failure', { infoResult: 'FAILED' }],
    ['the info names a result of no known kind', { infoResult: 'MAYBE' }],
    ['only the block names failure', { result: 'REVERT' }],
    ['the block names no result', { result: '' }],
    [
      'the block names no result, and the receipt success',
      { result: '', receiptResult: 'SUCCESS' },
    ],
    ['the receipt names failure', { receiptResult: 'OUT_OF_ENERGY' }],
    [
      'it failed and has a log that pays us',
      { result: 'REVERT', infoResult: 'FAILED', logs: [log] },
    ],
  ])('is an outage if %s', (_, told) => {
    expect(() => seen({ ...paying, ...told })).toThrow(Outage)
  })

  test('is skipped when it concerns no watched address', () => {
    const value = `0a15${STRANGER}1215${STRANGER}1809`
    expect(seen({ value, infoResult: 'FAILED' }).transfers).toEqual([])
  })
})

function wordOf(address: string): string {
  return address.slice(2).padStart(64, '0')
}
