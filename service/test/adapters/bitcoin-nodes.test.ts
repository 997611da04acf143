import {
  BITCOIN_NETWORKS,
  type BitcoinRpc,
  RpcError,
  bitcoinAddress,
  bitcoinKey,
} from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BITCOIN_NODES, type BitcoinTestChain } from '../support/bitcoin-chain.ts'
import { whyNoBitcoind } from '../support/bitcoind.ts'

const { kind } = BITCOIN_NETWORKS.regtest
const STRANGER = bitcoinAddress(bitcoinKey('stranger'), kind)
const UNKNOWN = 'ab'.repeat(32)

/**
 * What the adapter relies on, asked of the simulated node and of a real one: where the two
 * disagree, the simulated one is wrong.
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

  test('begin with the same block, byte for byte', async () => {
    await both(async ({ hand: { rpc } }) => {
      const hash = await rpc<string>('getblockhash', [0])
      const header = await rpc<Record<string, unknown>>('getblockheader', [hash])
      const { merkleroot, time, nonce, bits, version } = header
      return { hash, raw: await rpc('getblock', [hash, 0]), merkleroot, time, nonce, bits, version }
    })
  })

  test('refuse alike what they do not have', async () => {
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

  test('tell a transaction alike, waiting and in its block, with what it spent', async () => {
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

  test('answer alike to bytes again, spent, cheap, dusty and early', async () => {
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

  test('put back what an undone block held, and take it again', async () => {
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
})

interface Told {
  vin: { prevout?: { value: number } }[]
  vout: unknown[]
  fee?: number
}

/** The names of everything that is told, and of the first input and output. */
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
    // Knots has a word of its own for outputs that are dust and no anchors.
    return `${error.code} ${reason.trim().replace('-nonanchor', '')}`
  }
}
