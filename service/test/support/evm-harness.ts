import type { EvmChain, EvmNode } from '@sluice/simulator'
import { ETHER, simulatedNode } from './opened-world.ts'
import { randomWallet } from './random-wallet.ts'
import { idIn } from './withdrawal-desk.ts'
import { openWithdrawingWorld, type WithdrawingWorld } from './withdrawing-world.ts'
import { SEPOLIA } from './world-life.ts'

/** A service that pays, on a new simulated node. */
export interface EvmHarness {
  node: EvmNode
  chain: EvmChain
  harness: WithdrawingWorld
}

/** Opens one; `others` are further configured nodes of the chain. */
export async function openEvmHarness(
  given: { node?: EvmNode; others?: readonly string[] } = {},
): Promise<EvmHarness> {
  const { node = await simulatedNode(), others = [] } = given
  const { chain } = node
  const harness = await openWithdrawingWorld({
    id: SEPOLIA,
    url: node.url,
    others,
    pay: async (to, amount) => chain.pay({ to, amount }),
    mine: async (blocks) => chain.mine(blocks),
  })
  return { node, chain, harness }
}

/** A withdrawal of a thousandth of the deposits, which needs no further approval. */
export async function created(harness: WithdrawingWorld, reference: string): Promise<string> {
  const asked = await (await harness.colleague('operator')).ask('POST', '/withdrawals', {
    chainId: SEPOLIA,
    tokenId: ETHER,
    amount: `${10n ** 15n}`,
    recipient: randomWallet('anybody'),
    reference,
  })
  return idIn(asked.json['withdrawal'])
}
