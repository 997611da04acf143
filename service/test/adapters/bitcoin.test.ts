import type { FaultAction } from '@sluice/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { whyNoBitcoind } from '../support/bitcoind.ts'
import {
  type BitcoinWorld,
  bitcoinWorlds,
  openBitcoindWorld,
  openSimulatedBitcoinWorld,
} from './bitcoin-world.ts'
import { describeAdapter } from './conformance.ts'

describeAdapter('Bitcoin, of the simulated node,', () => openSimulatedBitcoinWorld())
describeAdapter('Bitcoin, of the simulated node of regtest with REST,', () =>
  openSimulatedBitcoinWorld('regtest', { rest: true }),
)
describe.skipIf(whyNoBitcoind !== null)(`with a real node ${whyNoBitcoind ?? ''}`, () => {
  describeAdapter('Bitcoin', () => openBitcoindWorld({ rest: true }))
})

describe('an unfit Bitcoin node', () => {
  let world: BitcoinWorld
  beforeAll(async () => {
    world = await openSimulatedBitcoinWorld()
  })
  beforeEach(() => {
    world.proxy.rules.clear()
    world.pass(600_000)
  })
  afterAll(() => world.close())

  const says = (change: Record<string, unknown>) => {
    world.proxy.rules.add({
      match: { method: 'getblockchaininfo' },
      action: { do: 'mutate', change: (result: object) => ({ ...result, ...change }) },
    })
  }

  test.each([
    ['is pruned', { pruned: true }, /pruned/],
    ['is still downloading', { initialblockdownload: true }, /downloading/],
  ])('a node that %s is refused with the reason [N16]', async (_name, change, reason) => {
    says(change)
    const [report] = await world.adapter.identify()
    expect(report?.outcome).toMatchObject({ state: 'unreachable' })
    expect(JSON.stringify(report?.outcome)).toMatch(reason)
    await expect(world.adapter.tip()).rejects.toThrow(reason)
  })

  test('a node that returns other inputs than the block has is an outage [B15]', async () => {
    const to = world.freshAddress()
    await world.payNative(to, 10_000n)
    await world.mine()
    const { head } = await world.adapter.tip()
    const scope = { tokens: [], mayWatch: (one: string) => one === to }
    world.proxy.rules.add({
      match: { method: 'getrawtransaction' },
      action: {
        do: 'mutate',
        change: (result: { vin: object[] }) => {
          return { ...result, vin: result.vin.map((one) => ({ ...one, vout: 77 })) }
        },
      },
    })
    await expect(world.adapter.blockAt(head, scope)).rejects.toThrow('another input')
  })

  test('a node without spent outputs yields deposits without sender [B15]', async () => {
    const to = world.freshAddress()
    await world.payNative(to, 10_000n)
    await world.mine()
    const { head } = await world.adapter.tip()
    const scope = { tokens: [], mayWatch: (one: string) => one === to }
    expect((await world.adapter.blockAt(head, scope))?.transfers).toMatchObject([
      { to, from: world.hand.address },
    ])
    world.proxy.rules.add({
      match: { method: 'getrawtransaction' },
      action: {
        do: 'mutate',
        change: (result: { vin: object[] }) => {
          return { ...result, vin: result.vin.map((one) => ({ ...one, prevout: undefined })) }
        },
      },
    })
    expect((await world.adapter.blockAt(head, scope))?.transfers).toMatchObject([{ to, from: '' }])
  })
})

const REST_BLOCK = /^\/rest\/block\//

const REST_NODES = bitcoinWorlds({ rest: true })

describe.each(REST_NODES)('blocks as bytes, of $name', ({ open, isThere }) => {
  describe.runIf(isThere)('which offers them', () => {
    let world: BitcoinWorld
    beforeAll(async () => {
      world = await open()
    })
    beforeEach(async () => {
      world.proxy.rules.clear()
      world.pass(600_000)
      await world.adapter.identify()
    })
    afterAll(() => world.close())

    /** Reads the head block, and counts the requests by kind. */
    const look = async () => {
      const { counts } = world.proxy
      const sum = (way: RegExp) =>
        Object.entries(counts).reduce((all, [name, many]) => all + (way.test(name) ? many : 0), 0)
      const before = [sum(REST_BLOCK), sum(/^getblock$/)]
      const { head } = await world.adapter.tip()
      const block = await world.adapter.blockAt({ hash: head.hash }, { tokens: [] })
      const after = [sum(REST_BLOCK), sum(/^getblock$/)]
      return { block, ways: after.map((many, at) => many - (before[at] ?? 0)) }
    }

    test('bytes of REST equal those of the calls, which replace wrong bytes [N09]', async () => {
      await world.payNative(world.freshAddress(), 10_000n)
      await world.mine()
      const right = await look()
      expect(right.ways).toEqual([1, 0])
      expect(right.block?.transfers).not.toEqual([])
      const wrongs: FaultAction[] = [
        { do: 'http', status: 404, body: 'not found' },
        { do: 'malformed' },
        { do: 'truncate' },
        { do: 'dropBefore' },
      ]
      for (const action of wrongs) {
        world.proxy.rules.clear()
        world.proxy.rules.add({ match: { method: REST_BLOCK }, action })
        expect(await look()).toEqual({ block: right.block, ways: [1, 1] })
      }
    })

    test('bytes are not requested when the node no longer offers them', async () => {
      world.proxy.rules.add({ match: { method: /^\/rest/ }, action: { do: 'http', status: 404 } })
      await world.adapter.identify()
      expect((await look()).ways).toEqual([0, 1])
      world.proxy.rules.clear()
      world.proxy.rules.add({
        match: { method: /^\/rest/ },
        action: { do: 'http', status: 200, body: '<html>welcome</html>' },
      })
      await world.adapter.identify()
      expect((await look()).ways).toEqual([0, 1])
    })
  })
})
