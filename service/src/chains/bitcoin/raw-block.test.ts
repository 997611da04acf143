import {
  BitcoinChain,
  bitcoinAddress,
  bitcoinKey,
  serializeBlock,
  signBitcoin,
} from '@sluice/simulator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseChain } from '../../../test/adapters/brands.ts'
import { Outage } from '../../base/fault.ts'
import type { Address } from '../port.ts'
import { scriptOf } from './address.ts'
import { concernsOf } from './block.ts'
import { doubleHash, doubleHashTo, keyHash, keyHashTo, merkleRoot, merkleRootOf } from './hashes.ts'
import { parseBlock } from './raw-block.ts'
import { scanBlock } from './scan-block.ts'

const REGTEST = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')

/** A block with a coinbase and three payments, in its bytes. */
function sampleBlock() {
  const chain = new BitcoinChain({ seed: 1, network: 'regtest' })
  const key = bitcoinKey('miner')
  const { kind } = chain.network
  const made = Array.from({ length: 3 }, () => chain.mine(key.script))
  for (let blocks = 0; blocks < 100; blocks += 1) chain.mine(bitcoinKey('else').script)
  const payees = [{ to: bitcoinAddress(bitcoinKey('to'), kind), amount: 10_000n }]
  for (const { txids, transactions } of made) {
    const value = transactions[0]?.outputs[0]?.value ?? 0n
    const coins = [{ key, txid: txids[0] ?? '', vout: 0, value }]
    chain.send(signBitcoin({ kind, coins, payees, fee: 1_000n }).transaction)
  }
  const block = chain.mine(key.script)
  return { block, bytes: serializeBlock(block) }
}

/** Both readings of a block for these watched programs: in full, and by skipping. */
function readBoth(bytes: Buffer, programs: ReadonlySet<string>, hidesKeys = false) {
  const mayWatch = (program: Uint8Array) => programs.has(Buffer.from(program).toString('hex'))
  const mayWatchText = (address: Address) => {
    const script = scriptOf(address, REGTEST)
    return script[0] === 0 && mayWatch(script.subarray(2))
  }
  const ways = [() => parseBlock(bytes), () => scanBlock(bytes, { mayWatch, hidesKeys })]
  return ways.map((read) =>
    valueOrOutage(() => {
      const block = read()
      const scope = { mayWatch: mayWatchText, hidesKeys: () => hidesKeys }
      const concerns = concernsOf(REGTEST, { height: 1, block }, scope)
      return { ...block, transactions: [], concerns }
    }),
  )
}

describe('a block that is passed over', () => {
  const { block, bytes } = sampleBlock()
  const scripts = block.transactions.flatMap(({ outputs }) => outputs.map(({ script }) => script))
  const keys = block.transactions.flatMap(({ inputs }) => inputs.map(({ witness }) => witness[1]))
  const programs = [
    ...scripts.map((script) => script.subarray(2).toString('hex')),
    ...keys.flatMap((key) => (key?.length === 33 ? [keyHash(key).toString('hex')] : [])),
  ].filter((program) => program.length === 40)

  test('returns the same payments and senders as a full reading', () => {
    expect(new Set(programs).size).toBe(2)
    for (const one of [...programs.map((program) => [program]), programs, []]) {
      const [plain, fast] = readBoth(bytes, new Set(one))
      expect(plain).not.toBe('outage')
      expect(fast).toEqual(plain)
    }
    const count = (program: string) => Object(readBoth(bytes, new Set([program]))[1]).concerns
    expect(programs.map((program) => count(program).length)).not.toContain(0)
  })

  test('fails on every block that a full reading refuses [N09]', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      const [plain, fast] = readBoth(changed, new Set(programs))
      expect(fast, `byte ${at}`).toEqual(plain)
    }
    for (let length = 0; length < bytes.length; length += 7) {
      expect(readBoth(bytes.subarray(0, length), new Set())).toEqual(['outage', 'outage'])
    }
    const longer = Buffer.concat([bytes, Buffer.of(0)])
    expect(readBoth(longer, new Set())).toEqual(['outage', 'outage'])
  })

  test('hashes as the plain functions do, lists of any length', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 40 }), (messages) => {
        const leaves = messages.map((message) => doubleHash(message))
        const list = Buffer.alloc((leaves.length + 1) * 32)
        messages.forEach((message, at) => doubleHashTo(list, at * 32, message))
        expect(list.subarray(0, leaves.length * 32).equals(Buffer.concat(leaves))).toBe(true)
        expect(merkleRootOf(list, leaves.length)).toEqual(merkleRoot(leaves))
        const hashed = Buffer.alloc(20)
        for (const message of messages) {
          keyHashTo(hashed, message)
          expect(hashed.equals(keyHash(message))).toBe(true)
        }
      }),
    )
  })
})

describe('the bytes of a block', () => {
  const { block, bytes } = sampleBlock()

  test('are read as they were written', () => {
    const { hash, previousHash, time, transactions } = parseBlock(bytes)
    expect({ hash, previousHash, time }).toEqual({
      hash: block.hash,
      previousHash: block.previous?.hash,
      time: block.time,
    })
    expect(transactions.map(({ txid }) => txid)).toEqual(block.txids)
    expect(transactions.map(({ isCoinbase }) => isCoinbase)).toEqual([true, false, false, false])
  })

  test('changed in any byte are an outage: header, payments, witnesses and all [N09]', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x80
      const read = () => parseBlock(changed).hash
      // The changed header also meets the low target of this chain, so it is another block.
      if (at < 36 || (at >= 68 && at < 80)) expect(valueOrOutage(read)).not.toBe(block.hash)
      else expect(read, `byte ${at}`).toThrow(Outage)
    }
  })

  test('cut short or too long are an outage [N09]', () => {
    for (let length = 0; length < bytes.length; length += 7) {
      expect(() => parseBlock(bytes.subarray(0, length))).toThrow(Outage)
    }
    expect(() => parseBlock(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(Outage)
  })

  test('a list made longer by its own repetition has no root (CVE-2012-2459)', () => {
    const leaves = [1, 2, 3].map((one) => doubleHash(Buffer.of(one)))
    const [, , last = Buffer.alloc(32)] = leaves
    const [list, longer] = [leaves, [...leaves, last]]
    expect(merkleRoot(list)).not.toBeNull()
    expect(merkleRoot(longer)).toBeNull()
    expect(merkleRootOf(Buffer.concat([...longer, last]), longer.length)).toBeNull()
  })
})

function valueOrOutage<T>(read: () => T): T | 'outage' {
  try {
    return read()
  } catch (error) {
    if (error instanceof Outage) return 'outage'
    throw error
  }
}
