import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import { parseChain } from '../../../test/adapters/brands.ts'
import { Outage } from '../../base/fault.ts'
import type { Address, Block } from '../port.ts'
import { fromHex41 } from './address.ts'
import { toBlock } from './block.ts'
import { writeMessage } from './protobuf.ts'
import { parseBlock, parseOutcomes } from './rpc.ts'

const SHASTA = parseChain('tron:shasta')
const STRANGER = `41${'11'.repeat(20)}`
const OURS = `41${'22'.repeat(20)}`
const NOTE = { call: hex('call'), freeze: hex('freezeBalanceV2ForEnergy') }
const LEAST = '-9223372036854775808'

function hex(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex')
}

interface Told {
  /** Of the one transaction of the block: what stands in its Any.value. */
  value?: string
  result?: string
  internals?: readonly object[]
}

/** A block of one TransferContract, as a node tells of it and as the scanner sees it. */
function seen({ value = '', result = 'SUCCESS', internals = [] }: Told): Block {
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
      receipt: {},
      internal_transactions: internals,
    },
  ])
  if (block === null) throw new Error('no block')
  const mayWatch = (address: Address) => address === fromHex41(OURS)
  return toBlock(SHASTA, { block, outcomes }, { tokens: [], mayWatch })
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

describe('what a stranger did in a block', () => {
  test('T04 N09 a rejected inner transaction of less than nothing does not stop the chain', () => {
    const frozen = paid({ note: NOTE.freeze, rejected: true }, LEAST)
    const odd = paid({ note: NOTE.freeze, caller_address: 'no address', note2: {} }, LEAST)
    const { transfers } = seen({ internals: [frozen, odd, paid({})] })
    expect(transfers).toMatchObject([{ to: fromHex41(OURS), amount: 9n, position: 'call:0' }])
  })

  test('T04 N09 what contracts pay must be more than nothing, and to somebody', () => {
    expect(() => seen({ internals: [paid({}, LEAST)] })).toThrow(Outage)
    expect(() => seen({ internals: [paid({ transferTo_address: '' })] })).toThrow(Outage)
    expect(() => seen({ internals: [paid({ transferTo_address: 'me' })] })).toThrow(Outage)
    expect(() => seen({ internals: [paid({ callValueInfo: [{ callValue: 'x' }] })] })).toThrow(
      Outage,
    )
  })

  test('T01 N09 a contract that cannot be read is nothing where it failed', () => {
    const value = `0a15${STRANGER}1215${OURS}0b`
    expect(seen({ value, result: 'REVERT' }).transfers).toEqual([])
  })

  test('N09 a contract that cannot be read is nothing where it names none of ours', () => {
    const value = `0a15${STRANGER}1215${STRANGER}0b`
    expect(seen({ value }).transfers).toEqual([])
  })

  test('N09 a contract that cannot be read and may be money of ours is told to nobody', () => {
    const value = `0a15${STRANGER}1215${OURS}0b`
    expect(() => seen({ value })).toThrow(Outage)
  })
})
