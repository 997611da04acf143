import { nativeHash, nativeHashText } from '../native-hash.ts'
import { writeMessage } from './protobuf.ts'
import type { Field } from './protobuf.ts'
import { demand } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcTransaction } from './rpc.ts'

/** The names of results by number (Transaction.Result.contractResult). */
const RESULTS = [
  'DEFAULT',
  'SUCCESS',
  'REVERT',
  'BAD_JUMP_DESTINATION',
  'OUT_OF_MEMORY',
  'PRECOMPILED_CONTRACT',
  'STACK_TOO_SMALL',
  'STACK_TOO_LARGE',
  'ILLEGAL_OPERATION',
  'STACK_OVERFLOW',
  'OUT_OF_ENERGY',
  'OUT_OF_TIME',
  'JVM_STACK_OVER_FLOW',
  'UNKNOWN',
  'TRANSFER_FAILED',
  'INVALID_CODE',
]
const NO_ROOT = '0'.repeat(64)

/**
 * A block's id holds its height and the end of the hash of its header, so an invented or mixed
 * header is detected. The first block of a chain names no address as its producer, and is checked
 * by its id only.
 */
export function proveHeader(header: RpcHeader): void {
  const { height, id } = header
  demand(Number.parseInt(id.slice(0, 16), 16) === height, 'a block id of another height')
  if (height === 0) return
  const hash = nativeHashText('sha256', headerBytes(header))
  demand(hash.slice(16) === id.slice(16), 'a block id that is not that of its header')
}

/** Every transaction's id is the hash of its bytes. */
export function proveIds({ transactions }: RpcBlock): void {
  for (const { id, raw } of transactions) {
    demand(nativeHashText('sha256', raw) === id, 'a transaction id that is not that of its bytes')
  }
}

/**
 * Computes the root over all transactions of the block, with signatures and results. If it equals
 * the header's, no transaction is missing or changed, and each result is proved. Otherwise a
 * transaction may have fields that the JSON does not show.
 */
export function rootOfTransactions({ transactions }: RpcBlock): string {
  return rootOf(transactions.map(leafOf))
}

function headerBytes(header: RpcHeader): Uint8Array {
  return writeMessage([
    [1, BigInt(header.time)],
    [2, fromHex(header.transactionsRoot)],
    [3, fromHex(header.parentId)],
    [7, BigInt(header.height)],
    [9, fromHex(header.witness)],
    [10, BigInt(header.version)],
  ])
}

function leafOf({ raw, signatures, results }: RpcTransaction): Uint8Array {
  const head = writeMessage([[1, raw], ...signatures.map((one): Field => [2, one])])
  const tail = results.map(({ contractRet, fee }) => {
    const number = RESULTS.indexOf(contractRet)
    demand(number >= 0, 'a result of no known kind')
    const result = writeMessage([
      [1, fee],
      [3, BigInt(number)],
    ])
    // A result of default values is still encoded: its tag, and a length of zero.
    return result.length === 0 ? Uint8Array.of(0x2a, 0) : writeMessage([[5, result]])
  })
  return nativeHash('sha256', Buffer.concat([head, ...tail]))
}

/** Pairs are hashed together; a single last hash moves up unchanged. */
function rootOf(leaves: readonly Uint8Array[]): string {
  if (leaves.length === 0) return NO_ROOT
  let level = leaves
  while (level.length > 1) level = levelAbove(level)
  return hexOf(level[0] ?? new Uint8Array())
}

function levelAbove(level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = []
  for (let at = 0; at < level.length; at += 2) {
    const pair = level.slice(at, at + 2)
    const [only = new Uint8Array()] = pair
    above.push(pair.length === 1 ? only : nativeHash('sha256', Buffer.concat(pair)))
  }
  return above
}

function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
