import type { TokenId } from '@sluice/wire'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { NodeIdentity } from '../../src/chains/options.ts'
import type { Address, Block, BlockRef, TokenFacts } from '../../src/chains/port.ts'
import type { SpendingHand } from './spending-hand.ts'

/** A chain with one node under a test's hand, and an adapter in front of it. */
export interface World {
  readonly adapter: ChainAdapter
  readonly identity: NodeIdentity
  /** The chain's own coin. */
  readonly nativeId: TokenId
  /** A token that exists; null on chains that have none. */
  readonly token: { id: TokenId; facts: TokenFacts } | null
  /** Something that is no token, though its id could be one's; null on chains without tokens. */
  readonly noTokenId: TokenId | null
  /** An unused address. */
  readonly freshAddress: () => Address
  /** Sends coins; they arrive with the next block. Answers the transaction's hash. */
  readonly payNative: (to: Address, amount: bigint) => Promise<string>
  /** Sends the token. */
  readonly payToken: (to: Address, amount: bigint) => Promise<string>
  /** Has a contract send coins; null on chains whose contracts cannot. */
  readonly payInternal: ((to: Address, amount: bigint) => Promise<string>) | null
  /** Sends coins in a transaction that is mined and fails; null on chains that mine no failures. */
  readonly payInVain: ((to: Address, amount: bigint) => Promise<string>) | null
  /** Mines blocks, of which the first holds what was sent. */
  readonly mine: (count?: number) => Promise<void>
  /** Replaces the highest blocks by as many others, without what was in them. */
  readonly reorg: (depth: number) => Promise<void>
  /** Replaces the highest blocks and puts a transaction of theirs into the last of the new ones. */
  readonly reorgKeeping: (depth: number, txnHash: string) => Promise<void>
  /** Lets time pass, for nodes that were set aside. */
  readonly pass: (ms: number) => void
  readonly node: {
    /** Starts an outage of the node. */
    readonly away: () => void
    /** The node answers, and no answer makes sense. */
    readonly nonsense: () => void
    /** The node serves another chain from now on. */
    readonly serveOtherChain: () => Promise<void>
    /** The node is as it was. */
    readonly mend: () => Promise<void>
  }
  /** Whether nodes know balances at every block (default) or at their newest final block only. */
  readonly knownStates?: 'every' | 'newest-final'
  /** False where nodes know coins and no holders: every balance is null there. */
  readonly knowsHolders?: boolean
  readonly spending: SpendingHand
  readonly close: () => Promise<void>
}

/** Longer than any node stays set aside. */
const LONG_MS = 600_000

/** The port's contract for every adapter. `openWorld` opens a separate chain for the suite. */
export function describeAdapter(name: string, openWorld: () => Promise<World>): void {
  describe(`${name} adapter`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld()
    })
    beforeEach(() => world.pass(LONG_MS))
    afterAll(() => world.close())

    describe('its node', () => {
      itsNode(() => world)
    })
    describe('its chain of blocks', () => {
      itsBlocks(() => world)
    })
    describe('transfers', () => {
      whatMoved(() => world)
    })
    describe('replacements', () => {
      whatIsReplaced(() => world)
    })
    describe('balances', () => {
      whatIsHeld(() => world)
    })
    describe('its node in trouble', () => {
      itsTroubles(() => world)
    })
  })
}

function itsNode(world: () => World): void {
  test('the adapter returns the id of its chain', async () => {
    const { adapter, identity } = world()
    const [report] = await adapter.identify()
    expect(adapter.chainId).toBe(identity.chainId)
    expect(report?.outcome).toMatchObject({ state: 'serves', identity })
    expect(report?.node).toMatch(/^https?:\/\/[^/@]+$/)
  })

  test('the tip grows with the chain', async () => {
    const { adapter, mine } = world()
    const heights: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await mine()
      heights.push((await adapter.tip()).head.height)
    }
    const [first = 0] = heights
    expect(heights).toEqual([first, first + 1, first + 2])
  })

  test('no block is final above the head or off the chain', async () => {
    const { head, final } = await world().adapter.tip()
    if (final === null) return
    expect(final.height).toBeLessThanOrEqual(head.height)
    expect(await world().adapter.hashAt(final.height)).toBe(final.hash)
  })

  test('a token has its metadata, and an unknown one is null', async () => {
    const { adapter, token, noTokenId, nativeId } = world()
    if (token) expect(await adapter.inspectToken(token.id)).toEqual(token.facts)
    if (noTokenId) expect(await adapter.inspectToken(noTokenId)).toBeNull()
    expect(await adapter.inspectToken(nativeId)).toBeNull()
  })
}

function itsBlocks(world: () => World): void {
  test('every block names its parent', async () => {
    const { adapter, mine } = world()
    await mine(4)
    const { head } = await adapter.tip()
    let child = await blockAt(world(), { height: head.height })
    for (let step = 1; step <= 3; step += 1) {
      const block = await blockAt(world(), { height: head.height - step })
      expect(child).toMatchObject({ height: block.height + 1, parentHash: block.hash })
      expect(child.time).toBeGreaterThanOrEqual(block.time)
      child = block
    }
  })

  test('a block is the same by height and by hash', async () => {
    const { adapter } = world()
    const { head } = await adapter.tip()
    expect(await blockAt(world(), { hash: head.hash })).toEqual(
      await blockAt(world(), { height: head.height }),
    )
    expect(await adapter.hashAt(head.height)).toBe(head.hash)
  })

  test('an unknown height or hash is null', async () => {
    const { adapter } = world()
    const { head } = await adapter.tip()
    const scope = scopeOf(world())
    expect(await adapter.blockAt({ height: head.height + 1 }, scope)).toBeNull()
    expect(await adapter.hashAt(head.height + 1_000)).toBeNull()
    const unknown = `${head.hash.slice(0, -8)}${head.hash.endsWith('00000000') ? '1' : '0'}0000000`
    expect(await adapter.blockAt({ hash: unknown }, scope)).toBeNull()
  })

  test('a block has a current timestamp', async () => {
    const { time } = await blockAt(world(), (await world().adapter.tip()).head)
    expect(time).toBeGreaterThan(Date.UTC(2009, 0, 3))
    expect(time).toBeLessThan(Date.UTC(2200, 0, 1))
  })
}

function whatMoved(world: () => World): void {
  test('a payment is one exact transfer', async () => {
    const { adapter, payNative, nativeId } = world()
    const to = world().freshAddress()
    const txnHash = await payNative(to, 12_345n)
    const block = await mined(world())
    expect(paidTo(block, to)).toMatchObject([{ txnHash, tokenId: nativeId, amount: 12_345n }])
    expect(outcomeOf(block, txnHash)?.succeeded).toBe(true)
    expect(adapter.chainId).toBe(world().identity.chainId)
  })

  test('a payment of a listed token is one transfer, of an unlisted one none', async () => {
    const { adapter, token, payToken } = world()
    if (!token) return
    const to = world().freshAddress()
    const txnHash = await payToken(to, 777n)
    const block = await mined(world())
    expect(paidTo(block, to)).toMatchObject([{ txnHash, tokenId: token.id, amount: 777n }])
    const unlisted = await adapter.blockAt({ hash: block.hash }, { tokens: [] })
    expect(unlisted?.transfers.filter((one) => one.to === to)).toEqual([])
  })

  test('a payment by a contract is one transfer [E03]', async () => {
    const { payInternal, nativeId } = world()
    if (!payInternal) return
    const to = world().freshAddress()
    const txnHash = await payInternal(to, 55n)
    const transfers = paidTo(await mined(world()), to)
    expect(transfers).toMatchObject([{ txnHash, tokenId: nativeId, amount: 55n }])
  })

  test('a failed transaction moves nothing [E01]', async () => {
    const { payInVain, payNative } = world()
    if (!payInVain) return
    const to = world().freshAddress()
    const txnHash = await payInVain(to, 99n)
    await payNative(to, 1n)
    const block = await mined(world())
    expect(paidTo(block, to)).toMatchObject([{ amount: 1n }])
    expect(outcomeOf(block, txnHash)?.succeeded).toBe(false)
  })

  test('many payments to one address are many transfers with distinct identities', async () => {
    const { payNative, payToken, token } = world()
    const to = world().freshAddress()
    for (let round = 0; round < 4; round += 1) await payNative(to, 5n)
    if (token) for (let round = 0; round < 4; round += 1) await payToken(to, 5n)
    const transfers = paidTo(await mined(world()), to)
    expect(transfers).toHaveLength(token ? 8 : 4)
    const identities = transfers.map(({ txnHash, position, tokenId }) =>
      [txnHash, position, tokenId].join(),
    )
    expect(new Set(identities).size).toBe(transfers.length)
  })
}

function whatIsReplaced(world: () => World): void {
  test('a replaced block has a new hash, and its old hash is not an alias', async () => {
    const { adapter, payNative, reorg } = world()
    const to = world().freshAddress()
    await payNative(to, 5n)
    const before = await mined(world())
    await world().mine(2)
    await reorg(3)
    await world().mine()
    const after = await blockAt(world(), { height: before.height })
    expect(after.hash).not.toBe(before.hash)
    expect(after.parentHash).toBe(before.parentHash)
    expect(paidTo(after, to)).toEqual([])
    const orphan = await adapter.blockAt({ hash: before.hash }, scopeOf(world()))
    // Nodes may keep orphans, but must not give another block for one.
    if (orphan !== null) expect(orphan.hash).toBe(before.hash)
    expect(await adapter.hashAt(before.height)).toBe(after.hash)
  })

  test('a transaction that moves to another block keeps its identity [R02]', async () => {
    const { payNative, payToken, token, reorgKeeping } = world()
    const to = world().freshAddress()
    const txnHash = await (token ? payToken(to, 6n) : payNative(to, 6n))
    const [before] = paidTo(await mined(world()), to)
    await world().mine(2)
    await reorgKeeping(3, txnHash)
    const { head } = await world().adapter.tip()
    const found = paidTo(await blockAt(world(), head), to)
    expect(before).toBeDefined()
    expect(found).toEqual([before])
  })

  test('the blocks form a chain after every reorg [R08]', async () => {
    for (const depth of [1, 2, 5]) {
      await world().mine(depth + 1)
      await world().reorg(depth)
      await world().mine()
      const { head } = await world().adapter.tip()
      let { parentHash } = await blockAt(world(), head)
      for (let height = head.height - 1; height > head.height - depth - 2; height -= 1) {
        const block = await blockAt(world(), { height })
        expect(block.hash).toBe(parentHash)
        parentHash = block.parentHash
      }
    }
  })
}

function whatIsHeld(world: () => World): void {
  test.each(['coins', 'a token'] as const)('a balance of %s belongs to its block', async (kind) => {
    const { adapter, payNative, payToken, nativeId, token } = world()
    const tokenId = kind === 'coins' ? nativeId : token?.id
    const pay = kind === 'coins' ? payNative : payToken
    if (tokenId === undefined) return
    const holder = world().freshAddress()
    await pay(holder, 100n)
    const first = await mined(world())
    await pay(holder, 23n)
    const second = await mined(world())
    const refs = [{ height: first.height - 1, hash: first.parentHash }, first, second]
    const held = () => Promise.all(refs.map((ref) => adapter.balanceOf(holder, tokenId, ref)))
    await expectHeld(world(), held, { at: second, balances: [0n, 100n, 123n] })
  })

  test('a balance at a replaced block is never that of its successor', async () => {
    const { adapter, payNative, nativeId } = world()
    const holder = world().freshAddress()
    await payNative(holder, 100n)
    const before = await mined(world())
    await world().reorg(1)
    const balance = await adapter.balanceOf(holder, nativeId, before).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Outage)
      return null
    })
    expect([null, 100n]).toContain(balance)
  })
}

/** Expects balances at blocks in their order, the last at `at`; null where nodes know none. */
async function expectHeld(
  world: World,
  held: () => Promise<(bigint | null)[]>,
  { at, balances }: { at: BlockRef; balances: readonly bigint[] },
): Promise<void> {
  const unknown = balances.map(() => null)
  if (world.knowsHolders === false) return expect(await held()).toEqual(unknown)
  if (world.knownStates !== 'newest-final') return expect(await held()).toEqual(balances)
  expect(await held()).toEqual(unknown)
  await untilFinal(world, at)
  expect(await held()).toEqual([...unknown.slice(1), balances.at(-1)])
  await world.mine()
  expect(await held()).toEqual(unknown)
}

/** Mines until a block is the newest final one. */
async function untilFinal({ adapter, mine }: World, { height, hash }: BlockRef): Promise<void> {
  const finalHeight = async () => (await adapter.tip()).final?.height ?? Infinity
  while ((await finalHeight()) < height) await mine()
  expect((await adapter.tip()).final).toEqual({ height, hash })
}

function itsTroubles(world: () => World): void {
  test('every query fails with an outage until the node is back [N14]', async () => {
    const asked = await questions(world())
    world().node.away()
    for (const ask of asked) await expect(ask()).rejects.toBeInstanceOf(Outage)
    const [report] = await world().adapter.identify()
    expect(report?.outcome.state).toBe('unreachable')
    await world().node.mend()
    world().pass(LONG_MS)
    for (const ask of asked) await ask()
  })

  test('every invalid answer is an outage [N09]', async () => {
    const asked = await questions(world())
    world().node.nonsense()
    for (const ask of asked) {
      world().pass(LONG_MS)
      await expect(ask()).rejects.toBeInstanceOf(Outage)
    }
    await world().node.mend()
    world().pass(LONG_MS)
    for (const ask of asked) await ask()
  })

  test('a node that switches to another chain is no longer queried [N06]', async () => {
    const asked = await questions(world())
    await world().node.serveOtherChain()
    const [report] = await world().adapter.identify()
    expect(report?.outcome.state).toBe('wrong-chain')
    for (const ask of asked) await expect(ask()).rejects.toBeInstanceOf(Outage)
    await world().node.mend()
    await world().adapter.identify()
    for (const ask of asked) await ask()
  })
}

/** Every question of the port, with what the chain has at this moment. */
async function questions(world: World): Promise<(() => Promise<unknown>)[]> {
  const { adapter, nativeId, token } = world
  const { head } = await adapter.tip()
  const holder = world.freshAddress()
  return [
    () => adapter.tip(),
    () => adapter.blockAt({ height: head.height }, scopeOf(world)),
    () => adapter.blockAt({ hash: head.hash }, scopeOf(world)),
    () => adapter.hashAt(head.height),
    ...(world.knowsHolders === false ? [] : [() => adapter.balanceOf(holder, nativeId, head)]),
    ...(token ? [() => adapter.inspectToken(token.id)] : []),
  ]
}

function scopeOf({ token }: World) {
  return { tokens: token ? [token.id] : [] }
}

async function blockAt(world: World, { height, hash }: Partial<BlockRef>): Promise<Block> {
  const query = hash === undefined ? { height: height ?? 0 } : { hash }
  const block = await world.adapter.blockAt(query, scopeOf(world))
  if (block === null) throw new Error(`no block ${height ?? hash}`)
  return block
}

/** Mines what was sent and reads the block that it is in. */
async function mined(world: World): Promise<Block> {
  await world.mine()
  const { head }: { head: BlockRef } = await world.adapter.tip()
  return blockAt(world, head)
}

function outcomeOf(block: Block, hash: string) {
  return block.transactions.find(({ txnHash }) => txnHash === hash)
}

function paidTo(block: Block, to: Address) {
  return block.transfers.filter((transfer) => transfer.to === to)
}
