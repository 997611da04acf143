import {
  alwaysRevertInitCode,
  deploy,
  devWallet,
  encodeCall,
  forwarderCode,
  gasGluttonInitCode,
  invoke,
  send,
  startAnvil,
  startFaultProxy,
  testTokenInitCode,
} from '@sluice/simulator'
import type { Anvil, FaultProxy, Sent } from '@sluice/simulator'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { ChainOptions } from '../../src/chains/options.ts'
import type { Address } from '../../src/chains/port.ts'
import { openChains } from '../../src/chains/registry.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { parseChain, parseHolder, parseToken } from './brands.ts'
import type { World } from './conformance.ts'
import { evmFaults, evmSender, SENDER_COINS, SENDER_TOKENS } from './spending-hand.ts'
import type { SpendingHand } from './spending-hand.ts'

/** A world around a real anvil, with a proxy before it that can misbehave. */
export interface EvmWorld extends World {
  readonly anvil: Anvil
  readonly proxy: FaultProxy
  /** Sends a call or creation from the wallet that pays everything; mined with the next block. */
  sendFrom(request: { to?: string; value?: bigint; data?: string; gas?: number }): Promise<Sent>
  /** Another adapter for the same node. */
  openAdapter(options?: Partial<ChainOptions>): ChainAdapter
}

const CHAIN_NUMBER = 11_155_111
const CHAIN_ID = parseChain(`eip155:${CHAIN_NUMBER}`)
const FACTS = { decimals: 6, symbol: 'USDT' }
const PAYER = devWallet(0)
const MINTED = 10n ** 30n
/** Below it lie addresses that mean something to the chain. */
const FIRST_ADDRESS = 0xd0000n

/** Starts anvil with a token and opens the adapter. Blocks come only when asked for. */
export async function openEvmWorld(options: Partial<ChainOptions> = {}): Promise<EvmWorld> {
  const anvil = await startAnvil({ chainId: CHAIN_NUMBER, args: ['--no-mining'] })
  const proxy = await startFaultProxy({ target: anvil.url, seed: 1 })
  const clock = new ManualClock()
  const opened: { close(): Promise<void> }[] = []
  const openAdapter = (more: Partial<ChainOptions> = {}) => {
    const chain = { ...defaults(proxy.url), ...options, ...more }
    const chains = openChains({
      chains: [chain],
      clock,
      random: new SeededRandom(1),
      log: silentLog(),
    })
    opened.push(chains)
    const adapter = chains.get(CHAIN_ID)
    if (!adapter) throw new Error('no adapter')
    return adapter
  }
  const contracts = await deployContracts(anvil)
  let lastAddress = FIRST_ADDRESS
  return {
    anvil,
    proxy,
    openAdapter,
    adapter: openAdapter(),
    identity: { chainId: CHAIN_ID, genesis: await genesisOf(anvil) },
    nativeId: parseToken(`${CHAIN_ID}/slip44:60`),
    token: { id: parseToken(`${CHAIN_ID}/erc20:${contracts.token.toLowerCase()}`), facts: FACTS },
    noTokenId: parseToken(`${CHAIN_ID}/erc20:${contracts.reverting.toLowerCase()}`),
    freshAddress: () => {
      lastAddress += 1n
      return parseHolder(CHAIN_ID, `0x${lastAddress.toString(16).padStart(40, '0')}`)
    },
    sendFrom: (request) => send(anvil, PAYER, request),
    ...payments(anvil, contracts.token),
    spending: { ...spending(anvil, contracts), ...evmFaults(proxy) },
    mine: (count = 1) => anvil.mine(count),
    reorg: (depth) => anvil.reorg(depth),
    pass: (ms) => clock.set(clock.now() + ms),
    node: {
      away: () => void proxy.rules.add({ action: { do: 'dropBefore' } }),
      nonsense: () => void proxy.rules.add({ action: { do: 'mutate', change: () => ({ a: 1 }) } }),
      serveOtherChain: () => anvil.rpc('anvil_setChainId', [999]),
      mend: async () => {
        proxy.rules.clear()
        await anvil.rpc('anvil_setChainId', [CHAIN_NUMBER])
      },
    },
    close: async () => {
      for (const one of opened) await one.close()
      await proxy.stop()
      await anvil.stop()
    },
  }
}

/** The ways of paying, and of keeping a payment over a reorg. */
function payments(anvil: Anvil, token: string) {
  const sent = new Map<string, Sent>()
  const record = (one: Sent) => {
    sent.set(one.hash, one)
    return one.hash
  }
  return {
    payNative: async (to: Address, value: bigint) =>
      record(await send(anvil, PAYER, { to, value })),
    payToken: async (to: Address, amount: bigint) =>
      record(await invoke(anvil, PAYER, token, 'transfer(address,uint256)', [to, amount])),
    payInternal: async (to: Address, value: bigint) => {
      const forwarder = await placeForwarder(anvil, to)
      return record(await send(anvil, PAYER, { to: forwarder, value }))
    },
    payInVain: (to: Address, value: bigint) => payInVain(anvil, to, value),
    reorgKeeping: async (depth: number, txnHash: string) => {
      const one = sent.get(txnHash)
      if (!one) throw new Error('an unknown transaction')
      await anvil.reorg(depth, [[one.raw, depth - 1]])
    },
  }
}

interface Contracts {
  token: string
  reverting: string
  glutton: string
}

type Faults = ReturnType<typeof evmFaults>

function spending(anvil: Anvil, contracts: Contracts): Omit<SpendingHand, keyof Faults> {
  let senders = 0
  return {
    glutton: parseHolder(CHAIN_ID, contracts.glutton),
    refuser: parseHolder(CHAIN_ID, contracts.reverting),
    newSender: async () => {
      senders += 1
      const sender = evmSender(senders)
      await send(anvil, PAYER, { to: sender.address, value: SENDER_COINS })
      const values = [sender.address, SENDER_TOKENS]
      await invoke(anvil, PAYER, contracts.token, 'transfer(address,uint256)', values)
      await anvil.mine()
      return sender
    },
    pauseToken: async (on) => {
      await invoke(anvil, PAYER, contracts.token, 'pause(bool)', [on])
      await anvil.mine()
    },
  }
}

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

async function deployContracts(anvil: Anvil): Promise<Contracts> {
  const metadata = { name: 'Tether USD', ...FACTS }
  const token = await deploy(anvil, PAYER, testTokenInitCode(metadata))
  const reverting = await deploy(anvil, PAYER, alwaysRevertInitCode())
  const glutton = await deploy(anvil, PAYER, gasGluttonInitCode(5_000_000n))
  const data = encodeCall('mint(address,uint256)', [PAYER.address, MINTED])
  await send(anvil, PAYER, { to: token.address, data })
  await anvil.mine()
  return { token: token.address, reverting: reverting.address, glutton: glutton.address }
}

async function genesisOf(anvil: Anvil): Promise<string> {
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false])
  return hash
}

/** One contract per receiver, so that no mining is needed first. */
async function placeForwarder(anvil: Anvil, to: Address): Promise<string> {
  const forwarder = `0xf0${to.slice(4)}`
  await anvil.rpc('anvil_setCode', [forwarder, forwarderCode(to)])
  return forwarder
}

/** Too little gas for the forwarding call: the transaction is mined, fails and keeps its value. */
async function payInVain(anvil: Anvil, to: Address, value: bigint): Promise<string> {
  const forwarder = await placeForwarder(anvil, to)
  const { hash } = await send(anvil, PAYER, { to: forwarder, value, gas: 22_000 })
  return hash
}
