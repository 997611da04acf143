import type { Hex } from '../hex.ts'

/** A block as nodes return it, without its transactions (execution API, schema Block). */
export interface HeaderJson {
  parentHash: Hex
  sha3Uncles: Hex
  miner: Hex
  stateRoot: Hex
  transactionsRoot: Hex
  receiptsRoot: Hex
  logsBloom: Hex
  difficulty: Hex
  number: Hex
  gasLimit: Hex
  gasUsed: Hex
  timestamp: Hex
  extraData: Hex
  mixHash: Hex
  nonce: Hex
  baseFeePerGas?: Hex
  withdrawalsRoot?: Hex
  blobGasUsed?: Hex
  excessBlobGas?: Hex
  parentBeaconBlockRoot?: Hex
  requestsHash?: Hex
}

export interface BlockJson extends HeaderJson {
  hash: Hex
  size: Hex
  uncles: Hex[]
  withdrawals?: never[]
  transactions: Hex[] | MinedTransactionJson[]
}

export interface TransactionJson {
  type?: Hex
  chainId?: Hex
  nonce: Hex
  from: Hex
  to: Hex | null
  value: Hex
  input: Hex
  gas: Hex
  gasPrice: Hex
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
  accessList?: { address: Hex; storageKeys: Hex[] }[]
  v: Hex
  r: Hex
  s: Hex
  yParity?: Hex
  hash: Hex
}

/** All null while the transaction waits. */
export interface MinedTransactionJson extends TransactionJson {
  blockHash: Hex | null
  blockNumber: Hex | null
  transactionIndex: Hex | null
}

export interface ReceiptJson {
  type?: Hex
  /** Before Byzantium, in place of the status. */
  root?: Hex
  status?: Hex
  cumulativeGasUsed: Hex
  logsBloom: Hex
  logs: LogJson[]
}

export interface MinedReceiptJson extends ReceiptJson {
  logs: MinedLogJson[]
  transactionHash: Hex
  transactionIndex: Hex
  blockHash: Hex
  blockNumber: Hex
  from: Hex
  to: Hex | null
  contractAddress: Hex | null
  gasUsed: Hex
  effectiveGasPrice: Hex
}

export interface LogJson {
  address: Hex
  topics: Hex[]
  data: Hex
}

export interface MinedLogJson extends LogJson {
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  transactionIndex: Hex
  logIndex: Hex
  removed: boolean
}

/** A frame as geth's callTracer returns it. */
export interface CallFrameJson {
  type: string
  from: Hex
  to?: Hex
  value?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  calls?: CallFrameJson[]
}
