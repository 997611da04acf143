import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, type Hex, quantity, toHex } from '../hex.ts'
import { rlp } from '../rlp.ts'
import type { BlockNode, IncludedTransaction } from './block-tree.ts'
import { blockHash, bloomOf, receiptsRoot } from './encodings.ts'
import {
  type Accounts,
  copyOf,
  type Execution,
  type ExecutionRules,
  execute,
  keyOf,
} from './execute.ts'
import type { PendingTransaction } from './pending.ts'
import type { HeaderJson, LogJson, MinedLogJson, MinedReceiptJson } from './shapes.ts'
import { listRoot } from './trie.ts'

const GAS_LIMIT = 36_000_000
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`
const EMPTY_ROOT = listRoot([])
const NO_UNCLES = toHex(keccak_256(rlp([])))
/** SHA-256 of nothing: a block without execution requests (EIP-7685). */
const NO_REQUESTS: Hex = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export interface Assembly {
  parent: BlockNode | null
  transactions: readonly PendingTransaction[]
  /** Balance changes without a transaction. */
  silent: readonly { key: string; by: bigint }[]
  /** Seconds since 1970 */
  timestamp: number
  /** Makes the block another than its siblings. */
  mixHash: Hex
  /** Balances after the parent. */
  balance: (key: string) => bigint
  /** Next nonces after the parent. */
  nonceOf: (sender: string) => number
  /** wei for one gas; null before the fee market. */
  baseFee: bigint | null
  rules: ExecutionRules
}

interface Executed extends Execution {
  origin: PendingTransaction
  /** wei that one gas cost. */
  price: bigint
}

/**
 * Makes the next block of the transactions, in order. `left` holds those that cannot be included:
 * the sender lacks the value or, if gas is paid, the nonce is not the next or the price is too low.
 */
export function assembleBlock(assembly: Assembly): {
  block: BlockNode
  left: PendingTransaction[]
} {
  const writes = new Map<string, bigint>()
  const accounts = {
    get: (key: string) => writes.get(key) ?? assembly.balance(key),
    set: (key: string, value: bigint) => void writes.set(key, value),
  }
  const executed: Executed[] = []
  const left: PendingTransaction[] = []
  const taken = new Map<string, number>()
  for (const origin of assembly.transactions) {
    const { from } = origin.json
    const next = assembly.nonceOf(from) + (taken.get(from) ?? 0)
    const done = include(assembly, origin, accounts, next)
    if (done === null) left.push(origin)
    else executed.push(done)
    if (done !== null) taken.set(from, (taken.get(from) ?? 0) + 1)
  }
  for (const { key, by } of assembly.silent) {
    const after = accounts.get(key) + by
    if (after < 0n) throw new Error(`the balance ${key} cannot fall below zero`)
    accounts.set(key, after)
  }
  return { block: seal(assembly, executed, writes), left }
}

/** Null if the transaction cannot be in this block. */
function include(
  { baseFee, rules }: Assembly,
  origin: PendingTransaction,
  accounts: Accounts,
  next: number,
): Executed | null {
  const { gas, plan } = origin
  const { top } = plan
  const key = keyOf(top.from)
  const price = priceOf(origin, baseFee)
  if (accounts.get(key) < top.value + (gas === null ? 0n : gas.limit * gas.maxFee)) return null
  if (gas === null) return { ...execute(top, accounts, rules), origin, price }
  if (plan.nonce !== next || gas.maxFee < (baseFee ?? 0n)) return null
  const isEnough = execute(top, copyOf(accounts), rules).gasUsed <= gas.limit
  const done = execute(isEnough ? top : { ...top, fails: true }, accounts, rules)
  const gasUsed = isEnough ? done.gasUsed : gas.limit
  accounts.set(key, accounts.get(key) - gasUsed * price)
  return { ...done, gasUsed, origin, price }
}

/** EIP-1559: the base fee and the tip, but no more than the sender allows. */
function priceOf({ gas, json }: PendingTransaction, baseFee: bigint | null): bigint {
  if (gas === null) return BigInt(json.gasPrice)
  const wished = baseFee === null ? gas.maxFee : baseFee + gas.tip
  return wished < gas.maxFee ? wished : gas.maxFee
}

function seal(assembly: Assembly, executed: Executed[], writes: Map<string, bigint>): BlockNode {
  const { parent } = assembly
  const height = parent === null ? 0 : parent.height + 1
  const bare = bareReceipts(executed)
  const header = headerOf(assembly, { height, executed, bare })
  const hash = blockHash(header)
  const place = { blockHash: hash, blockNumber: quantity(height) }
  let logIndex = 0
  const transactions = executed.map(({ origin, trace, price }, index): IncludedTransaction => {
    const transactionIndex = quantity(index)
    const at = { ...place, transactionHash: origin.hash, transactionIndex }
    const receipt = mine(bare[index], at, logIndex)
    logIndex += receipt.logs.length
    const json = { ...origin.json, ...place, transactionIndex, gasPrice: quantity(price) }
    return { origin, trace, receipt, json }
  })
  return { height, hash, parent, header, transactions, writes }
}

type Place = Pick<
  MinedLogJson,
  'blockHash' | 'blockNumber' | 'transactionHash' | 'transactionIndex'
>
type BareReceipt = Omit<MinedReceiptJson, keyof Place | 'logs'> & { logs: LogJson[] }

function bareReceipts(executed: readonly Executed[]): BareReceipt[] {
  let cumulative = 0n
  return executed.map(({ origin: { json, plan }, succeeded, gasUsed, logs, price }) => {
    cumulative += gasUsed
    return {
      ...(json.type === undefined ? {} : { type: json.type }),
      status: succeeded ? '0x1' : '0x0',
      cumulativeGasUsed: quantity(cumulative),
      logsBloom: bloomOf(logs),
      logs,
      from: json.from,
      to: json.to,
      contractAddress: json.to === null ? plan.top.to : null,
      gasUsed: quantity(gasUsed),
      effectiveGasPrice: quantity(price),
    }
  })
}

function mine(receipt: BareReceipt | undefined, at: Place, firstLog: number): MinedReceiptJson {
  if (receipt === undefined) throw new Error('each transaction has its receipt')
  const logs = receipt.logs.map((log: LogJson, index): MinedLogJson => {
    return { ...log, ...at, logIndex: quantity(firstLog + index), removed: false }
  })
  return { ...at, ...receipt, logs }
}

function headerOf(
  { parent, timestamp, mixHash, baseFee }: Assembly,
  { height, executed, bare }: { height: number; executed: Executed[]; bare: BareReceipt[] },
): HeaderJson {
  const parentRoot = parent?.header.stateRoot ?? ZERO_HASH
  return {
    parentHash: parent?.hash ?? ZERO_HASH,
    sha3Uncles: NO_UNCLES,
    miner: '0x0000000000000000000000000000000000000000',
    // A substitute: the simulated state is not a trie.
    stateRoot: toHex(keccak_256(Buffer.concat([fromHex(parentRoot), fromHex(mixHash)]))),
    transactionsRoot: listRoot(executed.map(({ origin }) => origin.raw)),
    receiptsRoot: receiptsRoot(bare),
    logsBloom: bloomOf(executed.flatMap(({ logs }) => logs)),
    difficulty: '0x0',
    number: quantity(height),
    gasLimit: quantity(GAS_LIMIT),
    gasUsed: bare.at(-1)?.cumulativeGasUsed ?? '0x0',
    timestamp: quantity(timestamp),
    extraData: '0x',
    mixHash,
    nonce: '0x0000000000000000',
    ...(baseFee === null ? {} : { baseFeePerGas: quantity(baseFee) }),
    withdrawalsRoot: EMPTY_ROOT,
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: ZERO_HASH,
    requestsHash: NO_REQUESTS,
  }
}
