import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { whyNoBitcoind } from '../support/bitcoind.ts'
import { type BitcoinWorld, openBitcoindWorld, openSimulatedBitcoinWorld } from './bitcoin-world.ts'
import { describeAdapter } from './conformance.ts'

describeAdapter('Bitcoin, of the simulated node,', () => openSimulatedBitcoinWorld())
describeAdapter('Bitcoin, of the simulated node of regtest,', () =>
  openSimulatedBitcoinWorld('regtest'),
)
describe.skipIf(whyNoBitcoind !== null)(`with a real node ${whyNoBitcoind ?? ''}`, () => {
  describeAdapter('Bitcoin', () => openBitcoindWorld())
})

describe('a Bitcoin node that is not fit', () => {
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
  ])('N16 because it %s is refused with the reason', async (_name, change, reason) => {
    says(change)
    const [report] = await world.adapter.identify()
    expect(report?.outcome).toMatchObject({ state: 'unreachable' })
    expect(JSON.stringify(report?.outcome)).toMatch(reason)
    await expect(world.adapter.tip()).rejects.toThrow(reason)
  })

  test('B15 names other inputs than the block has, and is not believed', async () => {
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

  test('B15 knows nothing of what was spent, and nobody is named', async () => {
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
