import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import { parseChain } from './brands.ts'
import { toldBlock } from './told-block.ts'
import { holderOf, openXrplWorld, type XrplWorld } from './xrpl-world.ts'

const LONG_MS = 600_000
const SCOPE = { tokens: [] }
const UNNAMED: unknown = expect.stringContaining('xrpl:unnamed')
/** Ledger 39936 of the main network, in the list of every 256th up to ledger 65536. */
const MAIN = {
  index: '692ECE2D61FD5074F298DC168177CA6E17B7282B9630E606AE519D7FE32B5940',
  at: 39_936 / 256 - 1,
  hash: 'EE15773B6C898386E770E3613E28A8BE0D365F933648CA9AC4828AD67C998B71',
}

describe('the ledgers of an XRP Ledger', () => {
  let world: XrplWorld
  beforeEach(async () => {
    world = await openXrplWorld({ others: 1, reserve: 1_000_000n })
  })
  afterEach(() => world.close())
  const blockAt = (height: number) => world.adapter.blockAt({ height }, SCOPE)

  test('a closed ledger that is not validated is ignored [X06]', async () => {
    const { chain, adapter } = world
    chain.pay({ to: holderOf('ann'), amount: 5_000_000n, tag: 1 })
    chain.unvalidated = 1
    const { height } = chain.close()
    expect((await adapter.tip()).head.height).toBe(height - 1)
    expect(await blockAt(height)).toBeNull()
    expect(await adapter.hashAt(height)).toBeNull()
    chain.unvalidated = 0
    expect((await blockAt(height))?.transfers).toMatchObject([{ amount: 5_000_000n, tag: 1 }])
  })

  test('a gap in the history of one node is read from another [X09]', async () => {
    const { chain, nodes } = world
    chain.pay({ to: holderOf('ann'), amount: 5_000_000n, tag: 1 })
    const { height } = chain.close()
    chain.close(5)
    nodes[0]?.setMissing([[height, height + 1]])
    expect((await blockAt(height))?.transfers).toMatchObject([{ amount: 5_000_000n }])
    expect(nodes[1]?.counts['ledger']).toBeGreaterThan(0)
  })

  test('a gap in the history of all nodes is never skipped [X09]', async () => {
    const { chain, nodes } = world
    const { height } = chain.close(6)
    for (const node of nodes) node.setMissing([[height - 2, height - 1]])
    await expect(blockAt(height - 2)).rejects.toThrow(Outage)
    await expect(blockAt(height - 2)).rejects.toThrow('history missing')
    world.pass(LONG_MS)
    expect(await blockAt(height + 1)).toBeNull()
  })

  test('a node out of sync with its network is not queried', async () => {
    const { chain, nodes, adapter } = world
    chain.close()
    nodes[0]?.setServerState('syncing')
    const reports = await adapter.identify()
    expect(reports.map(({ outcome }) => outcome.state)).toEqual(['unreachable', 'serves'])
    expect((await adapter.tip()).head.height).toBe(chain.closed().height)
  })

  test('a node without a network id does not pass as the test network [N06]', async () => {
    for (const node of world.nodes) node.setNetworkId(null)
    const [report] = await world.adapter.identify()
    expect(report?.outcome).toMatchObject({ state: 'wrong-chain', answered: UNNAMED })
  })

  const LIES = [
    ['a transaction is missing', (l: Ledger) => void l.transactions.pop()],
    ['a transaction is there twice', (l: Ledger) => void l.transactions.push(...l.transactions)],
    [
      'an amount was changed',
      (l: Ledger) => {
        for (const one of l.transactions) one.meta_blob = one.meta_blob.replace('4C4B40', '4C4B41')
      },
    ],
    [
      'the header is another',
      (l: Ledger) => void (l.ledger_data = l.ledger_data.replace(/.$/, '1')),
    ],
    ['the ledger is open', (l: Ledger) => void (l.closed = false)],
  ] as const

  test.each(LIES)('an impossible answer of a node is an outage: %s [N02]', async (_name, lie) => {
    const { chain, nodes, proxy } = world
    chain.pay({ to: holderOf('ann'), amount: 5_000_000n, tag: 1 })
    const { height } = chain.close()
    const change = (result: { ledger: Ledger }) => {
      lie(result.ledger)
      return result
    }
    proxy.rules.add({ match: { method: 'ledger' }, action: { do: 'mutate', change } })
    nodes[1]?.setBusy(503)
    await expect(blockAt(height)).rejects.toThrow(Outage)
    proxy.rules.clear()
    world.pass(LONG_MS)
    expect((await blockAt(height))?.transfers).toHaveLength(1)
  })

  test('an account yields only its own transfers, fees and failures included [X05]', async () => {
    const { chain, adapter } = world
    const ann = holderOf('ann')
    chain.pay({ to: ann, amount: 5_000_000n, tag: 1 })
    chain.payPartially({ to: ann, amount: 10n ** 15n, delivered: 3n, tag: 2 })
    chain.payInVain({ to: ann, amount: 7n })
    const first = chain.close()
    chain.finishEscrow({ to: ann, amount: 11n, tag: 0 })
    chain.payIssued({ to: ann, currency: 'XRP'.padEnd(3), tag: 1 })
    const second = chain.close()
    const told = []
    for (const { height } of [first, second]) {
      const block = await toldBlock(adapter, { height }, { address: ann })
      told.push(...(block?.transfers ?? []))
    }
    expect(told.map(({ amount, tag }) => [amount, tag])).toEqual([
      [5_000_000n, 1],
      [3n, 2],
      [11n, 0],
    ])
    const { height, hash } = second
    const held = await adapter.balanceOf(ann, world.nativeId, { height, hash })
    expect(held).toBe(told.reduce((sum, { amount }) => sum + amount, 0n))
  })
})

interface Ledger {
  closed: boolean
  ledger_data: string
  transactions: { tx_blob: string; meta_blob: string }[]
}

describe('a node without a network id, for the main network', () => {
  let world: XrplWorld
  beforeEach(async () => {
    world = await openXrplWorld({ chainId: parseChain('xrpl:mainnet') })
    world.nodes[0]?.setNetworkId(null)
  })
  afterEach(() => world.close())
  const shows = (entry: object) => {
    const change = () => ({ ...entry, status: 'success' })
    const { rules } = world.proxy
    rules.add({ match: { method: 'ledger_entry' }, action: { do: 'mutate', change } })
  }
  const outcome = async () => (await world.adapter.identify())[0]?.outcome
  const listWith = (hash: string, index = MAIN.index) => {
    const hashes = Array.from({ length: 256 }, (_, at) => (at === MAIN.at ? hash : '0'.repeat(64)))
    return { node: { LedgerEntryType: 'LedgerHashes', Hashes: hashes, index }, validated: true }
  }

  test('a node without a network id is not trusted [N06]', async () => {
    expect(await outcome()).toMatchObject({ state: 'wrong-chain', answered: UNNAMED })
    shows(listWith('A'.repeat(64)))
    expect(await outcome()).toMatchObject({ state: 'wrong-chain', answered: UNNAMED })
  })

  test('a node whose state has the hash of an early main ledger is trusted [N06]', async () => {
    shows(listWith(MAIN.hash))
    const identity = { chainId: 'xrpl:mainnet', genesis: 'network-0' }
    expect(await outcome()).toMatchObject({ state: 'serves', identity })
  })

  test('an unvalidated state or another entry proves nothing [N06]', async () => {
    shows({ ...listWith(MAIN.hash), validated: false })
    expect(await outcome()).toMatchObject({ state: 'unreachable' })
    world.proxy.rules.clear()
    shows(listWith(MAIN.hash, 'B'.repeat(64)))
    expect(await outcome()).toMatchObject({ state: 'unreachable' })
  })
})
