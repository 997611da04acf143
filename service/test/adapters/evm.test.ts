import {
  devWallet,
  encodeCall,
  ethSplitterInitCode,
  deploy,
  oddTransfersInitCode,
  selfDestructPayer,
  send,
  signTransaction,
} from '@sluice/simulator'
import type { Anvil } from '@sluice/simulator'
import type { TokenId } from '@sluice/wire'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { Block } from '../../src/chains/port.ts'
import { parseToken } from './brands.ts'
import { describeAdapter } from './conformance.ts'
import { openSimulatedWorld } from './evm-simulated-world.ts'
import { openEvmWorld } from './evm-world.ts'
import type { EvmWorld } from './evm-world.ts'

describeAdapter('EVM', () => openEvmWorld())
describeAdapter('EVM, of a trusted node with callTracer,', () =>
  openEvmWorld({ completeness: 'logs', traces: 'debug' }),
)
describeAdapter('EVM, of the simulated node,', () => openSimulatedWorld())
describeAdapter('EVM, of a trusted simulated node,', () =>
  openSimulatedWorld({ completeness: 'logs', traces: 'debug' }),
)

describe('an EVM chain', () => {
  let world: EvmWorld
  beforeAll(async () => {
    world = await openEvmWorld()
  })
  beforeEach(() => {
    world.proxy.rules.clear()
    world.pass(600_000)
  })
  afterAll(() => world.close())

  const head = async (adapter: ChainAdapter = world.adapter): Promise<Block> => {
    const tip = await adapter.tip()
    const tokens = world.token ? [world.token.id] : []
    const block = await adapter.blockAt({ hash: tip.head.hash }, { tokens })
    if (!block) throw new Error('no block at the head')
    return block
  }
  const brief = (block: Block, to: string) =>
    block.transfers.filter((one) => one.to === to).map(({ position, amount }) => [position, amount])
  const modes = [
    ['trace_block', { traces: 'trace' }],
    ['callTracer', { traces: 'debug' }],
    ['logs alone', { traces: 'trace', completeness: 'logs' }],
  ] as const

  test.each(modes)(
    'inner payments count unless their frame failed: %s [E02 E03]',
    async (_n, mode) => {
      const splitter = await deploy(world.anvil, devWallet(0), ethSplitterInitCode())
      await world.anvil.mine()
      const [lost, kept] = [world.freshAddress(), world.freshAddress()]
      const call = (name: string, values: (string[] | bigint[])[], value: bigint) => {
        const types = values.map((_, at) => (at % 2 === 0 ? 'address[]' : 'uint256[]'))
        const data = encodeCall(`${name}(${types.join(',')})`, values)
        return world.sendFrom({ to: splitter.address, value, data, gas: 2_000_000 })
      }
      await call(
        'pay',
        [
          [kept, kept],
          [5n, 6n],
        ],
        11n,
      )
      await call('payThenRevert', [[lost], [5n]], 5n)
      await call('payCaught', [[lost], [6n], [kept], [7n]], 13n)
      await world.anvil.mine()
      const adapter = world.openAdapter(mode)
      const block = await head(adapter)
      expect(brief(block, lost)).toEqual([])
      expect(brief(block, kept)).toEqual([
        ['call:0', 5n],
        ['call:1', 6n],
        ['call:0', 7n],
      ])
    },
  )

  test.each(modes)('a self-destruction of a contract pays: %s [E04]', async (_n, mode) => {
    const to = world.freshAddress()
    await world.sendFrom({ data: selfDestructPayer(to), value: 8n })
    await world.anvil.mine()
    expect(brief(await head(world.openAdapter(mode)), to)).toEqual([['call:0', 8n]])
  })

  test('a payment to an account whose code reverts is no transfer [E01]', async () => {
    const to = world.freshAddress()
    await world.anvil.rpc('anvil_setCode', [to, '0x60006000fd'])
    const { hash } = await world.sendFrom({ to, value: 10n ** 18n })
    await world.anvil.mine()
    await world.anvil.rpc('anvil_setCode', [to, '0x'])
    for (const [, mode] of [...modes, ['off', { traces: 'off', completeness: 'logs' }] as const]) {
      const block = await head(world.openAdapter(mode))
      expect(brief(block, to)).toEqual([])
      const outcome = block.transactions.find(({ txnHash }) => txnHash === hash)
      expect(outcome?.succeeded).toBe(false)
    }
  })

  test('odd Transfer logs of a listed contract are ignored [E11]', async () => {
    const to = world.freshAddress()
    const odd = await deploy(world.anvil, devWallet(0), oddTransfersInitCode())
    const signature = 'emitOddThenProper(address,address,uint256)'
    const values = [world.freshAddress(), to, 7n]
    await world.sendFrom({ to: odd.address, data: encodeCall(signature, values) })
    await world.anvil.mine()
    const { head: ref } = await world.adapter.tip()
    const listed = parseToken(`${world.adapter.chainId}/erc20:${odd.address.toLowerCase()}`)
    const block = await world.adapter.blockAt(ref, { tokens: [listed] })
    expect(block && brief(block, to)).toEqual([['log:3', 7n]])
  })

  test('a token with a long answer does not hide other balances [N09]', async () => {
    const { adapter, token, anvil } = world
    if (!token) throw new Error('no token')
    const to = world.freshAddress()
    await world.payToken(to, 7n)
    const long = await Promise.all(
      [600_000, 3_000_000].map((bytes) => tokenThatAnswers(anvil, world.freshAddress(), bytes)),
    )
    await anvil.mine()
    const { head: ref } = await adapter.tip()
    const asked = [...long, token.id, ...long].map((id) => adapter.balanceOf(to, id, ref))
    expect(await Promise.all(asked)).toEqual([0n, null, 7n, 0n, null])
  })

  test('fifty token transfers in one transaction are fifty transfers [E14]', async () => {
    const { token } = world
    if (!token) throw new Error('no token')
    const receivers = Array.from({ length: 50 }, () => world.freshAddress())
    const to = token.id.split(':').at(-1) ?? ''
    const data = encodeCall('batchTransfer(address[],uint256[])', [
      receivers,
      receivers.map(() => 3n),
    ])
    await world.sendFrom({ to, data, gas: 10_000_000 })
    await world.anvil.mine()
    const block = await head()
    expect(receivers.map((one) => brief(block, one))).toEqual(
      receivers.map((_, at) => [[`log:${at}`, 3n]]),
    )
  })

  test('legacy transactions without a chain id are returned [E21]', async () => {
    const to = world.freshAddress()
    const wallet = devWallet(3)
    const raw = signTransaction(wallet, {
      type: 'legacy',
      nonce: 0,
      to,
      value: 4n,
      gas: 21_000,
      gasPrice: 100_000_000_000n,
    })
    await world.anvil.rpc('eth_sendRawTransaction', [raw])
    await world.anvil.mine()
    expect(brief(await head(), to)).toEqual([['tx', 4n]])
  })

  test('a block of 300 transactions is verified completely', async () => {
    const to = world.freshAddress()
    const wallet = devWallet(4)
    const sends = Array.from({ length: 300 }, (_, nonce) =>
      send(world.anvil, wallet, { to, value: 2n, gas: 21_000, nonce }),
    )
    await Promise.all(sends)
    await world.anvil.mine()
    expect(brief(await head(), to)).toHaveLength(300)
  })

  test('missing receipts never count as an empty block [N01]', async () => {
    const to = world.freshAddress()
    await world.payToken(to, 5n)
    await world.anvil.mine()
    const { head: ref } = await world.adapter.tip()
    const match = { method: 'eth_getBlockReceipts', times: 3 }
    world.proxy.rules.add({ match, action: { do: 'emptyResult' } })
    const tokens = world.token ? [world.token.id] : []
    const seen: (Block | null)[] = []
    for (let round = 0; round < 6 && seen.length === 0; round += 1) {
      world.pass(60_000)
      await world.adapter.blockAt(ref, { tokens }).then(
        (block) => seen.push(block),
        (error: unknown) => expect(error).toBeInstanceOf(Outage),
      )
    }
    expect(seen[0] && brief(seen[0], to)).toEqual([['log:0', 5n]])
  })

  test('a truncated list of receipts or logs is an outage [N03]', async () => {
    for (let round = 0; round < 3; round += 1) await world.payToken(world.freshAddress(), 5n)
    await world.anvil.mine()
    const adapters = [world.adapter, world.openAdapter({ completeness: 'logs' })]
    const { head: ref } = await world.adapter.tip()
    const cut = (list: never[]) => list.slice(1)
    const match = { method: /eth_getBlockReceipts|eth_getLogs/ }
    world.proxy.rules.add({ match, action: { do: 'mutate', change: cut } })
    for (const adapter of adapters) {
      await expect(adapter.blockAt(ref, { tokens: [] })).rejects.toBeInstanceOf(Outage)
    }
  })

  test('a busy node is left alone for the time it names [N07]', async () => {
    const headers = { 'retry-after': '120' }
    world.proxy.rules.add({ action: { do: 'http', status: 429, headers } })
    await expect(world.adapter.tip()).rejects.toMatchObject({ name: 'Outage' })
    const before = world.proxy.requests
    world.pass(119_000)
    await expect(world.adapter.tip()).rejects.toBeInstanceOf(Outage)
    expect(world.proxy.requests).toBe(before)
    world.proxy.rules.clear()
    world.pass(20_000)
    await world.adapter.tip()
  })

  test('a block with an unknown transaction type is returned [E18]', async () => {
    const to = world.freshAddress()
    await world.payNative(to, 6n)
    await world.anvil.mine()
    const { head: ref } = await world.adapter.tip()
    const change = (block: { transactions?: unknown }) => retype(block)
    const match = { method: 'eth_getBlockByHash' }
    world.proxy.rules.add({ match, action: { do: 'mutate', change } })
    const block = await world.adapter.blockAt({ hash: ref.hash }, { tokens: [] })
    expect(block && brief(block, to)).toEqual([['tx', 6n]])
  })
})

function retype(block: { transactions?: unknown }): unknown {
  const { transactions } = block
  if (!Array.isArray(transactions)) return block
  return { ...block, transactions: transactions.map((one) => ({ ...one, type: '0x7f' })) }
}

/** Places a contract that answers every call with this number of zero bytes. */
async function tokenThatAnswers(anvil: Anvil, at: string, bytes: number): Promise<TokenId> {
  const length = bytes.toString(16).padStart(6, '0')
  await anvil.rpc('anvil_setCode', [at, `0x62${length}6000f3`])
  return parseToken(`eip155:11155111/erc20:${at}`)
}
