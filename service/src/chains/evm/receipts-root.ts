import { keccakInBulk } from './keccak.ts'
import { rlpEncode, rlpNumber } from './rlp.ts'
import type { RlpItem } from './rlp.ts'
import type { RpcLog, RpcReceipt } from './rpc.ts'
import { indexedRoot } from './trie.ts'

const BLOOM_BYTES = 256

/**
 * The receipts root of a block with these receipts, in this order (yellow paper 4.4.1, EIP-2718).
 */
export function receiptsRoot(receipts: readonly RpcReceipt[]): string {
  return indexedRoot(receipts.map(encodeReceipt))
}

/** A bloom filter over addresses and topics of logs (yellow paper 4.4.3), 0x and 512 digits. */
export function logsBloom(logs: readonly RpcLog[]): string {
  const bloom = new Uint8Array(BLOOM_BYTES)
  // A contract may log so often that hashing its own address each time would take seconds.
  const entries = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))
  for (const entry of entries) setBits(bloom, keccakInBulk(bytesOf(entry)))
  return `0x${Buffer.from(bloom).toString('hex')}`
}

/** Unknown types are assumed to look like known ones: a type byte before the same four fields. */
function encodeReceipt(receipt: RpcReceipt): Uint8Array {
  const body = rlpEncode([
    receipt.postState === null ? rlpNumber(receipt.succeeded ? 1 : 0) : bytesOf(receipt.postState),
    rlpNumber(receipt.cumulativeGasUsed),
    bytesOf(receipt.logsBloom ?? logsBloom(receipt.logs)),
    receipt.logs.map(encodeLog),
  ])
  return receipt.type === 0 ? body : Buffer.concat([Uint8Array.of(receipt.type), body])
}

function encodeLog({ address, topics, data }: RpcLog): RlpItem {
  return [bytesOf(address), topics.map(bytesOf), bytesOf(data)]
}

/** Three bits an entry: the low 11 bits of each of the first three pairs of bytes of its hash. */
function setBits(bloom: Uint8Array, hash: Uint8Array): void {
  for (const pair of [0, 2, 4]) {
    const bit = (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & 0x7ff
    const at = BLOOM_BYTES - 1 - (bit >> 3)
    bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
  }
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}
