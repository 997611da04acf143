import { keccak_256 } from '@noble/hashes/sha3.js'
import { bigEndian, concat, fromHex, type Hex, toHex } from '../hex.ts'
import { type RlpItem, rlp } from '../rlp.ts'
import { listRoot } from './trie.ts'
import type { HeaderJson, LogJson, ReceiptJson, TransactionJson } from './shapes.ts'

/**
 * The encodings under a block's hashes, from the JSON of nodes; tests verify the same code on real
 * blocks.
 */

/** keccak of the RLP of the header; fields of later forks count if present. */
export function blockHash(header: HeaderJson): Hex {
  const { baseFeePerGas, blobGasUsed, excessBlobGas } = header
  const { withdrawalsRoot, parentBeaconBlockRoot, requestsHash } = header
  const fields = [
    ...[header.parentHash, header.sha3Uncles, header.miner, header.stateRoot].map(fromHex),
    ...[header.transactionsRoot, header.receiptsRoot, header.logsBloom].map(fromHex),
    ...[header.difficulty, header.number, header.gasLimit, header.gasUsed].map(integer),
    integer(header.timestamp),
    ...[header.extraData, header.mixHash, header.nonce].map(fromHex),
    ...optional(baseFeePerGas, integer),
    ...optional(withdrawalsRoot, fromHex),
    ...optional(blobGasUsed, integer),
    ...optional(excessBlobGas, integer),
    ...optional(parentBeaconBlockRoot, fromHex),
    ...optional(requestsHash, fromHex),
  ]
  return toHex(keccak_256(rlp(fields)))
}

export function transactionsRoot(transactions: readonly TransactionJson[]): Hex {
  return listRoot(transactions.map(encodeTransaction))
}

export function receiptsRoot(receipts: readonly ReceiptJson[]): Hex {
  return listRoot(receipts.map(encodeReceipt))
}

/** keccak of the signed transaction's bytes. */
export function hashOfTransaction(transaction: TransactionJson): Hex {
  return toHex(keccak_256(encodeTransaction(transaction)))
}

/** Types 0, 1 and 2 as their EIPs have them; any other as type 2 under its own number. */
export function encodeTransaction(transaction: TransactionJson): Uint8Array {
  const { chainId, nonce, gasPrice, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const { to, value, input, v, r, s, accessList = [] } = transaction
  const type = Number(transaction.type ?? '0x0')
  const call = [integer(gas), to === null ? new Uint8Array() : fromHex(to), integer(value)]
  const seal = [v, r, s].map(integer)
  if (type === 0) {
    return rlp([integer(nonce), integer(gasPrice), ...call, fromHex(input), ...seal])
  }
  const fees = type === 1 ? [gasPrice] : [maxPriorityFeePerGas ?? '0x0', maxFeePerGas ?? '0x0']
  const access = accessList.map(({ address, storageKeys }) => [
    fromHex(address),
    storageKeys.map(fromHex),
  ])
  const numbers = [chainId ?? '0x0', nonce, ...fees].map(integer)
  const fields = [...numbers, ...call, fromHex(input), access, ...seal]
  return concat([Uint8Array.of(type), rlp(fields)])
}

/** Before Byzantium the field of the status held a state root. */
export function encodeReceipt(receipt: ReceiptJson): Uint8Array {
  const { root, status, cumulativeGasUsed, logsBloom, logs } = receipt
  const outcome = status === undefined ? fromHex(root ?? '0x') : integer(status)
  const body = rlp([outcome, integer(cumulativeGasUsed), fromHex(logsBloom), logs.map(encodeLog)])
  const type = Number(receipt.type ?? '0x0')
  return type === 0 ? body : concat([Uint8Array.of(type), body])
}

/** Bloom filter of 2,048 bits over the addresses and topics (Yellow Paper, 4.3.1). */
export function bloomOf(logs: readonly Pick<LogJson, 'address' | 'topics'>[]): Hex {
  const bloom = new Uint8Array(256)
  for (const { address, topics } of logs) {
    for (const member of [address, ...topics]) {
      for (const bit of bloomBits(member)) {
        const index = 255 - (bit >> 3)
        bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
      }
    }
  }
  return toHex(bloom)
}

/** Contracts, topics and addresses repeat: each is hashed once while the cache has room. */
const bitsOfMembers = new Map<string, number[]>()
const MEMBERS_KEPT = 50_000

function bloomBits(member: string): number[] {
  const known = bitsOfMembers.get(member)
  if (known !== undefined) return known
  if (bitsOfMembers.size === MEMBERS_KEPT) bitsOfMembers.clear()
  const hash = keccak_256(fromHex(member))
  const bits = [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2_047)
  bitsOfMembers.set(member, bits)
  return bits
}

function encodeLog({ address, topics, data }: LogJson): RlpItem {
  return [fromHex(address), topics.map(fromHex), fromHex(data)]
}

function integer(quantity: string): Uint8Array {
  return bigEndian(BigInt(quantity))
}

function optional(value: string | undefined, encode: (text: string) => Uint8Array): Uint8Array[] {
  return value === undefined ? [] : [encode(value)]
}
