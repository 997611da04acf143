import { startEvmNode, startFaultProxy } from '@sluice/simulator'
import type { EvmNode } from '@sluice/simulator'
import type { ChainOptions } from '../../src/chains/options.ts'
import type { Address } from '../../src/chains/port.ts'
import { openChains } from '../../src/chains/registry.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { parseChain, parseHolder, parseToken } from './brands.ts'
import type { World } from './conformance.ts'
import { evmFaults, evmSender, SENDER_COINS, SENDER_TOKENS } from './spending-hand.ts'
import type { SpendingHand } from './spending-hand.ts'

const CHAIN_NUMBER = 97
const CHAIN_ID = parseChain(`eip155:${CHAIN_NUMBER}`)
const FACTS = { decimals: 18, symbol: 'USDT' }
const FIRST_ADDRESS = 0xd0000n

/** A world around the simulated node, which the flows and reorgs of other tests stand on. */
export async function openSimulatedWorld(
  options: Partial<ChainOptions> = {},
  { hasBaseFee = true } = {},
): Promise<World> {
  const node = await startEvmNode({ chainId: CHAIN_NUMBER, seed: 7 })
  const proxy = await startFaultProxy({ target: node.url, seed: 1 })
  const clock = new ManualClock()
  if (!hasBaseFee) node.chain.setBaseFee(null)
  const token = node.chain.deployToken({ name: 'Tether USD', ...FACTS })
  const chain = { ...defaults(proxy.url), ...options }
  const chains = openChains({
    chains: [chain],
    clock,
    random: new SeededRandom(1),
    log: silentLog(),
  })
  const [adapter] = chains.all()
  const genesis = node.chain.blockAt(0)
  if (!adapter || !genesis) throw new Error('a chain without a beginning')
  let lastAddress = FIRST_ADDRESS
  return {
    adapter,
    identity: { chainId: CHAIN_ID, genesis: genesis.hash },
    nativeId: parseToken(`${CHAIN_ID}/slip44:60`),
    token: { id: parseToken(`${CHAIN_ID}/erc20:${token.toLowerCase()}`), facts: FACTS },
    noTokenId: parseToken(`${CHAIN_ID}/erc20:0x${'12'.repeat(20)}`),
    freshAddress: () => {
      lastAddress += 1n
      return parseHolder(CHAIN_ID, `0x${lastAddress.toString(16).padStart(40, '0')}`)
    },
    ...payments(node, token),
    spending: { ...spending(node, token), ...evmFaults(proxy) },
    mine: async (count = 1) => node.chain.mine(count),
    reorg: async (depth) => node.chain.reorg({ depth, keep: 'none' }),
    pass: (ms) => clock.set(clock.now() + ms),
    node: {
      away: () => void proxy.rules.add({ action: { do: 'dropBefore' } }),
      nonsense: () => void proxy.rules.add({ action: { do: 'mutate', change: () => ({ a: 1 }) } }),
      serveOtherChain: async () => node.setChainId(999),
      mend: async () => {
        proxy.rules.clear()
        node.setChainId(null)
      },
    },
    close: async () => {
      await chains.close()
      await proxy.stop()
      await node.stop()
    },
  }
}

function payments({ chain }: EvmNode, token: string) {
  return {
    payNative: async (to: Address, amount: bigint) => chain.pay({ to, amount }),
    payToken: async (to: Address, amount: bigint) => chain.payToken({ to, amount, token }),
    payInternal: async (to: Address, amount: bigint) => chain.payInternal({ to, amount }),
    payInVain: async (to: Address, amount: bigint) => chain.failed({ to, amount }),
    reorgKeeping: async (depth: number, txnHash: string) => {
      const { height } = chain.head()
      chain.reorg({
        depth,
        keep: (orphans) =>
          orphans.flatMap(({ hash }) => (hash === txnHash ? [{ hash, height }] : [])),
      })
    },
  }
}

function spending({ chain }: EvmNode, token: string): Omit<SpendingHand, keyof Faults> {
  const [glutton, refuser] = [1n, 2n].map((one) =>
    parseHolder(CHAIN_ID, `0x${(FIRST_ADDRESS - one).toString(16).padStart(40, '0')}`),
  )
  if (!glutton || !refuser) throw new Error('no contracts')
  chain.setCode(glutton, { gas: 5_000_000n, reverts: false })
  chain.setCode(refuser, { gas: 0n, reverts: true })
  let senders = 0
  return {
    glutton,
    refuser,
    newSender: async () => {
      senders += 1
      const sender = evmSender(senders)
      chain.pay({ to: sender.address, amount: SENDER_COINS })
      chain.payToken({ to: sender.address, amount: SENDER_TOKENS, token })
      chain.mine()
      return sender
    },
    pauseToken: async (on) => {
      if (on) chain.setCode(token, { gas: 0n, reverts: true })
      else chain.codes.delete(token)
    },
  }
}

type Faults = ReturnType<typeof evmFaults>

function defaults(url: string): ChainOptions {
  return {
    chainId: CHAIN_ID,
    nodes: [{ url }],
    traces: 'auto',
    completeness: 'receipts',
    timeoutMs: 10_000,
    finalityTag: true,
  }
}
