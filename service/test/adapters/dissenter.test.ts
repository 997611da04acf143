import {
  type BitcoinChain,
  bitcoinKey,
  type EvmChain,
  startBitcoinNode,
  startEvmNode,
  startFaultProxy,
  startTronNode,
  startXrplNode,
  type TronChain,
  type XrplChain,
} from '@sluice/simulator'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import { openChains } from '../../src/chains/registry.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { TESTNET } from './bitcoin-world.ts'
import { BSC } from './scripted-chain.ts'
import { SHASTA } from './tron-world.ts'
import { XRPL_CHAIN } from './xrpl-world.ts'

/** A node with its own chain, equal to others of its family until it forks. */
interface Party {
  url: string
  mine: (blocks: number) => void
  /** Replaces the highest blocks by others. */
  fork: (depth: number) => void
  stop: () => Promise<void>
}

const FAMILIES = [
  ['EVM', BSC, async () => partyOf(await startEvmNode({ chainId: 97, seed: 1 }), EVM)],
  ['Bitcoin', TESTNET, async () => partyOf(await bitcoinNode(), BITCOIN)],
  ['TRON', SHASTA, async () => partyOf(await startTronNode(), TRON)],
  ['XRPL', XRPL_CHAIN, async () => partyOf(await startXrplNode(), XRPL)],
] as const

const BLOCKS = 10
const NOBODY = { opposed: [], silent: [] }

describe.each(FAMILIES)('other nodes of %s', (_family, chainId, start) => {
  let ours: Party
  let other: Party
  let adapter: ChainAdapter
  let forkedAt: number

  beforeEach(async () => {
    ours = await start()
    other = await start()
    for (const { mine } of [ours, other]) mine(BLOCKS)
    adapter = adapterOf(chainId, [ours, other])
    await adapter.identify()
    forkedAt = (await adapter.tip()).head.height
  })

  const refAt = async (height: number) => {
    const hash = await adapterOf(chainId, [ours]).hashAt(height)
    if (hash === null) throw new Error(`no block ${height}`)
    return { height, hash }
  }

  test('a node with another block at the height is named [N05]', async () => {
    other.fork(2)
    expect(await adapter.dissent(await refAt(forkedAt - 1))).toEqual({
      opposed: [nameOf(other)],
      silent: [],
    })
    expect(await adapter.dissent(await refAt(forkedAt - 2))).toEqual(NOBODY)
  })

  test('a node that lags on the same branch is not named [N05]', async () => {
    ours.mine(8)
    other.mine(3)
    expect(await adapter.dissent(await refAt(forkedAt + 7))).toEqual(NOBODY)
  })

  test('a node on a shorter branch that differs is named [N05]', async () => {
    other.fork(2)
    ours.mine(8)
    other.mine(3)
    expect(await adapter.dissent(await refAt(forkedAt + 7))).toEqual({
      opposed: [nameOf(other)],
      silent: [],
    })
  })

  test('a lagging node is not trusted while no node with our block answers [N05]', async () => {
    ours.mine(8)
    other.mine(3)
    const ref = await refAt(forkedAt + 7)
    await ours.stop()
    await expect(adapter.dissent(ref)).rejects.toBeInstanceOf(Outage)
  })

  test('a node of another branch is named during an outage of our node [N05]', async () => {
    other.fork(2)
    const ref = await refAt(forkedAt - 1)
    await ours.stop()
    // From here on our own node is set aside, and the other one is asked first.
    await adapter.tip()
    expect(await adapter.dissent(ref)).toEqual({ opposed: [nameOf(other)], silent: [] })
  })

  test('all nodes that follow another branch are named [N05]', async () => {
    const third = await start()
    third.mine(BLOCKS)
    other.fork(2)
    third.fork(3)
    third.mine(1)
    const { opposed } = await adapterOf(chainId, [ours, other, third]).dissent(
      await refAt(forkedAt),
    )
    expect(opposed).toEqual([nameOf(other), nameOf(third)])
  })

  test('a dissenting node stays dissenting during its outage [N05]', async () => {
    const known = new Map([[nameOf(other), forkedAt]])
    const ref = await refAt(forkedAt)
    expect(await adapter.dissent(ref, known)).toEqual(NOBODY)
    await other.stop()
    expect(await adapter.dissent(ref)).toEqual(NOBODY)
    expect(await adapter.dissent(ref, known)).toEqual({ opposed: [], silent: [nameOf(other)] })
    // An unconfigured node has no say, even if it answered before.
    expect(await adapter.dissent(ref, new Map([['http://elsewhere', 1]]))).toEqual(NOBODY)
    expect(await adapterOf(chainId, [ours]).dissent(ref, known)).toEqual(NOBODY)
  })

  test('a dissenting node is queried even while it is excluded [N05]', async () => {
    const proxy = await startFaultProxy({ target: other.url, seed: 'set aside' })
    onTestFinished(() => proxy.stop())
    other.fork(2)
    const behind = adapterOf(chainId, [{ ...other, url: proxy.url }, ours])
    const away = proxy.rules.add({ action: { do: 'dropBefore' } })
    await behind.tip()
    away.remove()
    const [name, ref] = [nameOf(proxy), await refAt(forkedAt)]
    expect(await behind.dissent(ref)).toEqual(NOBODY)
    const known = new Map([[name, forkedAt]])
    expect(await behind.dissent(ref, known)).toEqual({ opposed: [name], silent: [] })
  })

  test('a node that answers from below its dissent has not returned [N05]', async () => {
    ours.mine(8)
    other.mine(3)
    const ref = await refAt(forkedAt + 7)
    const since = (height: number) => new Map([[nameOf(other), height]])
    expect(await adapter.dissent(ref, since(forkedAt + 5))).toEqual({
      opposed: [],
      silent: [nameOf(other)],
    })
    expect(await adapter.dissent(ref, since(forkedAt + 2))).toEqual(NOBODY)
  })

  test('a dissenting node that is now alone must return too [N05]', async () => {
    const known = new Map([[nameOf(other), forkedAt]])
    other.fork(2)
    const alone = adapterOf(chainId, [other])
    const { opposed } = await alone.dissent(await refAt(forkedAt), known)
    expect(opposed).toEqual([nameOf(other)])
    expect(await alone.dissent(await refAt(forkedAt - 2), known)).toEqual(NOBODY)
  })
})

interface Hand<C> {
  mine: (chain: C, blocks: number) => void
  fork: (chain: C, depth: number) => void
}

const EVM: Hand<EvmChain> = {
  mine: (chain, blocks) => chain.mine(blocks),
  fork: (chain, depth) => chain.reorg({ depth }),
}

const TRON: Hand<TronChain> = {
  mine: (chain, blocks) => chain.mine(blocks),
  fork: (chain, depth) => chain.reorg({ depth }),
}

const XRPL: Hand<XrplChain> = {
  mine: (chain, blocks) => void chain.close(blocks),
  fork: (chain, depth) => chain.rewrite(depth),
}

const { script } = bitcoinKey('miner')
const BITCOIN: Hand<BitcoinChain> = {
  mine: (chain, blocks) => {
    for (let mined = 0; mined < blocks; mined += 1) chain.mine(script)
  },
  fork: (chain, depth) => {
    const lowest = chain.blockAt(chain.tip.height - depth + 1)
    if (lowest !== undefined) chain.invalidate(lowest)
    BITCOIN.mine(chain, depth)
  },
}

function bitcoinNode() {
  return startBitcoinNode({ seed: 1, network: 'test' })
}

function partyOf<C>(
  node: { url: string; chain: C; stop: () => Promise<void> },
  { mine, fork }: Hand<C>,
): Party {
  let stopping: Promise<void> | null = null
  const stop = () => (stopping ??= node.stop())
  onTestFinished(stop)
  const { url, chain } = node
  return {
    url,
    mine: (blocks) => mine(chain, blocks),
    fork: (depth) => fork(chain, depth),
    stop,
  }
}

function adapterOf(chainId: ChainAdapter['chainId'], parties: readonly Party[]): ChainAdapter {
  const chains = openChains({
    chains: [
      {
        chainId,
        nodes: parties.map(({ url }) => ({ url })),
        traces: 'off',
        completeness: 'receipts',
        timeoutMs: 5_000,
        finalityTag: true,
      },
    ],
    clock: new ManualClock(),
    random: new SeededRandom(1),
    log: silentLog(),
  })
  onTestFinished(() => chains.close())
  const [adapter] = chains.all()
  if (adapter === undefined) throw new Error('no adapter')
  return adapter
}

/** As nodes are named to people: without what an address may hold of secrets. */
function nameOf({ url }: Pick<Party, 'url'>): string {
  return new URL(url).origin
}
