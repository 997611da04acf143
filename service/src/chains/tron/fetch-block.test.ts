import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import { Outage } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import { fetchBlock } from './fetch-block.ts'
import { writeMessage } from './protobuf.ts'
import type { TronNode } from './tron-node.ts'

const HEIGHT = 7
const TIME = 3_000
const PARENT = 'ab'.repeat(32)
const WITNESS = `41${'11'.repeat(20)}`
/** Bytes that no answer in JSON shows. */
const ROOT = 'cd'.repeat(32)

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

function hashOf(message: Uint8Array): string {
  return Buffer.from(sha256(message)).toString('hex')
}

/** A node with one block of one transaction, whose root covers more than the JSON shows. */
function node({ besides = '', isAway = false }: { besides?: string; isAway?: boolean }): TronNode {
  const raw = `7801${besides}`
  const header = writeMessage([
    [1, BigInt(TIME)],
    [2, bytes(ROOT)],
    [3, bytes(PARENT)],
    [7, BigInt(HEIGHT)],
    [9, bytes(WITNESS)],
  ])
  const blockID = `${HEIGHT.toString(16).padStart(16, '0')}${hashOf(header).slice(16)}`
  const raw_data = {
    number: String(HEIGHT),
    timestamp: String(TIME),
    parentHash: PARENT,
    txTrieRoot: ROOT,
    witness_address: WITNESS,
  }
  const txID = hashOf(bytes(raw))
  const transaction = { txID, raw_data_hex: raw, raw_data: {}, ret: [{ contractRet: 'SUCCESS' }] }
  const head = { blockID, block_header: { raw_data } }
  const answers: Record<string, unknown> = {
    getblock: head,
    getblockbylimitnext: { block: [{ ...head, transactions: [transaction] }] },
    gettransactioninfobyblocknum: [
      { id: txID, blockNumber: String(HEIGHT), blockTimeStamp: String(TIME) },
    ],
  }
  return {
    name: 'node',
    ask: async ({ method }) => {
      if (isAway) throw new Outage('node', 'is away')
      return answers[method]
    },
  }
}

/** The same node, that does not get an answer of what all of them did done. */
function overwhelmed(told: { alone: unknown }): TronNode {
  const well = node({})
  return {
    name: 'node',
    ask: async (question) => {
      if (question.method === 'gettransactioninfobyid') return told.alone
      if (question.method !== 'gettransactioninfobyblocknum') return well.ask(question)
      throw new Unfinished('node', 'answered more than bytes')
    },
  }
}

function read(others: readonly TronNode[]): Promise<unknown> {
  const scope = { tokens: [] }
  return fetchBlock(node({}), { height: HEIGHT }, { completeness: 'receipts', scope, others })
}

describe('a block whose root covers bytes that the JSON does not show', () => {
  test('is read when a second node returns exactly the same [N09]', async () => {
    const found = await read([node({ isAway: true }), node({ besides: '7802' }), node({})])
    expect(found).toMatchObject({ block: { height: HEIGHT }, outcomes: [{ height: HEIGHT }] })
    // An operator is to know, and why.
    expect(found).toHaveProperty('doubt', expect.stringContaining(ROOT))
  })

  test('is refused when no second node does; the error names the setting [N09]', async () => {
    await expect(read([])).rejects.toThrow(/completeness "logs"/)
    await expect(read([node({ besides: '7802' })])).rejects.toThrow(Outage)
    await expect(read([node({ isAway: true })])).rejects.toThrow(Outage)
  })
})

describe('infos of a block that are too much for one answer', () => {
  const options = { completeness: 'logs', scope: { tokens: [] } } as const
  const readFrom = (told: { alone: unknown }) =>
    fetchBlock(overwhelmed(told), { height: HEIGHT }, options)

  test('it is asked for one by one [N08]', async () => {
    const [alone] = Object(await node({}).ask({ method: 'gettransactioninfobyblocknum' }))
    const found = await readFrom({ alone })
    expect(found).toMatchObject({ outcomes: [{ id: alone.id, height: HEIGHT }] })
  })

  test('must contain each transaction [N09]', async () => {
    await expect(readFrom({ alone: {} })).rejects.toThrow(Outage)
  })
})
