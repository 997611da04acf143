import { join } from 'node:path'
import { type Anvil, startAnvil } from '../anvil.ts'
import { endow, holding, invoke, mined, send } from '../evm-send.ts'
import { devWallet } from '../evm-wallet.ts'
import { quantity } from '../hex.ts'
import type { CoinControl } from './coin-control.ts'
import type { SandboxState } from './state.ts'
import { type ContractToken, placeTokens } from './tokens.ts'

const BLOCK_TIME_SECONDS = 2
const STATE_INTERVAL_SECONDS = 5
const ONE_COIN = 10n ** 18n
/**
 * The time of every first block. A node makes its own first block at each start, before it reads
 * the chain of last time: were the two not the same, either could come to be the first one.
 */
const GENESIS_SECONDS = 1_767_225_600

/** Chain of the sandbox: the number of a test network, and its tokens. */
export interface ChainPlan {
  reference: number
  nativeSymbol: string
  contracts: readonly ContractToken[]
}

export interface SandboxToken {
  id: string
  chainId: string
  symbol: string
  decimals: number
  /** The contract; null for the chain's own coin. */
  address: string | null
}

/** A running chain of the sandbox, under the id of a test network. */
export interface SandboxChain {
  chainId: string
  tokens: readonly SandboxToken[]
  /** The highest block that no reorg may replace. */
  floor: number
  /**
   * Why not: `start`, it was there when this sandbox started; `solid`, java-tron replaces no solid
   * block. Null if the chain has no reorgs.
   */
  bound: 'start' | 'solid' | null
  /** Set if the chain sells gas and its gas wallets can be filled. */
  anvil: Anvil | null
  /** The same of a chain that is no anvil: when gas wallets are filled again, and to how much. */
  gas?: {
    low: bigint
    full: bigint
    /** Sets the balance of an address, without a transaction. */
    endow(address: string, amount: bigint): Promise<void>
  }
  /** Pays an amount in base units to an address and mines it. */
  payIn(payment: PayIn): Promise<Paid>
  /** The height of the chain. */
  head(): Promise<number>
  mine(blocks: number): Promise<void>
  /** Replaces the top blocks by as many without what was in them. */
  reorg(depth: number): Promise<void>
  /** Base units at the head. */
  holding(address: string, token: SandboxToken): Promise<bigint>
  isAddress(text: string): boolean
  /** Additional controls of Bitcoin chains; absent elsewhere. */
  coins?: CoinControl
  /**
   * Drops the next `count` transactions of the service, on every rebroadcast; 0 ends it. Absent on
   * chains without permanent losses.
   */
  lose?(count: number): void
  /** Setup that an operator does before deposits are accepted; absent if not needed. */
  prepare?(state: SandboxState, configFile: string): Promise<void>
}

export interface PayIn {
  token: SandboxToken
  address: string
  amount: bigint
  /** The destination tag, on chains that have them; left out for none. */
  tag?: number
  /** Promised amount of a partial XRP payment, if more than delivered. */
  promised?: bigint
}

export interface Paid {
  txnHash: string
  blockNumber: number
  /** Reason, if the transaction is included but failed. */
  failed?: string
}

/** The wallet that pays deposits in, and owns the test tokens. */
const faucet = devWallet(0)

const chainIdOf = ({ reference }: ChainPlan) => `eip155:${reference}`

/** The coin of a chain and the tokens that the sandbox offers on it. */
export function tokensOf(plan: ChainPlan): SandboxToken[] {
  const chainId = chainIdOf(plan)
  const { nativeSymbol: symbol } = plan
  const coin = { id: `${chainId}/slip44:60`, chainId, symbol, decimals: 18, address: null }
  const contracts = plan.contracts.filter(({ offered }) => offered)
  return [
    coin,
    ...contracts.map(({ address, symbol: name, decimals }) => ({
      id: `${chainId}/erc20:${address}`,
      chainId,
      symbol: name,
      decimals,
      address,
    })),
  ]
}

/**
 * Starts a node, or continues its saved chain. Blocks, transactions and the last state
 * are kept, older states are not: those of an hour would fill hundreds of megabytes.
 */
export async function startNode(
  { reference }: ChainPlan,
  { port, folder }: { port: number; folder: string },
): Promise<Anvil> {
  const file = join(folder, `anvil-${reference}.json`)
  const state = ['--state', file, '--state-interval', String(STATE_INTERVAL_SECONDS)]
  const anvil = await startAnvil({
    chainId: reference,
    port,
    blockTimeSeconds: BLOCK_TIME_SECONDS,
    home: join(folder, `anvil-${reference}`),
    args: [...state, '--timestamp', String(GENESIS_SECONDS)],
  })
  await anvil.rpc('evm_setTime', [quantity(Math.floor(Date.now() / 1000))])
  return anvil
}

/** Places missing tokens, and returns the controls of the chain. */
export async function openChain(anvil: Anvil, plan: ChainPlan): Promise<SandboxChain> {
  await placeTokens(anvil, faucet, plan.contracts)
  let last: Promise<unknown> = Promise.resolve()
  // One payment after the other, or two would take the same nonce.
  const payIn = (payment: PayIn) => {
    const paid = last.then(() => pay(anvil, payment))
    last = paid.catch(() => undefined)
    return paid
  }
  const head = async () => Number(await anvil.rpc<string>('eth_blockNumber'))
  const floor = await head()
  return {
    chainId: chainIdOf(plan),
    anvil,
    tokens: tokensOf(plan),
    floor,
    bound: 'start',
    payIn,
    head,
    mine: (blocks) => anvil.mine(blocks),
    reorg: (depth) => anvil.reorg(depth),
    holding: (address, token) => holding(anvil, address, token.address ?? undefined),
    isAddress: (text) => /^0x[0-9a-fA-F]{40}$/.test(text),
  }
}

async function pay(anvil: Anvil, { token, address, amount }: PayIn): Promise<Paid> {
  const needed = (token.address === null ? amount : 0n) + ONE_COIN
  if ((await holding(anvil, faucet.address)) < needed) await endow(anvil, faucet.address, needed)
  const sent =
    token.address === null
      ? await send(anvil, faucet, { to: address, value: amount })
      : await invoke(anvil, faucet, token.address, 'transfer(address,uint256)', [address, amount])
  await anvil.mine()
  const receipt = await mined(anvil, sent)
  if (receipt.status !== '0x1') throw new Error(`the payment ${sent.hash} failed on the chain`)
  return { txnHash: sent.hash, blockNumber: Number(receipt.blockNumber) }
}
