import { fromHex } from '../hex.ts'
import type { TronChain } from '../tron-chain.ts'
import { blockJson, type TronBlock } from './block.ts'
import { freeUsedAt, runCall } from './execute.ts'
import { paramsJson } from './params.ts'
import { delegatedOf, energyLimit, energyUsedAt, spareStake } from './stake.ts'
import type { State } from './state.ts'
import {
  rawOf,
  readRaw,
  readTransaction,
  transactionJson,
  type TronTransaction,
} from './transaction.ts'

/** Side of a node: its head, or its solid state. */
export type Side = 'wallet' | 'walletsolidity'

/** Parameters of a request: texts, numbers and booleans. */
export type Request = Record<string, string | number | boolean | undefined>
type Method = (view: View, request: Request) => unknown

/** View of one side of the node. */
export interface View {
  chain: TronChain
  side: Side
  tip: TronBlock
}

/** An error as the node writes it, with status 200. */
export class TronFault extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

const RANGE_MAX = 100
/** Number of the resource; stakes for bandwidth are not simulated. */
const ENERGY = 1
const ADDRESS = /^41[0-9a-f]{40}$/

/** Methods that both sides have. */
const COMMON: Record<string, Method> = {
  getnowblock: ({ tip }) => blockJson(tip),
  getblockbynum: (view, { num }) => blockOrNone(view, numberIn(num)),
  getblock: (view, { id_or_num: which, detail }) => {
    const found = which === undefined ? view.tip : blockOf(view, String(which))
    return found === null ? {} : blockJson(found, { detail: detail === true })
  },
  getblockbylimitnext: (view, { startNum, endNum }) => {
    const [start, end] = [numberIn(startNum), numberIn(endNum)]
    if (start < 0 || end <= start || end - start > RANGE_MAX) return {}
    const blocks: unknown[] = []
    for (let height = start; height < end; height += 1) {
      const block = visible(view, height)
      if (block !== null) blocks.push(blockJson(block))
    }
    return blocks.length === 0 ? {} : { block: blocks }
  },
  gettransactioninfobyblocknum: (view, { num }) => {
    const height = numberIn(num)
    if (height <= 0) return {}
    return (visible(view, height)?.executed ?? []).map(({ info }) => info)
  },
  gettransactioninfobyid: (view, { value }) => foundIn(view, String(value))?.info ?? {},
  gettransactionbyid: (view, { value }) => {
    const id = String(value)
    const found = foundIn(view, id)
    if (found !== null)
      return { ret: [{ contractRet: found.contractRet }], ...transactionJson(found.transaction) }
    const pending = view.side === 'wallet' ? view.chain.pool.get(id) : undefined
    // Pending transactions look successful.
    return pending === undefined
      ? {}
      : { ret: [{ contractRet: 'SUCCESS' }], ...transactionJson(pending) }
  },
  getaccount: (view, { address }) => accountJson(view, addressIn(address)),
  triggerconstantcontract: (view, request) => constantCall(view, request),
  getdelegatedresourcev2: (view, { fromAddress, toAddress }) =>
    delegationsJson(view, addressIn(fromAddress), addressIn(toAddress)),
  getcandelegatedmaxsize: (view, { owner_address: owner, type }) => {
    const account = stateOf(view).accounts.get(addressIn(owner))
    const isEnergy = numberIn(type) === ENERGY
    const size = account === undefined || !isEnergy ? 0n : spareStake(account, groundOf(view))
    return size === 0n ? {} : { max_size: size }
  },
}

const WALLET: Record<string, Method> = {
  ...COMMON,
  getaccountresource: (view, { address }) => resourceJson(view, addressIn(address)),
  getchainparameters: ({ chain }) => paramsJson(chain.params),
  getenergyprices: ({ chain }) => ({ prices: `0:${chain.params.energyFee}` }),
  getbandwidthprices: ({ chain }) => ({ prices: `0:${chain.params.transactionFee}` }),
  gettransactionlistfrompending: ({ chain }) =>
    chain.pool.size === 0 ? {} : { txId: [...chain.pool.keys()] },
  broadcasttransaction: ({ chain }, request) => {
    const transaction = fromJson(request)
    const { code, message } = chain.take(transaction)
    const txid = transaction.id
    return code === 'SUCCESS'
      ? { result: true, txid }
      : { code, txid, message: Buffer.from(message).toString('hex') }
  },
  broadcasthex: ({ chain }, { transaction: hex }) => {
    const transaction = fromBytes(String(hex))
    const { code, message } = chain.take(transaction)
    const { txID: _, raw_data_hex: __, ...shown } = transactionJson(transaction)
    const result = code === 'SUCCESS'
    return { result, code, txid: transaction.id, message, transaction: JSON.stringify(shown, text) }
  },
}

/** Methods of each side of a node. */
export const METHODS: Record<Side, Record<string, Method>> = {
  wallet: WALLET,
  walletsolidity: COMMON,
}

function text(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

function visible({ chain, tip }: View, height: number): TronBlock | null {
  return height > tip.height ? null : chain.at(height)
}

function blockOrNone(view: View, height: number): unknown {
  const block = visible(view, height)
  return block === null ? {} : blockJson(block)
}

function blockOf(view: View, which: string): TronBlock | null {
  if (/^\d{1,15}$/.test(which)) return visible(view, Number(which))
  const height = Number(BigInt(`0x${which.slice(0, 16)}`))
  const block = visible(view, height)
  return block?.id === which ? block : null
}

function foundIn({ chain, tip }: View, id: string) {
  const block = chain.blockOf(id)
  if (block === null || block.height > tip.height) return null
  return block.executed.find(({ transaction }) => transaction.id === id) ?? null
}

/**
 * The state that a side reads: the solid block's, or the head's with what waits for a block on top
 * (java-tron executes a transaction when it is broadcast).
 */
function stateOf({ chain, side, tip }: View): State {
  if (side === 'wallet' && tip === chain.head()) return chain.pending()
  if (tip.state === null) throw new TronFault('java.lang.NullPointerException', 'no state')
  return tip.state
}

function accountJson(view: View, address: string): unknown {
  const { accounts } = stateOf(view)
  const account = accounts.get(address)
  const contract = view.chain.contracts.has(address) ? { type: 'Contract' } : {}
  if (account === undefined && !('type' in contract)) return {}
  const balance = account?.balance ?? 0n
  return {
    address,
    ...contract,
    ...(balance === 0n ? {} : { balance }),
    ...(account === undefined ? {} : { create_time: account.createdAt }),
    net_window_size: 28_800,
    account_resource: { energy_window_size: 28_800 },
    frozenV2: [{}, { type: 'ENERGY' }, { type: 'TRON_POWER' }],
  }
}

function groundOf({ chain: { params }, tip: { time } }: View) {
  return { params, time }
}

function delegationsJson(view: View, from: string, to: string): unknown {
  const lent = delegatedOf(stateOf(view), from, to)
  if (lent === 0n) return {}
  return { delegatedResource: [{ from, to, frozen_balance_for_energy: lent }] }
}

function resourceJson(view: View, address: string): unknown {
  const { chain, tip } = view
  const account = stateOf(view).accounts.get(address)
  if (account === undefined) return {}
  const limit = energyLimit(account, chain)
  const used = freeUsedAt(account, tip.time)
  const energyUsed = energyUsedAt(account, tip.time)
  return {
    ...(used === 0 ? {} : { freeNetUsed: used }),
    freeNetLimit: chain.params.freeNetLimit,
    TotalNetLimit: 43_200_000_000,
    ...(limit === 0n ? {} : { EnergyLimit: limit }),
    ...(energyUsed === 0n ? {} : { EnergyUsed: energyUsed }),
    TotalEnergyLimit: chain.params.totalEnergyLimit,
    TotalEnergyWeight: chain.params.totalEnergyWeight,
  }
}

function constantCall(view: View, request: Request): unknown {
  const owner = addressIn(request['owner_address'])
  const contract = addressIn(request['contract_address'])
  const selector = String(request['function_selector'] ?? '')
  const data =
    String(request['data'] ?? '') || `${SELECTORS[selector] ?? ''}${request['parameter'] ?? ''}`
  if (!view.chain.contracts.has(contract)) {
    const message = Buffer.from('Smart contract is not exist.').toString('hex')
    return { result: { code: 'CONTRACT_VALIDATE_ERROR', message } }
  }
  const value = { owner_address: owner, contract_address: contract, data }
  const { height, time } = view.tip
  const transaction = readRaw(
    rawOf({
      refBlockBytes: height.toString(16).padStart(16, '0').slice(12),
      refBlockHash: view.tip.id.slice(16, 32),
      expiration: time + 60_000,
      timestamp: time,
      type: 'TriggerSmartContract',
      value,
    }),
    [],
  )
  const run = runCall(stateOf(view), view.chain.ground(), transaction)
  const failed = run.result !== 'SUCCESS'
  const message = Buffer.from('REVERT opcode executed').toString('hex')
  return {
    result: { result: true, ...(failed ? { message } : {}) },
    energy_used: run.energy,
    constant_result: [run.answer],
    ...(run.logs.length > 0 && !failed ? { logs: run.logs } : {}),
    transaction: {
      ret: [failed ? { ret: 'FAILED' } : {}],
      visible: false,
      ...transactionJson(transaction),
    },
  }
}

const SELECTORS: Record<string, string> = {
  'balanceOf(address)': '70a08231',
  'decimals()': '313ce567',
  'symbol()': '95d89b41',
  'name()': '06fdde03',
  'transfer(address,uint256)': 'a9059cbb',
}

function numberIn(value: Request[string]): number {
  return Number(value ?? 0)
}

function addressIn(value: Request[string]): string {
  const address = String(value ?? '')
  if (!ADDRESS.test(address))
    throw new TronFault('java.lang.IllegalArgumentException', 'INVALID hex String')
  return address
}

function fromBytes(hex: string): TronTransaction {
  try {
    return readTransaction(fromHex(hex))
  } catch {
    const said = 'exception decoding Hex string: invalid characters encountered in Hex string'
    throw new TronFault('org.bouncycastle.util.encoders.DecoderException', said)
  }
}

function fromJson(request: Request): TronTransaction {
  const { raw_data_hex: raw, signature } = request
  // A list of one item may arrive as its text.
  const signatures = [fromHex(String(signature ?? ''))]
  if (typeof raw === 'string') return readRaw(fromHex(raw), signatures)
  throw new TronFault('java.lang.NullPointerException', 'null')
}
