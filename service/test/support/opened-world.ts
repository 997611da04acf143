import { type EvmChain, type EvmNode, type EvmNodeOptions, startEvmNode } from '@sluice/simulator'
import { expect, onTestFinished } from 'vitest'
import type { OperatorToken } from '../../src/catalogue/operator-token.ts'
import type { AnvilChain } from './anvil-chain.ts'
import { openWorld, type World } from './world.ts'
import { BSC_TESTNET, REQUIRED, SEPOLIA, type WorldChain } from './world-life.ts'

/** The token id of the own coin of the first test network, and of the second. */
export const ETHER = `${SEPOLIA}/slip44:60`
export const TBNB = `${BSC_TESTNET}/slip44:60`

/**
 * A world of this test's own that has reached its chains, closed when the test ends. Its keys
 * follow from the test's name: tests that share a chain share no address.
 */
export async function openedWorld(
  chains: readonly WorldChain[],
  tokens: readonly OperatorToken[] = [],
): Promise<World> {
  const world = await openWorld({ seed: expect.getState().currentTestName ?? '', chains, tokens })
  onTestFinished(() => world.close())
  await world.settle()
  return world
}

/** A world on a running anvil. */
export function worldOn(
  anvil: AnvilChain,
  { tokens, ...chain }: Partial<WorldChain> & { tokens?: readonly OperatorToken[] } = {},
): Promise<World> {
  return openedWorld([{ id: anvil.id, nodes: [anvil.url], ...chain }], tokens)
}

/** A simulated chain of this test's own, and a world on it. */
export interface Simulated {
  node: EvmNode
  chain: EvmChain
  world: World
  /** Mines, and lets the world catch up. */
  mine: (blocks?: number) => Promise<void>
  /** Mines what waits, and on it as many blocks as a deposit needs. */
  confirm: () => Promise<void>
}

/** Opens a world on a simulated first test network, where some blocks are there already. */
export async function simulated(
  options: Partial<WorldChain> & {
    tokens?: readonly OperatorToken[]
    node?: Partial<EvmNodeOptions>
  } = {},
): Promise<Simulated> {
  const { tokens, node: more, ...chain } = options
  const node = await simulatedNode(more)
  const world = await openedWorld([{ id: SEPOLIA, nodes: [node.url], ...chain }], tokens)
  const mine = async (blocks = 1) => {
    node.chain.mine(blocks)
    await world.settle()
  }
  return { node, chain: node.chain, world, mine, confirm: () => mine(1 + REQUIRED) }
}

/** A simulated node of the first test network, stopped when the test ends. */
export async function simulatedNode(options: Partial<EvmNodeOptions> = {}): Promise<EvmNode> {
  const seed = expect.getState().currentTestName ?? ''
  const node = await startEvmNode({ chainId: 11_155_111, seed, ...options })
  onTestFinished(() => node.stop())
  if (options.chain === undefined) node.chain.mine(5)
  return node
}
