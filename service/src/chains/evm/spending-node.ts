import { larger } from '../../base/amount.ts'
import { isDeclined } from '../json-rpc.ts'
import type { JsonRpc, RpcCall } from '../json-rpc.ts'
import type { Address } from '../port.ts'
import type { Prices } from './fees.ts'
import type { StateAt } from './node.ts'
import {
  demand,
  isMissing,
  parseBytes,
  parseCount,
  parseHash,
  parseQuantity,
  parseReceipt,
  parseRecord,
  quantityOrNull,
} from './rpc.ts'
import type { Call } from './transaction.ts'

/** The place of an included transaction. */
interface Inclusion {
  txnHash: string
  height: number
  blockHash: string
  succeeded: boolean
}

/** A call to simulate. */
export interface Trial extends Call {
  /** The gas limit; the node's own limit if it is missing. */
  gas?: bigint
}

type NonceTag = 'latest' | 'pending'

const GWEI = 1_000_000_000n
/** No chain asks for more than this plus ten times its base fee: a node that does is wrong. */
const TIP_MAX = 1_000n * GWEI
const LEGACY_PRICE_MAX = 100_000n * GWEI
const INTRINSIC_GAS = 21_000n
/** The first bytes of the code of an account that delegates (EIP-7702). */
const DELEGATION = '0xef0100'
/** The data of a failure is in the answer twice and may be long. */
const TRIAL_BYTES_MAX = 8_000_000

/**
 * Reads what gas costs now, at least the floor that pools of the chain accept (wei per gas). An
 * absurd price is an Outage of the node (N11).
 */
export async function readPrices(rpc: JsonRpc, tipFloor: bigint): Promise<Prices> {
  const call = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const block = parseRecord(await rpc.call(call), 'block')
  const baseFee = quantityOrNull(block.baseFeePerGas, 'block.baseFeePerGas')
  if (baseFee === null) {
    const price = await readGasPrice(rpc)
    demand(price > 0n && price <= LEGACY_PRICE_MAX, 'a gas price that cannot be')
    return { baseFee, tip: larger(price, tipFloor) }
  }
  const tip = await readTip(rpc, baseFee)
  demand(tip <= TIP_MAX || tip <= baseFee * 10n, 'a priority fee that cannot be')
  return { baseFee, tip: larger(tip, tipFloor) }
}

/** The gas of a call at the node's head; throws an RpcRefusal if the call would fail. */
export async function estimateGas(rpc: JsonRpc, from: Address, trial: Trial): Promise<bigint> {
  const call = { method: 'eth_estimateGas', params: [toParams(from, trial)] }
  const answer = await rpc.call(call, TRIAL_BYTES_MAX)
  const gas = BigInt(parseCount(answer, 'gas'))
  demand(gas >= INTRINSIC_GAS, 'less gas than any transaction takes')
  return gas
}

/**
 * The result of a call, as 0x and digits; throws an RpcRefusal if the call would fail. `code`: code
 * that replaces the code of addresses (state override of `eth_call`).
 */
export async function simulateCall(
  rpc: JsonRpc,
  from: Address,
  { trial, at, code }: { trial: Trial; at: StateAt; code?: Readonly<Record<string, string>> },
): Promise<string> {
  const overrides = Object.entries(code ?? {}).map(([address, hex]) => [address, { code: hex }])
  const state = overrides.length === 0 ? [] : [Object.fromEntries(overrides)]
  const call = { method: 'eth_call', params: [toParams(from, trial), at, ...state] }
  return parseBytes(await rpc.call(call, TRIAL_BYTES_MAX), 'the answer of a contract')
}

/** The next nonce of an address. */
export async function readNonce(rpc: JsonRpc, address: Address, tag: NonceTag): Promise<number> {
  const call = { method: 'eth_getTransactionCount', params: [address, tag] }
  return parseCount(await rpc.call(call), 'nonce')
}

/** Whether an address has code at the head; a delegation of EIP-7702 is code as well. */
export async function hasCode(rpc: JsonRpc, address: Address): Promise<boolean> {
  return (await readCode(rpc, address)) !== '0x'
}

/** Whether an address is a contract; an account that delegates to one (EIP-7702) is not. */
export async function isContract(rpc: JsonRpc, address: Address): Promise<boolean> {
  const code = await readCode(rpc, address)
  return code !== '0x' && !code.startsWith(DELEGATION)
}

/** The first of these transactions that is included; null if no block has one. */
export async function readInclusion(
  rpc: JsonRpc,
  hashes: readonly string[],
): Promise<Inclusion | null> {
  const calls = hashes.map((hash): RpcCall => {
    return { method: 'eth_getTransactionReceipt', params: [hash] }
  })
  const answers = await rpc.batch(calls)
  for (const [at, answer] of answers.entries()) {
    if (!isMissing(answer)) return inclusionIn(answer, hashes[at])
  }
  return null
}

/** Sends signed bytes to the node. Returns the hash that the node names; throws its refusal. */
export async function sendRaw(rpc: JsonRpc, raw: Uint8Array): Promise<string> {
  const hex = `0x${Buffer.from(raw).toString('hex')}`
  const answer = await rpc.call({ method: 'eth_sendRawTransaction', params: [hex] })
  return parseHash(answer, 'transaction hash')
}

async function readCode(rpc: JsonRpc, address: Address): Promise<string> {
  const code = await rpc.call({ method: 'eth_getCode', params: [address, 'latest'] })
  return parseBytes(code, 'code')
}

function inclusionIn(answer: unknown, txnHash: string | undefined): Inclusion {
  const receipt = parseReceipt(answer)
  const { blockNumber } = parseRecord(answer, 'receipt')
  demand(receipt.transactionHash === txnHash, 'the receipt of another transaction')
  demand(receipt.succeeded !== null, 'a receipt without a status')
  return {
    txnHash: receipt.transactionHash,
    height: parseCount(blockNumber, 'receipt.blockNumber'),
    blockHash: receipt.blockHash,
    succeeded: receipt.succeeded === true,
  }
}

/** Nodes without the method return a whole price, which includes the base fee. */
async function readTip(rpc: JsonRpc, baseFee: bigint): Promise<bigint> {
  try {
    const answer = await rpc.call({ method: 'eth_maxPriorityFeePerGas', params: [] })
    return parseQuantity(answer, 'priority fee')
  } catch (error) {
    if (!isDeclined(error)) throw error
    const price = await readGasPrice(rpc)
    return price > baseFee ? price - baseFee : 0n
  }
}

async function readGasPrice(rpc: JsonRpc): Promise<bigint> {
  return parseQuantity(await rpc.call({ method: 'eth_gasPrice', params: [] }), 'gas price')
}

function toParams(from: Address, { to, value, data, gas }: Trial) {
  return {
    from,
    to,
    value: `0x${value.toString(16)}`,
    ...(data === '0x' ? {} : { data }),
    ...(gas === undefined ? {} : { gas: `0x${gas.toString(16)}` }),
  }
}
