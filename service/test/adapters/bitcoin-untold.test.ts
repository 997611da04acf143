import {
  BITCOIN_NETWORKS,
  bitcoinAddress,
  type BitcoinKey,
  bitcoinKey,
  type KeyCoin,
  type Payee,
  signBitcoin,
  taprootKey,
} from '@sluice/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Block, BlockScope } from '../../src/chains/port.ts'
import { type BitcoinWorld, bitcoinWorlds } from './bitcoin-world.ts'

const { kind } = BITCOIN_NETWORKS.regtest
const OURS = bitcoinKey('ours')
const OURS_HIDDEN = taprootKey('ours')
const OTHERS_HIDDEN = taprootKey('others')
/** Spendable without a key: OP_1, without a witness. */
const BARE: BitcoinKey = { ...bitcoinKey('nobody'), script: Buffer.of(0x51) }
const [ADDRESS, HIDDEN_ADDRESS] = [OURS, OURS_HIDDEN].map((key) => bitcoinAddress(key, kind))
const STRANGER = bitcoinAddress(bitcoinKey('stranger'), kind)
/** With scripts of any length, this number exceeds the limit. */
const MANY = 120
const VALUE = 20_000n
const FEE = 30_000n
const PAID = { to: STRANGER, amount: 50_000n }
/** More than is read of one answer. */
const PADDING = 'x'.repeat(64_000_001)

const NODES = bitcoinWorlds()

describe.each(NODES)('an oversized transaction, on $name', ({ open, isThere }) => {
  describe.runIf(isThere)('in any block', () => {
    let world: BitcoinWorld
    beforeAll(async () => {
      world = await open()
    })
    beforeEach(() => {
      world.proxy.rules.clear()
      world.pass(600_000)
    })
    afterAll(() => world.close())

    test('an oversized transaction is not fetched, nor its sender [B15 N09]', async () => {
      const coins = await coinsOf(
        world,
        Array.from({ length: MANY }, () => BARE),
      )
      const long = spend(coins, [{ to: ADDRESS ?? '', amount: VALUE }])
      const short = world.hand.sign({ payees: [{ to: ADDRESS ?? '', amount: VALUE }] })
      const asked = answerTooLong(world, long.txid)
      const { transfers, transactions } = await readBlock(world, [long.hex, short.hex])
      expect(transfers.map(({ txnHash, from, to, amount }) => [txnHash, from, to, amount])).toEqual(
        [
          [long.txid, '', ADDRESS, VALUE],
          [short.txid, world.hand.address, ADDRESS, VALUE],
        ],
      )
      expect([transactions, asked.hits]).toEqual([[], 0])
    })

    test.each([
      ['W19 shows our key', OURS, ADDRESS],
      ['W19 may hide our key', OURS_HIDDEN, ''],
      ['B15 hides a foreign key', OTHERS_HIDDEN, ''],
    ])(
      'an oversized transaction that %s is returned with its inputs',
      async (_name, key, sender) => {
        const coins = await coinsOf(world, [...Array.from({ length: MANY }, () => BARE), key])
        const { txid, hex } = spend(coins, [PAID])
        const asked = answerTooLong(world, txid)
        const { transfers, transactions, origins } = await readBlock(world, [hex])
        const spends = coins.map((coin) => ({ txnHash: coin.txid, vout: coin.vout }))
        expect(transactions).toEqual([
          { txnHash: txid, succeeded: true, sender, nonce: null, fee: 0n, spends },
        ])
        expect(transfers[0]).toMatchObject({ txnHash: txid, from: '', ...PAID })
        expect([transfers.length, origins?.get(txid), asked.hits]).toEqual([2, spends, 0])
      },
    )

    test('an oversized block is fetched transaction by transaction [N09]', async () => {
      const keys = [...Array.from({ length: 30 }, () => OTHERS_HIDDEN), OURS_HIDDEN]
      const coins = await coinsOf(world, keys)
      const spent = coins.map((coin) => signBitcoin({ kind, coins: [coin], payees: [], fee: 500n }))
      const hexes = spent.map(({ hex }) => hex)
      const block = await readBlock(world, hexes)
      expect(block.transactions).toMatchObject([
        { txnHash: spent.at(-1)?.txid, sender: HIDDEN_ADDRESS, fee: 500n },
      ])
      const asked = world.proxy.rules.add({
        match: { method: 'getblock', params: ([, verbosity]) => verbosity === 3 },
        action: { do: 'mutate', change: (told: object) => ({ ...told, PADDING }) },
      })
      expect(await world.adapter.blockAt({ hash: block.hash }, SCOPE)).toEqual(block)
      expect(asked.hits).toBe(1)
    })

    test('a transaction with many small inputs is fetched [N09]', async () => {
      const keys = Array.from({ length: MANY * 2 }, () => OURS)
      const coins = await coinsOf(world, keys)
      const { txid, hex } = signBitcoin({ kind, coins, payees: [], fee: FEE })
      const { transactions } = await readBlock(world, [hex])
      expect(transactions).toMatchObject([{ txnHash: txid, sender: ADDRESS, fee: FEE }])
    })
  })
})

const SCOPE: BlockScope = {
  tokens: [],
  mayWatch: (one) => one === ADDRESS || one === HIDDEN_ADDRESS,
  mayWatchBytes: (program) =>
    [OURS, OURS_HIDDEN].some(({ script }) => script.subarray(2).equals(program)),
}

/** A coin in a block for each key. */
async function coinsOf({ hand }: BitcoinWorld, keys: readonly BitcoinKey[]): Promise<KeyCoin[]> {
  const scripts = keys.map(({ script }) => ({ script, value: VALUE }))
  const txid = await hand.pay({ payees: [], scripts, fee: 60_000n, isSent: false })
  await hand.mine()
  return keys.map((key, vout) => ({ key, txid, vout, value: VALUE }))
}

function spend(coins: readonly KeyCoin[], payees: readonly Payee[]) {
  const all = coins.map(({ value }) => value).reduce((sum, value) => sum + value, 0n)
  const paid = payees.reduce((sum, { amount }) => sum + amount, 0n)
  const rest = { to: STRANGER, amount: all - paid - FEE }
  return signBitcoin({ kind, coins, payees: [...payees, rest], fee: FEE })
}

async function readBlock(world: BitcoinWorld, hexes: readonly string[]): Promise<Block> {
  const hash = await world.hand.mineExactly(hexes)
  await world.adapter.tip()
  const block = await world.adapter.blockAt({ hash }, SCOPE)
  if (block === null) throw new Error('no block')
  return block
}

function answerTooLong({ proxy }: BitcoinWorld, txid: string) {
  return proxy.rules.add({
    match: { method: 'getrawtransaction', params: ([asked]) => asked === txid },
    action: { do: 'mutate', change: (told: object) => ({ ...told, PADDING }) },
  })
}
