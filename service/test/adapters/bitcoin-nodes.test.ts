import {
  BITCOIN_NETWORKS,
  type BitcoinKey,
  type BitcoinRpc,
  type KeyCoin,
  RpcError,
  type SignedBitcoin,
  bitcoinAddress,
  bitcoinKey,
  signBitcoin,
} from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BITCOIN_NODES, type BitcoinTestChain } from '../support/bitcoin-chain.ts'
import { whyNoBitcoind } from '../support/bitcoind.ts'

const { kind } = BITCOIN_NETWORKS.regtest
const STRANGER = bitcoinAddress(bitcoinKey('stranger'), kind)
const UNKNOWN = 'ab'.repeat(32)

/**
 * Assumptions of the adapter, tested on the simulated and a real node: if they differ, the
 * simulated one is wrong.
 */
describe.skipIf(whyNoBitcoind !== null)(`both Bitcoin nodes ${whyNoBitcoind ?? ''}`, () => {
  const chains: BitcoinTestChain[] = []
  beforeAll(async () => {
    for (const { start } of BITCOIN_NODES) chains.push(await start())
  })
  afterAll(async () => {
    for (const chain of chains) await chain.stop()
  })

  const both = async (ask: (chain: BitcoinTestChain) => Promise<unknown>) => {
    const [simulated, real] = await Promise.all(chains.map(ask))
    expect(simulated).toEqual(real)
    return real
  }

  test('both nodes have the same genesis block, byte for byte', async () => {
    await both(async ({ hand: { rpc } }) => {
      const hash = await rpc<string>('getblockhash', [0])
      const header = await rpc<Record<string, unknown>>('getblockheader', [hash])
      const { merkleroot, time, nonce, bits, version } = header
      return { hash, raw: await rpc('getblock', [hash, 0]), merkleroot, time, nonce, bits, version }
    })
  })

  test('both nodes return the same errors for unknown items', async () => {
    const calls: [method: string, params: readonly unknown[]][] = [
      ['getblockhash', [1_000_000]],
      ['getblockhash', [-1]],
      ['getblock', [UNKNOWN, 0]],
      ['getblockheader', [UNKNOWN, true]],
      ['getrawtransaction', [UNKNOWN, 2]],
      ['gettxout', [UNKNOWN, 0]],
      ['sendrawtransaction', ['00']],
      ['nosuchmethod', []],
    ]
    for (const [method, params] of calls) {
      await both(({ hand: { rpc } }) => codeOf(rpc, method, params))
    }
  })

  test('both nodes return a transaction and its inputs alike in pool and block', async () => {
    await both(async ({ hand }) => {
      const txid = await hand.pay({ payees: [{ to: STRANGER, amount: 12_345n }] })
      const waiting = await hand.rpc<Told>('getrawtransaction', [txid, 1])
      const hash = await hand.mineExactly([txid])
      const mined = await hand.rpc<Told>('getrawtransaction', [txid, 2, hash])
      const out = await hand.rpc<Record<string, unknown>>('gettxout', [txid, 0, false])
      const { confirmations, value, coinbase } = out
      return {
        waiting: shapeOf(waiting),
        mined: shapeOf(mined),
        fee: mined.fee,
        prevouts: mined.vin.map(({ prevout }) => prevout?.value),
        out: { confirmations, value, coinbase },
      }
    })
  })

  test('both nodes return the same errors for repeated, spent, cheap or dusty bytes', async () => {
    await both(async ({ hand }) => {
      const said: unknown[] = []
      const send = async (hex: string) => void said.push(await sayOf(hand.rpc, hex))
      const payees = [{ to: STRANGER, amount: 50_000n }]
      const first = hand.sign({ payees })
      await send(first.hex)
      await send(first.hex)
      const rivals = [
        hand.sign({ payees, instead: first.txid, fee: 2_001n }),
        hand.sign({ payees, instead: first.txid, fee: 20_000n }),
      ]
      for (const { hex } of rivals) await send(hex)
      await send(first.hex)
      const winner = rivals[1]
      await hand.mineExactly([winner?.hex ?? ''])
      await send(winner?.hex ?? '')
      await send(first.hex)
      await send(hand.sign({ payees, fee: 10n }).hex)
      await send(hand.sign({ payees: [{ to: STRANGER, amount: 293n }] }).hex)
      const late = { lockTime: 100_000, sequence: 0xfffffffe }
      await send(hand.sign({ payees, ...late }).hex)
      return said
    })
  })

  test('both nodes return an undone block to the pool, and reconnect it', async () => {
    await both(async ({ hand }) => {
      const txid = await hand.pay({ payees: [{ to: STRANGER, amount: 70_000n }] })
      const hash = await hand.mineExactly([txid])
      const states: unknown[] = []
      const look = async () => {
        const pool = await hand.rpc<string[]>('getrawmempool')
        const { confirmations } = await hand.rpc<{ confirmations: number }>('getblockheader', [
          hash,
        ])
        states.push({ waits: pool.includes(txid), confirmations })
      }
      await look()
      await hand.undo(1)
      await look()
      await hand.rpc('reconsiderblock', [hash])
      await look()
      return states
    })
  })

  test('both nodes replace a transaction by the remaining rules of BIP-125', async () => {
    await both(async ({ hand }) => {
      const owner = await ownerOf(hand, 5)
      const said: unknown[] = []
      const send = async (signed: SignedBitcoin) =>
        void said.push(await sayOf(hand.rpc, signed.hex))
      const [first, second, third, other] = owner.coins
      // One that does not say that it may be replaced, and its child.
      const parent = owner.sign({ coins: [first], fee: 1_000n, sequence: 0xffffffff })
      const child = owner.sign({ coins: [outputOf(owner, parent)], fee: 3_000n })
      for (const one of [parent, child]) await send(one)
      await send(owner.sign({ coins: [first], fee: 4_050n }))
      await send(owner.sign({ coins: [first], fee: 4_109n }))
      const winner = owner.sign({ coins: [first], fee: 4_110n })
      await send(winner)
      // One that spends what is not in a block, where the first did not.
      const waits = owner.sign({ coins: [second], fee: 1_000n })
      const rival = owner.sign({ coins: [third], fee: 1_000n })
      for (const one of [waits, rival]) await send(one)
      await send(owner.sign({ coins: [third, outputOf(owner, waits)], fee: 30_000n }))
      // One that spends what it replaces.
      await send(owner.sign({ coins: [second, outputOf(owner, waits)], fee: 30_000n }))
      // A higher fee, but a lower rate.
      const small = owner.sign({ coins: [other], fee: 2_000n })
      const many = Array.from({ length: 60 }, () => ({ to: STRANGER, amount: 1_000n }))
      for (const one of [small, owner.sign({ coins: [other], fee: 5_000n, payees: many })]) {
        await send(one)
      }
      const waiting = new Set(await hand.rpc<string[]>('getrawmempool'))
      const ours = [parent, child, winner, waits, rival, small].map(({ txid }) => waiting.has(txid))
      await hand.mineExactly([winner, waits, rival, small].map(({ hex }) => hex))
      return { said, ours }
    })
  })

  test('both nodes limit the ancestors and descendants of a pool transaction', async () => {
    await both(async ({ hand }) => {
      const owner = await ownerOf(hand, 1)
      const said: unknown[] = []
      let coins = owner.coins
      const hexes: string[] = []
      let last = ''
      for (let long = 1; long <= 26; long += 1) {
        const signed = owner.sign({ coins, fee: 500n })
        said.push(await sayOf(hand.rpc, signed.hex))
        hexes.push(signed.hex)
        if (long === 25) last = signed.txid
        coins = [outputOf(owner, signed)]
      }
      const entry = await hand.rpc<Record<string, unknown>>('getmempoolentry', [last])
      const { ancestorcount, descendantcount, fees, depends } = entry
      await hand.mineExactly(hexes.slice(0, 25))
      return { said, ancestorcount, descendantcount, fees, parents: Object(depends).length }
    })
  })

  test('both nodes refuse an absurd fee and burnt amounts', async () => {
    await both(async ({ hand }) => {
      const owner = await ownerOf(hand, 1)
      const dear = owner.sign({ coins: owner.coins, fee: 2_000_000n })
      const burnt = owner.sign({
        coins: owner.coins,
        fee: 2_000n,
        scripts: [{ script: Buffer.from('6a0101', 'hex'), value: 1_000n }],
      })
      return [await sayOf(hand.rpc, dear.hex), await sayOf(hand.rpc, burnt.hex)]
    })
  })

  test('both nodes return an output with and without the pool', async () => {
    await both(async ({ hand }) => {
      const owner = await ownerOf(hand, 1)
      const [coin] = owner.coins
      const ask = async (txid: string, vout: number, countsWaiting: boolean) => {
        const out = await hand.rpc<unknown>('gettxout', [txid, vout, countsWaiting])
        if (out === null) return null
        const { confirmations, value } = Object(out)
        return { confirmations, value }
      }
      const { txid, hex } = owner.sign({ coins: [coin], fee: 1_000n })
      await hand.rpc('sendrawtransaction', [hex])
      const points: [string, number][] = [
        [coin?.txid ?? '', coin?.vout ?? 0],
        [txid, 0],
        [txid, 9],
      ]
      const told: unknown[] = []
      for (const [of, vout] of points) {
        told.push(await ask(of, vout, true), await ask(of, vout, false))
      }
      await hand.mineExactly([hex])
      return told
    })
  })

  test('both nodes mine parents before children, and return the fee of a block', async () => {
    await both(async ({ hand }) => {
      const owner = await ownerOf(hand, 2)
      const [first, second] = owner.coins
      const parent = owner.sign({ coins: [first], fee: 300n })
      const child = owner.sign({ coins: [outputOf(owner, parent)], fee: 9_000n })
      const alone = owner.sign({ coins: [second], fee: 2_000n })
      for (const { hex } of [alone, parent, child]) await hand.rpc('sendrawtransaction', [hex])
      const pool = await hand.rpc<Record<string, unknown>>('getmempoolinfo')
      const entries = await hand.rpc<Record<string, object>>('getrawmempool', [true])
      const estimate = await hand.rpc<Record<string, unknown>>('estimatesmartfee', [3])
      const [hash] = await hand.rpc<string[]>('generatetoaddress', [1, STRANGER])
      const { tx } = await hand.rpc<{ tx: string[] }>('getblock', [hash, 1])
      const { mempoolminfee, minrelaytxfee, incrementalrelayfee, size } = pool
      const [before = -1, after = -1] = [parent, child].map(({ txid }) => tx.indexOf(txid))
      return {
        mined: [before > 0, after > before, tx.includes(alone.txid)],
        prices: { mempoolminfee, minrelaytxfee, incrementalrelayfee, size },
        estimate: Object.keys(estimate).includes('feerate'),
        entry: namesOf(entries[parent.txid]),
      }
    })
  })
})

interface Told {
  vin: { prevout?: { value: number } }[]
  vout: unknown[]
  fee?: number
}

/** The keys of the answer, and of its first input and output. */
function shapeOf(told: Told) {
  const optional = new Set(['time', 'blocktime', 'in_active_chain'])
  const names = (value: unknown) =>
    Object.keys(Object(value))
      .filter((name) => !optional.has(name))
      .sort()
  return {
    all: names(told),
    input: names(told.vin[0]),
    prevout: names(told.vin[0]?.prevout),
    output: names(told.vout[0]),
  }
}

/** Keys that both nodes have: a node may return more. */
function namesOf(value: unknown): string[] {
  const known = ['vsize', 'weight', 'ancestorcount', 'ancestorsize', 'descendantcount', 'wtxid']
  const more = ['descendantsize', 'fees', 'depends', 'spentby', 'bip125-replaceable', 'unbroadcast']
  return [...known, ...more].filter((name) => Object.hasOwn(Object(value), name))
}

/** Owner of mature coins, each of 0.1 million. */
interface Owner {
  key: BitcoinKey
  coins: KeyCoin[]
  sign: (payment: OwnPayment) => SignedBitcoin
}

interface OwnPayment {
  coins: readonly (KeyCoin | undefined)[]
  fee: bigint
  payees?: readonly { to: string; amount: bigint }[]
  scripts?: readonly { script: Buffer; value: bigint }[]
  sequence?: number
}

const OWNED = 10_000_000n
let owners = 0

async function ownerOf(hand: BitcoinTestChain['hand'], count: number): Promise<Owner> {
  owners += 1
  const key = bitcoinKey(`owner ${owners}`)
  const to = bitcoinAddress(key, kind)
  const payees = Array.from({ length: count }, () => ({ to, amount: OWNED }))
  const txid = await hand.pay({ payees })
  await hand.mine()
  const coins = payees.map((_, vout) => ({ key, txid, vout, value: OWNED }))
  const sign = ({ coins: spent, payees: paid = [], ...more }: OwnPayment) =>
    signBitcoin({ kind, coins: spent.filter((one) => one !== undefined), payees: paid, ...more })
  return { key, coins, sign }
}

/** The change of a transaction: its last output. */
function outputOf({ key }: Owner, { txid, transaction }: SignedBitcoin): KeyCoin {
  const vout = transaction.outputs.length - 1
  return { key, txid, vout, value: transaction.outputs[vout]?.value ?? 0n }
}

async function codeOf(rpc: BitcoinRpc, method: string, params: readonly unknown[]) {
  try {
    return { answer: await rpc(method, params) }
  } catch (error) {
    if (error instanceof RpcError) return { code: error.code }
    throw error
  }
}

/** Whether bytes were taken, or the code and the first words of the refusal. */
async function sayOf(rpc: BitcoinRpc, hex: string): Promise<string> {
  try {
    await rpc('sendrawtransaction', [hex])
    return 'taken'
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const reason = error.message.replace('sendrawtransaction: ', '').split(/[,(]/)[0] ?? ''
    // Knots has its own term for dust outputs that are not anchors.
    return `${error.code} ${reason.trim().replace('-nonanchor', '')}`
  }
}
