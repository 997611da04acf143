import { type EvmChain, type FaultProxy, startFaultProxy } from '@sluice/simulator'
import { expect, onTestFinished } from 'vitest'
import { listed } from './anvil-chain.ts'
import { simulatedNode } from './opened-world.ts'
import { openWithdrawingWorld, type WithdrawingWorld } from './withdrawing-world.ts'
import { SEPOLIA } from './world-life.ts'

const ONE_ETHER = 10n ** 18n

/** A whole service on a simulated chain with a token, and the proxy of its node. */
export interface SimulatedHarness {
  harness: WithdrawingWorld
  chain: EvmChain
  proxy: FaultProxy
  /** The contract of the token. */
  token: string
}

/** Opens one whose settlement account and gas wallet have an ether each. */
export async function openSimulatedHarness(): Promise<SimulatedHarness> {
  const { url, chain } = await simulatedNode()
  chain.setFinalizedDistance(null)
  const token = chain.deployToken({ symbol: 'TUSD', name: 'Test Dollar', decimals: 6 })
  const seed = expect.getState().currentTestName ?? ''
  const proxy = await startFaultProxy({ target: url, seed })
  onTestFinished(() => proxy.stop())
  const hand = {
    id: SEPOLIA,
    url: proxy.url,
    pay: async (to: string, amount: bigint) => chain.pay({ to, amount }),
    mine: async (blocks = 1) => chain.mine(blocks),
  }
  const harness = await openWithdrawingWorld(hand, {
    wei: ONE_ETHER,
    tokens: [listed(SEPOLIA, token)],
  })
  await harness.mine(1)
  return { harness, chain, proxy, token }
}
