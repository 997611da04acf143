import { sha256 } from '@noble/hashes/sha2.js'
import { concat, fromHex } from '../hex.ts'
import { encode } from './protobuf.ts'
import type { Executed, State } from './state.ts'
import { hexIn, transactionJson } from './transaction.ts'

/** A block of the simulated chain, and the state at its end. */
export interface TronBlock {
  id: string
  height: number
  parentId: string
  time: number
  /** 21 bytes in hex. */
  witness: string
  root: string
  /** How many reorgs came before it. */
  fork: number
  executed: readonly Executed[]
  /** Null once it is too old to be read. */
  state: State | null
  /** Balances set at its end without a transaction: sun in digits, by T… address. */
  endowed?: Readonly<Record<string, string>>
}

const VERSION = 36
const NO_ROOT = '0'.repeat(64)
/** The codes of a transaction's result (protocol/core/Tron.proto, Transaction.Result). */
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

/** Makes a block: its id is its height, and the end of the hash of its header. */
export function makeBlock(content: Omit<TronBlock, 'id' | 'root'>): TronBlock {
  const root = rootOf(content.executed.map(merkleLeaf))
  const header = encode([
    [1, BigInt(content.time)],
    [2, fromHex(root)],
    [3, fromHex(content.parentId)],
    [7, BigInt(content.height)],
    [9, fromHex(content.witness)],
    [10, VERSION],
  ])
  const hash = hexIn(sha256(header))
  const id = `${content.height.toString(16).padStart(16, '0')}${hash.slice(16)}`
  return { ...content, root, id }
}

/** A block as a node writes it: what is zero or empty is left out. */
export function blockJson(block: TronBlock, { detail = true } = {}): Record<string, unknown> {
  const transactions = block.executed.map(({ transaction, contractRet }) => ({
    ret: [{ contractRet }],
    ...transactionJson(transaction),
  }))
  return {
    blockID: block.id,
    block_header: {
      raw_data: {
        ...(block.height === 0 ? {} : { number: block.height }),
        txTrieRoot: block.root,
        witness_address: block.witness,
        parentHash: block.parentId,
        ...(block.height === 0 ? {} : { version: VERSION, timestamp: block.time }),
      },
      ...(block.height === 0 ? {} : { witness_signature: '00'.repeat(65) }),
    },
    ...(detail && transactions.length > 0 ? { transactions } : {}),
  }
}

function merkleLeaf({ transaction, contractRet }: Executed): Uint8Array {
  const ret = encode([[3, RESULTS.indexOf(contractRet)]])
  const { raw, signatures, hidden = new Uint8Array() } = transaction
  const known = encode([
    [1, raw],
    ...signatures.map((one): [number, Uint8Array] => [2, one]),
    [5, ret],
  ])
  return sha256(concat([known, hidden]))
}

/** Pairs are hashed together, one that is left over goes up as it is. */
function rootOf(leaves: readonly Uint8Array[]): string {
  if (leaves.length === 0) return NO_ROOT
  let level = [...leaves]
  while (level.length > 1) {
    const next: Uint8Array[] = []
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]]
      if (left !== undefined) next.push(right === undefined ? left : sha256(concat([left, right])))
    }
    level = next
  }
  return hexIn(level[0] ?? new Uint8Array(32))
}
