import { type AbiValue, decodeUint, encodeCall } from './evm-abi.ts'
import { createAddress, signTransaction, transactionHash, type Wallet } from './evm-wallet.ts'
import { type Hex, quantity } from './hex.ts'

const TRANSFER_GAS = 500_000
const DEPLOY_GAS = 5_000_000
const MAX_FEE = 100_000_000_000n
const TIP = 1_000_000_000n
const MINED_LIMIT_MS = 10_000
const MINED_POLL_MS = 5

/** Anything that answers JSON-RPC calls: a running anvil, or a client of another node. */
export interface RpcNode {
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>
}

export interface SendRequest {
  to?: string
  /** wei */
  value?: bigint
  data?: string
  gas?: number
  /** By default the sender's count of pending transactions. */
  nonce?: number
}

export interface Sent {
  hash: Hex
  /** The signed bytes, as a reorg wants them to bring the same transaction back. */
  raw: Hex
  nonce: number
}

/** The fields of a receipt that tests read. */
export interface MinedReceipt {
  /** 0x1, or 0x0 for a transaction that failed */
  status: Hex
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  to: Hex | null
  contractAddress: Hex | null
  logs: { address: Hex; topics: Hex[]; data: Hex; logIndex: Hex }[]
}

/**
 * Signs an EIP-1559 transaction and hands it to the node; whether it gets mined is the node's
 * matter.
 */
export async function send(node: RpcNode, wallet: Wallet, request: SendRequest): Promise<Sent> {
  const { gas = TRANSFER_GAS, ...fields } = request
  const nonce = request.nonce ?? (await nonceOf(node, wallet.address))
  const chainId = Number(await node.rpc<string>('eth_chainId'))
  const raw = signTransaction(wallet, {
    ...fields,
    type: 'eip1559',
    chainId,
    nonce,
    gas,
    maxFeePerGas: MAX_FEE,
    maxPriorityFeePerGas: TIP,
  })
  await node.rpc('eth_sendRawTransaction', [raw])
  return { hash: transactionHash(raw), raw, nonce }
}

/** Sends a contract's creation; the address is the one it will have, in EIP-55. */
export async function deploy(
  node: RpcNode,
  wallet: Wallet,
  initCode: string,
  value = 0n,
): Promise<Sent & { address: Hex }> {
  const sent = await send(node, wallet, { data: initCode, value, gas: DEPLOY_GAS })
  return { ...sent, address: createAddress(wallet.address, sent.nonce) }
}

/**
 * The receipt, after a wait: a node that mines each transaction at once does so after its answer.
 */
export async function mined(node: RpcNode, { hash }: { hash: string }): Promise<MinedReceipt> {
  for (let waited = 0; waited < MINED_LIMIT_MS; waited += MINED_POLL_MS) {
    const receipt = await node.rpc<MinedReceipt | null>('eth_getTransactionReceipt', [hash])
    if (receipt !== null) return receipt
    await new Promise((resolve) => setTimeout(resolve, MINED_POLL_MS))
  }
  throw new Error(`transaction ${hash} was not mined in ${MINED_LIMIT_MS} ms`)
}

/** Sends a call of a contract's function, `name(type,…)`. */
export function invoke(
  node: RpcNode,
  wallet: Wallet,
  contract: string,
  signature: string,
  values: readonly AbiValue[],
): Promise<Sent> {
  return send(node, wallet, { to: contract, data: encodeCall(signature, values) })
}

/** Answer of a call at the latest block, as hex. */
export function ask(
  node: RpcNode,
  contract: string,
  signature: string,
  values: readonly AbiValue[] = [],
): Promise<Hex> {
  return node.rpc('eth_call', [{ to: contract, data: encodeCall(signature, values) }, 'latest'])
}

/** Base units of a token at an address; of the native coin unless a token is given. */
export async function holding(node: RpcNode, address: string, token?: string): Promise<bigint> {
  if (token !== undefined)
    return decodeUint(await ask(node, token, 'balanceOf(address)', [address]))
  return BigInt(await node.rpc<string>('eth_getBalance', [address, 'latest']))
}

/** An account's next nonce, pending transactions counted. */
export async function nonceOf(node: RpcNode, address: string): Promise<number> {
  return Number(await node.rpc<string>('eth_getTransactionCount', [address, 'pending']))
}

/** Sets the balance of an address in wei without a transaction (anvil's own method). */
export async function endow(node: RpcNode, address: string, wei: bigint): Promise<void> {
  await node.rpc('anvil_setBalance', [address, quantity(wei)])
}
