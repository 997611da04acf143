import { blockJson, startTronNode, tronWallet } from '@sluice/simulator'
import type { Busy, Script } from '@sluice/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { Block } from '../../src/chains/port.ts'
import { openTronWorld } from './tron-world.ts'
import type { TronWorld } from './tron-world.ts'

const LONG_MS = 600_000

describe('a TRON chain', () => {
  let world: TronWorld
  beforeAll(async () => {
    world = await openTronWorld()
  })
  beforeEach(async () => {
    await world.node.mend()
    world.tron.setBusy(null)
    world.pass(LONG_MS)
  })
  afterAll(() => world.close())

  const head = async (adapter: ChainAdapter = world.adapter): Promise<Block> => {
    const tip = await adapter.tip()
    const tokens = world.token ? [world.token.id] : []
    const block = await adapter.blockAt({ height: tip.head.height }, { tokens })
    if (!block) throw new Error('no block at the head')
    return block
  }
  const brief = (block: Block, to: string) =>
    block.transfers.filter((one) => one.to === to).map(({ position, amount }) => [position, amount])
  const run = async (script: (self: string) => Script) => {
    world.chain.runScript(script)
    world.chain.mine()
    return head()
  }
  const log = (to: string, amount: bigint, token = world.contract) =>
    world.chain.transferLog({ token, from: tronWallet('payer').address, to, amount })

  test.each([
    'REVERT',
    'OUT_OF_ENERGY',
    'OUT_OF_TIME',
    'BAD_JUMP_DESTINATION',
    'JVM_STACK_OVER_FLOW',
    'TRANSFER_FAILED',
  ])('a call that ended with %s moves nothing [T01]', async (result) => {
    const to = world.freshAddress()
    const internals = (self: string) => [{ from: self, to: tronWallet('x').hex, amount: 7n }]
    const block = await run((self) => ({
      result,
      logs: [log(to, 5n)],
      internals: internals(self).map((one) => ({ ...one, rejected: true })),
    }))
    expect(block.transfers).toEqual([])
    expect(block.transactions).toMatchObject([{ succeeded: false }])
  })

  test('a TRC-10 asset is ignored under any name [T02]', async () => {
    const to = world.freshAddress()
    for (const name of ['USDT', 'TRX', '1000001']) world.chain.payAsset({ to, amount: 5n, name })
    world.chain.mine()
    const block = await head()
    expect(block.transactions).toHaveLength(3)
    expect(block.transfers).toEqual([])
  })

  test('a token of the same name at another address is ignored [T03]', async () => {
    const to = world.freshAddress()
    const fake = world.chain.deployToken({ name: 'Tether USD', symbol: 'USDT', decimals: 6 })
    world.chain.payToken({ to, amount: 10n ** 12n, token: fake })
    world.chain.mine()
    expect(brief(await head(), to)).toEqual([])
  })

  test('a contract’s payments are ranked among all coins to one account [T04]', async () => {
    const [paid, other] = [tronWallet('paid'), tronWallet('other')]
    const block = await run((self) => {
      const pay = (to: string, amount: bigint, more = {}) => ({ from: self, to, amount, ...more })
      return {
        internals: [
          pay(paid.hex, 5n),
          pay(paid.hex, 6n, { rejected: true }),
          pay(other.hex, 7n),
          pay(paid.hex, 0n),
          pay(paid.hex, 8n, { note: 'freezeBalanceV2ForEnergy' }),
          pay(paid.hex, 9n),
        ],
      }
    })
    expect(brief(block, paid.address)).toEqual([
      ['call:0', 5n],
      ['call:1', 9n],
    ])
    expect(brief(block, other.address)).toEqual([['call:0', 7n]])
    const { hash } = block
    const off = await world.openAdapter({ traces: 'off' }).blockAt({ hash }, { tokens: [] })
    expect(off?.transfers).toEqual([])
  })

  test('the log of a listed contract takes precedence over the call data [T05]', async () => {
    const [meant, moved] = [world.freshAddress(), world.freshAddress()]
    const block = await run(() => ({ logs: [log(moved, 3n), log(meant, 0n)] }))
    expect(brief(block, meant)).toEqual([])
    expect(brief(block, moved)).toEqual([['log:0', 3n]])
  })

  test('odd logs are ignored, and other logs are returned [E11 E14]', async () => {
    const [one, two] = [world.freshAddress(), world.freshAddress()]
    const good = log(one, 3n)
    const [topic = '', from = '', to = ''] = good.topics
    const block = await run(() => ({
      logs: [
        { ...good, topics: [topic] },
        { ...good, topics: [topic, from, to, from] },
        { ...good, data: '' },
        { ...good, topics: [topic, from, `ff${to.slice(2)}`] },
        good,
        { ...good, topics: [topic, from, `${'0'.repeat(22)}41${to.slice(24)}`] },
        log(two, 2n ** 256n - 1n),
        log(one, 3n, tronWallet('unlisted').address),
      ],
    }))
    expect(brief(block, one)).toEqual([
      ['log:4', 3n],
      ['log:5', 3n],
    ])
    expect(brief(block, two)).toEqual([['log:6', 2n ** 256n - 1n]])
  })

  test('amounts beyond 2^53 are exact', async () => {
    const to = world.freshAddress()
    const amount = 90_071_992_547_409_931n
    world.chain.pay({ to, amount })
    world.chain.mine()
    const block = await head()
    expect(brief(block, to)).toEqual([['tx', amount]])
    expect(await world.adapter.balanceOf(to, world.nativeId, 'head')).toBe(amount)
    world.chain.mine(world.chain.solidLag)
    const at = { height: block.height, hash: block.hash }
    expect(await world.adapter.balanceOf(to, world.nativeId, at)).toBe(amount)
    expect(await world.adapter.settledBalance(to, world.nativeId)).toEqual({ amount, at })
  })

  test('a block is final only if the solid chain has it with the same id [T06]', async () => {
    world.chain.mine(3)
    const { head: top, final } = await world.adapter.tip()
    expect(final).toEqual({ height: top.height - 18, hash: world.chain.solid().id })
    world.proxy.rules.add({
      match: { method: /^\/walletsolidity/ },
      action: { do: 'dropBefore' },
    })
    world.pass(LONG_MS)
    await expect(world.adapter.tip()).rejects.toBeInstanceOf(Outage)
  })

  test('a solid block above the head is returned at the height of the head [T06]', async () => {
    world.chain.solidLag = 0
    const ahead = world.chain.head().height
    const [behind] = [world.chain.at(ahead - 2)]
    const lagging = { do: 'http', status: 200, body: '' } as const
    if (behind === null || behind === undefined) throw new Error('no block')
    const body = JSON.stringify(blockJson(behind, { detail: false }))
    const match = {
      method: '/wallet/getblock',
      params: ([param]: readonly unknown[]) => Object(param).id_or_num === undefined,
    }
    world.proxy.rules.add({ match, action: { ...lagging, body } })
    try {
      const tip = await world.adapter.tip()
      expect(tip.head).toEqual({ height: behind.height, hash: behind.id })
      expect(tip.final).toEqual(tip.head)
    } finally {
      world.chain.solidLag = 18
    }
  })

  test('a block with a missing receipt is an outage [T10]', async () => {
    const to = world.freshAddress()
    world.chain.pay({ to, amount: 5n })
    world.chain.payToken({ to, amount: 5n, token: world.contract })
    world.chain.mine()
    const match = { method: '/wallet/gettransactioninfobyblocknum' }
    const { height } = world.chain.head()
    const whole = world.chain.head().executed.map(({ info }) => info)
    const texts = (infos: unknown[]) =>
      JSON.stringify(infos, (_key, one: unknown) => (typeof one === 'bigint' ? Number(one) : one))
    const bodies = [
      '[]',
      '{}',
      texts(whole.slice(1)),
      texts(whole.toReversed()),
      texts([whole[0], whole[0]]),
    ]
    for (const body of bodies) {
      const rule = world.proxy.rules.add({ match, action: { do: 'http', status: 200, body } })
      await expect(world.adapter.blockAt({ height }, { tokens: [] })).rejects.toThrow(Outage)
      rule.remove()
      world.pass(LONG_MS)
    }
    expect(brief(await head(), to)).toHaveLength(2)
  })

  test('a fork of the same height and time between two answers is an outage [N01]', async () => {
    const { chain } = world
    const to = world.freshAddress()
    const id = chain.payToken({ to, amount: 5n, token: world.contract })
    chain.mine()
    const { height } = chain.head()
    const infos = JSON.stringify(
      chain.head().executed.map(({ info }) => info),
      (_key, one) => (typeof one === 'bigint' ? Number(one) : one),
    )
    // The token stops before the other fork executes the same transaction.
    chain.setToken(world.contract, { isPaused: true })
    let turned = false
    const turn = () => {
      if (turned) return false
      turned = true
      chain.reorg({ depth: 1, keep: new Map([[id, height]]) })
      return false
    }
    const match = { method: '/wallet/gettransactioninfobyblocknum', params: turn }
    world.proxy.rules.add({ match, action: { do: 'delay', ms: 0 } })
    const tokens = world.token ? [world.token.id] : []
    expect(await world.adapter.blockAt({ height }, { tokens })).toBeNull()
    chain.setToken(world.contract, { isPaused: false })
    const after = await world.adapter.blockAt({ height }, { tokens })
    expect(after?.transactions).toMatchObject([{ txnHash: id, succeeded: false }])
    expect(infos).toContain(id)
  })

  test('a block with altered transactions is an outage [N09]', async () => {
    const to = world.freshAddress()
    world.chain.pay({ to, amount: 5n })
    world.chain.mine()
    const { height } = world.chain.head()
    const forge = (body: string) => body
    const original = await (
      await fetch(`${world.tron.url}/wallet/getblockbylimitnext`, {
        method: 'POST',
        body: JSON.stringify({ startNum: height, endNum: height + 1 }),
      })
    ).text()
    const forged = [
      forge(original).replace(/"contractRet":"SUCCESS"/, '"contractRet":"REVERT"'),
      original.replace(/"raw_data_hex":"0a/, '"raw_data_hex":"0b'),
      original.replace(/"transactions":\[.*\]\}\]/, '"transactions":[]}]'),
      original.replace(/"timestamp":17/, '"timestamp":18'),
      original.replace(/"blockID":"0000/, '"blockID":"0001'),
    ]
    for (const body of forged) {
      expect(body).not.toBe(original)
      const match = { method: '/wallet/getblockbylimitnext' }
      const rule = world.proxy.rules.add({ match, action: { do: 'http', status: 200, body } })
      await expect(world.adapter.blockAt({ height }, { tokens: [] })).rejects.toThrow(Outage)
      rule.remove()
      world.pass(LONG_MS)
    }
  })

  test.each<[Busy, number]>([
    ['resources', 3_000],
    ['suspended-200', 30_000],
    ['suspended-403', 30_000],
    ['suspended-429', 30_000],
    ['too-many-429', 7_000],
    ['too-many-text', 3_000],
    ['away-503', 3_000],
  ])('a node that refuses requests is left alone: %s [N07]', async (busy, pauseMs) => {
    world.tron.setBusy(busy)
    const error: unknown = await world.adapter.tip().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Outage)
    const asked = error instanceof Outage ? (error.retryAfterMs ?? 0) : 0
    expect(asked).toBeGreaterThanOrEqual(pauseMs)
    // The pauses of failures in a row end at fifteen seconds.
    expect(asked).toBeLessThanOrEqual(Math.max(pauseMs, 15_000) * 1.1)
    const before = Object.values(world.tron.counts).reduce((sum, one) => sum + one, 0)
    await expect(world.adapter.tip()).rejects.toBeInstanceOf(Outage)
    expect(Object.values(world.tron.counts).reduce((sum, one) => sum + one, 0)).toBe(before)
  })

  test('a node with another block at the height is named [N05]', async () => {
    const other = await startTronNode({ startTime: Date.UTC(2026, 0, 2) })
    other.chain.mine(40)
    const adapter = world.openAdapter({ nodes: [{ url: world.proxy.url }, { url: other.url }] })
    await adapter.identify()
    const { head: ref } = await adapter.tip()
    const lower = { height: 12, hash: world.chain.at(12)?.id ?? '' }
    expect((await adapter.dissent(lower)).opposed).toEqual([other.url])
    await expect(adapter.dissent({ ...ref, height: 999_999 })).rejects.toBeInstanceOf(Outage)
    await other.stop()
  })

  test('the two interfaces may have two addresses, and both receive the key', async () => {
    const wallet = await startTronNode({ chain: world.chain, sides: ['wallet'] })
    const solid = await startTronNode({ chain: world.chain, sides: ['walletsolidity'] })
    const headers = { 'TRON-PRO-API-KEY': 'a key' }
    const node = { url: wallet.url, solidity: solid.url, headers }
    const tip = await world.openAdapter({ nodes: [node] }).tip()
    expect(tip.final?.hash).toBe(world.chain.solid().id)
    for (const one of [wallet, solid]) expect(one.headers()['tron-pro-api-key']).toBe('a key')
    await expect(world.openAdapter({ nodes: [{ url: wallet.url }] }).tip()).rejects.toThrow(Outage)
    await wallet.stop()
    await solid.stop()
  })

  test('TRC-20 received before the activation of an address counts in its balance', async () => {
    const to = world.freshAddress()
    world.chain.payToken({ to, amount: 777n, token: world.contract })
    world.chain.mine()
    const token = world.token?.id
    if (token === undefined) throw new Error('no token')
    const tip = await world.adapter.tip()
    world.chain.mine(world.chain.solidLag)
    for (const ref of [tip.head, 'head'] as const) {
      expect(await world.adapter.balanceOf(to, token, ref)).toBe(777n)
      expect(await world.adapter.balanceOf(to, world.nativeId, ref)).toBe(0n)
    }
  })

  test('a transaction is looked up while pending, succeeded or failed', async () => {
    const to = world.freshAddress()
    const tokens = world.token ? [world.token.id] : []
    const { adapter, chain } = world
    const id = chain.payToken({ to, amount: 7n, token: world.contract })
    const coins = chain.pay({ to, amount: 5n })
    const meant = { to, amount: 7n, tokenId: world.token?.id }
    expect(await adapter.transaction(id, { tokens })).toMatchObject({
      block: null,
      succeeded: null,
      transfers: [],
      apart: [meant],
    })
    chain.mine()
    const ref = { height: chain.head().height, hash: chain.head().id }
    const seen = await adapter.transaction(id, { tokens })
    expect(seen).toMatchObject({ block: ref, succeeded: true, transfers: [meant], apart: [] })
    const unlisted = await adapter.transaction(id, { tokens: [] })
    expect(unlisted).toMatchObject({ succeeded: true, transfers: [], apart: [meant] })
    const native = await adapter.transaction(coins, { tokens })
    expect(native).toMatchObject({ transfers: [{ position: 'tx', amount: 5n }], apart: [] })
    chain.setToken(world.contract, { isPaused: true })
    const failing = chain.payToken({ to, amount: 8n, token: world.contract })
    chain.mine()
    chain.setToken(world.contract, { isPaused: false })
    expect(await adapter.transaction(failing, { tokens })).toMatchObject({
      succeeded: false,
      transfers: [],
      apart: [{ ...meant, amount: 8n }],
    })
    expect(await adapter.transaction('ab'.repeat(32), { tokens })).toBeNull()
  })
})
