import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BitcoinChain } from './bitcoin-chain.ts'
import { bitcoinAddress, bitcoinKey, signBitcoin, taprootKey } from './bitcoin-wallet.ts'
import { keepChain } from './bitcoin/journal.ts'
import { PoolRefusal } from './bitcoin/pool.ts'

const MINER = bitcoinKey('miner')
const NOBODY = bitcoinKey('nobody')

/** A chain on which the miner has two coins that are old enough. */
function oldChain(seed = 1) {
  const chain = new BitcoinChain({ seed })
  const made = [chain.mine(MINER.script), chain.mine(MINER.script)]
  for (let blocks = 0; blocks < 100; blocks += 1) chain.mine(NOBODY.script)
  const coins = made.map(({ txids, transactions }) => {
    const value = transactions[0]?.outputs[0]?.value ?? 0n
    return { key: MINER, txid: txids[0] ?? '', vout: 0, value }
  })
  const pay = (coin: number, amount: bigint, fee = 1_000n, to = [NOBODY]) => {
    const one = coins[coin]
    if (one === undefined) throw new Error('no such coin')
    const { kind } = chain.network
    const payees = to.map((key) => ({ to: bitcoinAddress(key, kind), amount }))
    return signBitcoin({ kind, coins: [one], payees, fee })
  }
  return { chain, pay }
}

function refusalOf(act: () => unknown): string {
  try {
    act()
    return 'taken'
  } catch (error) {
    if (error instanceof PoolRefusal) return `${error.code} ${error.message}`
    throw error
  }
}

describe('a simulated Bitcoin chain', () => {
  test('the chain begins as the real networks do', () => {
    const hashOf = (network: 'main' | 'test' | 'regtest') =>
      new BitcoinChain({ seed: 1, network }).tip.hash
    expect(hashOf('main')).toMatch(/^000000000019d6689c085ae165831e93/)
    expect(hashOf('test')).toMatch(/^000000000933ea01ad0ee984209779ba/)
    expect(hashOf('regtest')).toMatch(/^0f9188f13cb7b2c71f2a335e3a4fc328/)
  })

  test('the chain follows from its seed and the calls', () => {
    expect(oldChain(1).chain.tip.hash).toBe(oldChain(1).chain.tip.hash)
    expect(oldChain(1).chain.tip.hash).not.toBe(oldChain(2).chain.tip.hash)
  })

  test('the chain refuses signatures of another key, or over other outputs', () => {
    const { chain, pay } = oldChain()
    const { transaction } = pay(0, 50_000n)
    const [output] = transaction.outputs
    if (output) output.value += 1n
    expect(refusalOf(() => chain.send(transaction))).toContain('-26 mempool-script-verify')
    expect(refusalOf(() => chain.send(pay(0, 50_000n).transaction))).toBe('taken')
  })

  test('the chain verifies BIP-341 signatures, and refuses in the words of Core', () => {
    const { chain, pay } = oldChain()
    const { kind } = chain.network
    const key = taprootKey('taproot')
    const txid = chain.send(pay(0, 100_000n, 1_000n, [key, key]).transaction)
    const coins = [0, 1].map((vout) => ({ key, txid, vout, value: 100_000n }))
    const payees = [{ to: bitcoinAddress(NOBODY, kind), amount: 50_000n }]
    const spend = () => signBitcoin({ kind, coins, payees, fee: 1_000n }).transaction
    const whyNot = (edit: (signature: Buffer) => Buffer[]) => {
      const transaction = spend()
      const [, input] = transaction.inputs
      if (input) input.witness = edit(input.witness[0] ?? Buffer.of())
      return refusalOf(() => chain.send(transaction))
    }
    const because = (why: string) => `-26 mempool-script-verify-flag-failed (${why}), input 1 of `
    expect(whyNot((one) => [Buffer.from(one).fill(1, 3, 4)])).toContain(
      because('Invalid Schnorr signature'),
    )
    expect(whyNot((one) => [one.subarray(1)])).toContain(because('Invalid Schnorr signature size'))
    expect(whyNot((one) => [Buffer.concat([one, Buffer.of(0)])])).toContain(
      because('Invalid Schnorr signature hash type'),
    )
    expect(whyNot(() => [])).toContain(because('Witness program was passed an empty witness'))
    expect(whyNot((one) => [one, Buffer.of(0x50)])).toBe('-26 bad-witness-taproot-annex')
    const other = spend()
    const [output] = other.outputs
    if (output) output.value -= 1n
    expect(refusalOf(() => chain.send(other))).toContain('(Invalid Schnorr signature), input 0 of ')
    expect(refusalOf(() => chain.send(spend()))).toBe('taken')
  })

  test('the chain has each coin once after blocks are mined, undone and mined again', () => {
    const { chain, pay } = oldChain()
    const total = () => [...chain.coins.all()].reduce((sum, [, { value }]) => sum + value, 0n)
    const before = total()
    chain.send(pay(0, 50_000n).transaction)
    const block = chain.mine(NOBODY.script)
    const after = total()
    expect(after - before).toBe(50n * 100_000_000n)
    chain.invalidate(block)
    expect(total()).toBe(before)
    expect(chain.pool.size).toBe(1)
    chain.reconsider(block)
    expect([total(), chain.pool.size, chain.tip.hash]).toEqual([after, 0, block.hash])
  })

  test('the pool drops a transaction and its children when a block spends its coin', () => {
    const { chain, pay } = oldChain()
    const first = pay(0, 50_000n)
    chain.send(first.transaction)
    const { kind } = chain.network
    const value = 50_000n
    const child = signBitcoin({
      kind,
      coins: [{ key: NOBODY, txid: first.txid, vout: 0, value }],
      payees: [{ to: bitcoinAddress(MINER, kind), amount: 40_000n }],
      fee: 10_000n,
    })
    chain.send(child.transaction)
    expect(chain.pool.size).toBe(2)
    chain.mine(NOBODY.script, [pay(0, 70_000n).transaction])
    expect(chain.pool.size).toBe(0)
  })

  test('a block takes the best package fee rates, and none below the minimum', () => {
    const { chain, pay } = oldChain()
    const { kind } = chain.network
    const toMiner = [{ to: bitcoinAddress(MINER, kind), amount: 20_000n }]
    const cheap = pay(0, 50_000n, 150n)
    const plain = pay(1, 50_000n, 800n)
    for (const { transaction } of [cheap, plain]) chain.send(transaction)
    chain.minedFrom = 5_000n
    expect(chain.mine(NOBODY.script).txids.slice(1)).toEqual([plain.txid])
    expect(chain.mine(NOBODY.script).txids.slice(1)).toEqual([])
    const coin = { key: NOBODY, txid: cheap.txid, vout: 0, value: 50_000n }
    const child = signBitcoin({ kind, coins: [coin], payees: toMiner, fee: 3_000n })
    chain.send(child.transaction)
    expect(chain.mine(NOBODY.script).txids.slice(1)).toEqual([cheap.txid, child.txid])
    expect(chain.pool.size).toBe(0)
  })

  test('a full pool refuses transactions below its minimum', () => {
    const { chain, pay } = oldChain()
    chain.pool.least = 20_000n
    expect(refusalOf(() => chain.send(pay(0, 50_000n, 1_000n).transaction))).toBe(
      '-26 mempool min fee not met',
    )
    expect(refusalOf(() => chain.send(pay(0, 50_000n, 3_000n).transaction))).toBe('taken')
  })

  test('a chain kept in a file is restored, reorgs included', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bitcoin-chain-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'blocks')
    const chain = new BitcoinChain({ seed: 1 })
    keepChain(chain, file)
    for (let blocks = 0; blocks < 5; blocks += 1) chain.mine(MINER.script)
    const left = chain.mine(MINER.script)
    chain.mine(MINER.script)
    chain.invalidate(left)
    chain.mine(NOBODY.script)
    const again = new BitcoinChain({ seed: 2 })
    keepChain(again, file)
    expect(again.tip.hash).toBe(chain.tip.hash)
    expect(new Map(again.coins.all())).toEqual(new Map(chain.coins.all()))
    expect(again.blockAt(left.hash)?.isInvalid).toBe(true)
  })
})
