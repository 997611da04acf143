import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex } from '../hex.ts'
import { bytesIn, decode, encode, intIn, type Field } from './protobuf.ts'

/** The kinds of contract that the simulated chain executes (protocol/core/Tron.proto). */
export type ContractType =
  | 'TransferContract'
  | 'TransferAssetContract'
  | 'TriggerSmartContract'
  | 'FreezeBalanceV2Contract'
  | 'DelegateResourceContract'
  | 'UnDelegateResourceContract'

/** A transaction as its bytes say it. Addresses are 21 bytes in hex. */
export interface TronTransaction {
  id: string
  raw: Uint8Array
  signatures: readonly Uint8Array[]
  /** Unknown fields: nodes keep them but omit them from JSON. */
  hidden?: Uint8Array
  refBlockBytes: string
  refBlockHash: string
  /** Milliseconds. */
  expiration: number
  timestamp: number
  feeLimit: bigint
  /** The memo, in hex. */
  data: string
  type: ContractType
  /** The contract's own fields as the node writes them in JSON, defaults left out. */
  value: Record<string, string | bigint | boolean>
}

export interface Draft {
  refBlockBytes: string
  refBlockHash: string
  expiration: number
  timestamp: number
  feeLimit?: bigint
  data?: string
  type: ContractType
  value: Record<string, string | bigint | boolean>
}

const TYPES: Record<ContractType, number> = {
  TransferContract: 1,
  TransferAssetContract: 2,
  TriggerSmartContract: 31,
  FreezeBalanceV2Contract: 54,
  DelegateResourceContract: 57,
  UnDelegateResourceContract: 58,
}

/** Of each kind: the names of its fields, by number; `hex` fields are bytes. */
const SHAPES: Record<
  ContractType,
  readonly (readonly [number, string, 'hex' | 'int' | 'resource'])[]
> = {
  TransferContract: [
    [1, 'owner_address', 'hex'],
    [2, 'to_address', 'hex'],
    [3, 'amount', 'int'],
  ],
  TransferAssetContract: [
    [1, 'asset_name', 'hex'],
    [2, 'owner_address', 'hex'],
    [3, 'to_address', 'hex'],
    [4, 'amount', 'int'],
  ],
  TriggerSmartContract: [
    [1, 'owner_address', 'hex'],
    [2, 'contract_address', 'hex'],
    [3, 'call_value', 'int'],
    [4, 'data', 'hex'],
  ],
  FreezeBalanceV2Contract: [
    [1, 'owner_address', 'hex'],
    [2, 'frozen_balance', 'int'],
    [3, 'resource', 'resource'],
  ],
  DelegateResourceContract: [
    [1, 'owner_address', 'hex'],
    [2, 'resource', 'resource'],
    [3, 'balance', 'int'],
    [4, 'receiver_address', 'hex'],
  ],
  UnDelegateResourceContract: [
    [1, 'owner_address', 'hex'],
    [2, 'resource', 'resource'],
    [3, 'balance', 'int'],
    [4, 'receiver_address', 'hex'],
  ],
}

/** The bytes that are hashed and signed. */
export function rawOf(draft: Draft): Uint8Array {
  const fields = SHAPES[draft.type].map(([number, name, kind]): Field => {
    const value = draft.value[name] ?? (kind === 'hex' ? '' : 0n)
    if (kind === 'resource') return [number, value === 'ENERGY' ? 1n : 0n]
    return [number, typeof value === 'string' ? fromHex(value) : BigInt(value)]
  })
  const url = `type.googleapis.com/protocol.${draft.type}`
  const parameter = encode([
    [1, url],
    [2, encode(fields)],
  ])
  const contract = encode([
    [1, TYPES[draft.type]],
    [2, parameter],
  ])
  return encode([
    [1, fromHex(draft.refBlockBytes)],
    [4, fromHex(draft.refBlockHash)],
    [8, BigInt(draft.expiration)],
    [10, fromHex(draft.data ?? '')],
    [11, contract],
    [14, BigInt(draft.timestamp)],
    [18, draft.feeLimit ?? 0n],
  ])
}

/** The bytes of a whole transaction. */
export function transactionBytes(raw: Uint8Array, signatures: readonly Uint8Array[]): Uint8Array {
  return encode([[1, raw], ...signatures.map((one): Field => [2, one])])
}

/** Reads a transaction. Throws if the bytes are invalid, or of a type that is not simulated. */
export function readTransaction(bytes: Uint8Array): TronTransaction {
  const outer = decode(bytes)
  const signatures = (outer.get(2) ?? []).filter((one) => one instanceof Uint8Array)
  return readRaw(bytesIn(outer, 1), signatures)
}

/** The same from the two parts of it. */
export function readRaw(raw: Uint8Array, signatures: readonly Uint8Array[]): TronTransaction {
  const message = decode(raw)
  const contract = decode(bytesIn(message, 11))
  const number = intIn(contract, 1)
  const type = contractTypes.find((one) => BigInt(TYPES[one]) === number)
  if (type === undefined) throw new Error(`a contract of type ${number}`)
  const inner = decode(bytesIn(decode(bytesIn(contract, 2)), 2))
  const value: TronTransaction['value'] = {}
  for (const [field, name, kind] of SHAPES[type]) {
    const bytes = hexIn(bytesIn(inner, field))
    const whole = intIn(inner, field)
    if (kind === 'hex' && bytes !== '') value[name] = bytes
    if (kind === 'int' && whole !== 0n) value[name] = whole
    if (kind === 'resource' && whole === 1n) value[name] = 'ENERGY'
  }
  return {
    id: hexIn(sha256(raw)),
    raw,
    signatures,
    refBlockBytes: hexIn(bytesIn(message, 1)),
    refBlockHash: hexIn(bytesIn(message, 4)),
    expiration: Number(intIn(message, 8)),
    timestamp: Number(intIn(message, 14)),
    feeLimit: intIn(message, 18),
    data: hexIn(bytesIn(message, 10)),
    type,
    value,
  }
}

const contractTypes: readonly ContractType[] = [
  'TransferContract',
  'TransferAssetContract',
  'TriggerSmartContract',
  'FreezeBalanceV2Contract',
  'DelegateResourceContract',
  'UnDelegateResourceContract',
]

/** A transaction as a node writes it, without its result. */
export function transactionJson(transaction: TronTransaction): Record<string, unknown> {
  const { type, value, data, feeLimit } = transaction
  return {
    ...(transaction.signatures.length === 0
      ? {}
      : { signature: transaction.signatures.map(hexIn) }),
    txID: transaction.id,
    raw_data: {
      ...(data === '' ? {} : { data }),
      contract: [
        {
          parameter: { value, type_url: `type.googleapis.com/protocol.${type}` },
          type,
        },
      ],
      ref_block_bytes: transaction.refBlockBytes,
      ref_block_hash: transaction.refBlockHash,
      expiration: transaction.expiration,
      ...(feeLimit === 0n ? {} : { fee_limit: feeLimit }),
      timestamp: transaction.timestamp,
    },
    raw_data_hex: hexIn(transaction.raw),
  }
}

/** Bytes in hex, without 0x, as TRON writes them. */
export function hexIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
