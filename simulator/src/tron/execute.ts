import { word } from '../hex.ts'
import type { TronParams } from './params.ts'
import { energyLeft, energyUsedAt, moveStake, stakeFault } from './stake.ts'
import { callToken } from './token.ts'
import {
  type Account,
  type CallRun,
  type Contract,
  type Executed,
  give,
  type InternalMove,
  type Script,
  type State,
} from './state.ts'
import { type ContractType, transactionBytes, type TronTransaction } from './transaction.ts'

/** Context of a transaction's execution in addition to the state. */
export interface Ground {
  params: TronParams
  /** Of the block, in milliseconds. */
  time: number
  height: number
  contracts: ReadonlyMap<string, Contract>
  scripts: ReadonlyMap<string, Script>
  /** Whether the node writes internal transactions down. */
  keepsInternal: boolean
}

const DAY_MS = 86_400_000
const RESULT_BYTES = 64
const SCRIPT_ENERGY = 7_000n
/** Kinds of contract that move what is staked. */
const STAKING: ReadonlySet<ContractType> = new Set([
  'FreezeBalanceV2Contract',
  'DelegateResourceContract',
  'UnDelegateResourceContract',
])

/** Reason for refusing a transaction, in the node's words; null if it is accepted. */
export function faultOf(state: State, ground: Ground, transaction: TronTransaction): string | null {
  const { type, value } = transaction
  const owner = String(value['owner_address'] ?? '')
  const account = state.accounts.get(owner)
  const left = () => leftAfterFees(state, ground, transaction)
  // Bandwidth is looked at before anything else, and who is not there has none.
  if (account === undefined) return `account [${owner}] does not exist`
  if (STAKING.has(type)) return stakeFault(state, ground, { type, value, left: left() })
  if (type === 'TriggerSmartContract') {
    if (!ground.contracts.has(String(value['contract_address'] ?? '')))
      return 'No contract or not a valid smart contract'
    const { maxFeeLimit } = ground.params
    const isOver = transaction.feeLimit > maxFeeLimit
    return isOver ? `feeLimit must be >= 0 and <= ${maxFeeLimit}` : null
  }
  if (type === 'TransferContract')
    return transferFault(state, ground, { left: left(), value, owner })
  return null
}

/** Sender's balance when its contract is checked: after bandwidth and memo fees. */
function leftAfterFees(state: State, ground: Ground, transaction: TronTransaction): bigint {
  const { balance = 0n } = state.accounts.get(String(transaction.value['owner_address'])) ?? {}
  const paid = bandwidthOf(state, ground, transaction)
  // A sender that cannot pay them is refused for that reason.
  return paid === null ? balance : balance - paid.fee - memoFeeOf(ground, transaction)
}

function memoFeeOf({ params }: Ground, { data }: TronTransaction): bigint {
  return data === '' ? 0n : params.memoFee
}

function transferFault(
  state: State,
  { contracts, params }: Ground,
  sender: { left: bigint; value: TronTransaction['value']; owner: string },
): string | null {
  const { left, value, owner } = sender
  const to = String(value['to_address'] ?? '')
  const amount = BigInt(value['amount'] ?? 0n)
  if (!/^41[0-9a-f]{40}$/.test(to)) return 'Invalid toAddress!'
  if (to === owner) return 'Cannot transfer TRX to yourself.'
  if (amount <= 0n) return 'Amount must be greater than 0.'
  if (contracts.has(to)) return 'Cannot transfer TRX to a smartContract.'
  const fee = state.accounts.has(to) ? 0n : params.newAccountFee
  if (left < amount + fee) return 'Validate TransferContract error, balance is not sufficient.'
  return null
}

/** Bandwidth cost of a transaction; null if the sender cannot pay for it and a memo. */
export function bandwidthOf(
  state: State,
  ground: Ground,
  transaction: TronTransaction,
): { bytes: number; free: boolean; fee: bigint } | null {
  const { params, time } = ground
  const { raw, signatures, type, value } = transaction
  const account = state.accounts.get(String(value['owner_address']))
  if (account === undefined) return null
  const bytes = transactionBytes(raw, signatures).length + RESULT_BYTES
  const creates = type === 'TransferContract' && !state.accounts.has(String(value['to_address']))
  const fee = creates ? params.newAccountBandwidthFee : BigInt(bytes) * params.transactionFee
  const free = !creates && freeUsedAt(account, time) + bytes <= params.freeNetLimit
  const paid = free ? 0n : fee
  const isPaid = account.balance >= paid + memoFeeOf(ground, transaction)
  return isPaid ? { bytes, free, fee: paid } : null
}

/** Executes a transaction that was found valid, and changes the state. */
export function execute(state: State, ground: Ground, transaction: TronTransaction): Executed {
  const owner = String(transaction.value['owner_address'])
  const bandwidth = bandwidthOf(state, ground, transaction)
  const account = state.accounts.get(owner)
  if (bandwidth === null || account === undefined) throw new Error('not a valid transaction')
  if (bandwidth.free) {
    account.freeUsed = freeUsedAt(account, ground.time) + bandwidth.bytes
    account.freeUsedAt = ground.time
  }
  const memo = memoFeeOf(ground, transaction)
  give(state, owner, -bandwidth.fee - memo, ground.time)
  const done = perform(state, ground, transaction)
  const net = bandwidth.free ? { net_usage: bandwidth.bytes } : { net_fee: bandwidth.fee }
  const fee = bandwidth.fee + memo + done.fee
  const info = {
    id: transaction.id,
    ...(fee === 0n ? {} : { fee }),
    blockNumber: ground.height,
    blockTimeStamp: ground.time,
    contractResult: [done.answer],
    ...done.more,
    receipt: { ...net, ...done.receipt },
  }
  return { transaction, contractRet: done.contractRet, info }
}

interface Done {
  contractRet: string
  fee: bigint
  answer: string
  receipt: Record<string, unknown>
  more: Record<string, unknown>
}

function perform(state: State, ground: Ground, transaction: TronTransaction): Done {
  const { type, value } = transaction
  const owner = String(value['owner_address'])
  const plain = { contractRet: 'SUCCESS', fee: 0n, answer: '', receipt: {}, more: {} }
  if (type === 'TriggerSmartContract') return call(state, ground, transaction)
  if (type === 'TransferContract') {
    const to = String(value['to_address'])
    const amount = BigInt(value['amount'] ?? 0n)
    const fee = state.accounts.has(to) ? 0n : ground.params.newAccountFee
    give(state, owner, -amount - fee, ground.time)
    give(state, to, amount, ground.time)
    return { ...plain, fee }
  }
  if (STAKING.has(type)) moveStake(state, ground, transaction)
  return plain
}

/** A call of a contract: what it would do, what that costs, and whether it is paid for. */
function call(state: State, ground: Ground, transaction: TronTransaction): Done {
  const { value, feeLimit } = transaction
  const owner = String(value['owner_address'])
  const contract = String(value['contract_address'])
  const done = runCall(state, ground, transaction)
  const account = state.accounts.get(owner)
  if (account === undefined) throw new Error('a call without a caller')
  const price = ground.params.energyFee
  const lent = energyLeft(account, ground)
  // The limit caps all energy, that which costs nothing too.
  const most = smaller(feeLimit / price, lent + account.balance / price)
  const isShort = done.energy > most
  const used = isShort ? most : done.energy
  const borrowed = smaller(used, lent)
  const fee = (used - borrowed) * price
  account.energyUsed = energyUsedAt(account, ground.time) + borrowed
  account.energyUsedAt = ground.time
  give(state, owner, -fee, ground.time)
  const contractRet = isShort ? 'OUT_OF_ENERGY' : done.result
  const succeeded = contractRet === 'SUCCESS'
  if (succeeded) done.apply()
  const receipt = {
    ...(borrowed === 0n ? {} : { energy_usage: borrowed }),
    ...(fee === 0n ? {} : { energy_fee: fee }),
    ...(used === 0n ? {} : { energy_usage_total: used }),
    result: contractRet,
  }
  const internal = internalJson(ground, transaction.id, done.internals)
  return {
    contractRet,
    fee,
    answer: succeeded ? done.answer : '',
    receipt,
    more: {
      contract_address: contract,
      ...(succeeded && done.logs.length > 0 ? { log: done.logs } : {}),
      ...(internal.length > 0 ? { internal_transactions: internal } : {}),
      ...(succeeded ? {} : { result: 'FAILED', resMessage: hexText(failureText(contractRet)) }),
    },
  }
}

/** Runs a call against a state, which only `apply` changes. */
export function runCall(state: State, ground: Ground, transaction: TronTransaction): CallRun {
  const { value, id } = transaction
  const address = String(value['contract_address'])
  const contract = ground.contracts.get(address)
  if (contract?.kind === 'token') return callToken(state, { address, contract, value })
  const script = ground.scripts.get(id) ?? {}
  const internals = script.internals ?? []
  return {
    result: script.result ?? 'SUCCESS',
    energy: SCRIPT_ENERGY,
    answer: word(1n),
    logs: script.logs ?? [],
    internals,
    apply: () => {
      for (const { to, amount, rejected = false, note = 'call' } of internals)
        if (!rejected && note === 'call') give(state, to, amount, ground.time)
    },
  }
}

function internalJson(
  { keepsInternal }: Ground,
  id: string,
  internals: readonly InternalMove[],
): Record<string, unknown>[] {
  if (!keepsInternal) return []
  return internals.map(({ from, to, amount, rejected = false, note = 'call' }) => ({
    hash: id,
    caller_address: from,
    transferTo_address: to,
    callValueInfo: [amount === 0n ? {} : { callValue: amount }],
    note: hexText(note),
    ...(rejected ? { rejected } : {}),
  }))
}

/** Of the free bandwidth what is in use at a time. */
export function freeUsedAt({ freeUsed, freeUsedAt: at }: Account, time: number): number {
  return Math.ceil(freeUsed * Math.max(0, 1 - (time - at) / DAY_MS))
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function failureText(contractRet: string): string {
  return contractRet === 'REVERT'
    ? 'REVERT opcode executed'
    : `${contractRet}: the execution ended early`
}

function hexText(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex')
}
