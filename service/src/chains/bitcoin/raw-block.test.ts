import {
  BitcoinChain,
  bitcoinAddress,
  bitcoinKey,
  serializeBlock,
  signBitcoin,
} from '@sluice/simulator'
import { describe, expect, test } from 'vitest'
import { Outage } from '../../base/fault.ts'
import { doubleHash, merkleRoot } from './hashes.ts'
import { parseBlock } from './raw-block.ts'

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

  test('N09 changed in any byte are an outage: header, payments, witnesses and all', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x80
      const read = () => parseBlock(changed).hash
      // Another header that does the little work of this chain is another block, and says so.
      if (at < 36 || (at >= 68 && at < 80)) expect(hashOrOutage(read)).not.toBe(block.hash)
      else expect(read, `byte ${at}`).toThrow(Outage)
    }
  })

  test('N09 cut short or too long are an outage', () => {
    for (let length = 0; length < bytes.length; length += 7) {
      expect(() => parseBlock(bytes.subarray(0, length))).toThrow(Outage)
    }
    expect(() => parseBlock(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(Outage)
  })

  test('a list made longer by its own repetition has no root (CVE-2012-2459)', () => {
    const leaves = [1, 2, 3].map((one) => doubleHash(Buffer.of(one)))
    const [, , last = Buffer.alloc(32)] = leaves
    expect(merkleRoot(leaves)).not.toBeNull()
    expect(merkleRoot([...leaves, last])).toBeNull()
  })
})

function hashOrOutage(read: () => string): string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Outage) return 'outage'
    throw error
  }
}
