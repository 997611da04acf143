import { describe, expect, test } from 'vitest'
import { parseChain } from '../../../test/adapters/brands.ts'
import { silentLog } from '../../../test/support/clock.ts'
import { Outage } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import type { JsonRpc, RpcCall } from '../json-rpc.ts'
import type { Concern } from './block.ts'
import type { RawInput } from './raw-transaction.ts'
import { readOrigins } from './read-origins.ts'

const CHAIN = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
const HASH = 'ab'.repeat(32)
const FOUND = { height: 7, block: { hash: HASH, previousHash: HASH, time: 0, transactions: [] } }

/** A concern of so many inputs without a witness. */
function concern(rank: number, bare: number, isSent: Concern['isSent'] = false): Concern {
  const input: RawInput = { txid: HASH, vout: 0, script: Buffer.alloc(0), sequence: 0, witness: [] }
  const transaction = {
    txid: rank.toString(16).padStart(64, '0'),
    hash: Buffer.alloc(32),
    version: 2,
    inputs: Array.from({ length: bare }, () => input),
    outputs: [],
    lockTime: 0,
    isCoinbase: false,
    hasWitness: true,
    bytes: Buffer.alloc(0),
    weight: 0,
  }
  return { transaction, paid: [], isSent }
}

/** Reads the origins of some concerns. Returns the size of each request, and the log. */
async function ask(concerns: readonly Concern[], whole: () => never) {
  const exchanges: number[] = []
  const warned: unknown[] = []
  const rpc: JsonRpc = {
    name: 'node',
    call: () => Promise.reject(new Error('nobody calls')),
    read: async () => whole(),
    readTogether: () => Promise.reject(new Error('readTogether is not used')),
    batch: () => Promise.reject(new Error('batch is not used')),
    batchExactly: async (calls: readonly RpcCall[]) => {
      exchanges.push(calls.length)
      return calls.map(() => ({ vin: [] }))
    },
    settle: () => Promise.reject(new Error('nobody settles')),
  }
  const log = { ...silentLog(), warn: (about: unknown) => void warned.push(about) }
  const origins = await readOrigins(rpc, { chainId: CHAIN, log }, FOUND, concerns)
  return { exchanges, warned, told: origins.size }
}

const never = () => {
  throw new Error('the whole block is not asked for')
}
const many = (count: number, bare: number, isSent: Concern['isSent'] = false) =>
  Array.from({ length: count }, (_, rank) => concern(rank, bare, isSent))

describe('origins of a transaction', () => {
  test('is asked in exchanges that no script makes too long [N09]', async () => {
    expect((await ask(many(60, 1), never)).exchanges).toEqual([25, 25, 10])
    expect((await ask(many(5, 40), never)).exchanges).toEqual([2, 2, 1])
  })

  test('skips a transaction whose answer may be too long, with a warning [N09]', async () => {
    const { exchanges, warned, told } = await ask([...many(2, 1), concern(9, 1_071)], never)
    expect([exchanges, told]).toEqual([[2], 2])
    const txnHash = '9'.padStart(64, '0')
    expect(warned).toEqual([{ chainId: CHAIN, height: 7, txnHash }])
  })

  test('is asked one by one where the whole block does not come in time [N08, N09]', async () => {
    const { exchanges } = await ask(many(30, 1, 'hidden'), () => {
      throw new Unfinished('node', 'no answer within 10000 ms')
    })
    expect(exchanges).toEqual([25, 5])
  })

  test('skips a node that is down [N08]', async () => {
    const asked = ask(many(30, 1, 'hidden'), () => {
      throw new Outage('node', 'cannot be reached')
    })
    await expect(asked).rejects.toThrow('cannot be reached')
  })
})
