import { createHash } from 'node:crypto'

/** Four bytes before what is hashed say what it is (rippled, HashPrefix.h). */
export const SAYS = {
  transaction: 0x54584e00,
  transactionNode: 0x534e4400,
  innerNode: 0x4d494e00,
  ledger: 0x4c575200,
} as const

/** SHA-512, cut in half, of a prefix and what follows; in upper-case digits. */
export function halfHash(prefix: number | null, hex: string): string {
  const head = prefix === null ? '' : prefix.toString(16).padStart(8, '0')
  const bytes = Buffer.from(head + hex, 'hex')
  return createHash('sha512').update(bytes).digest('hex').slice(0, 64).toUpperCase()
}

/** A transaction in a ledger: hash, signed bytes and metadata, in hex. */
export interface Applied {
  hash: string
  blob: string
  meta: string
}

interface Inner {
  branches: Map<string, Inner | Applied>
}

const EMPTY = '0'.repeat(64)
const DIGITS = '0123456789ABCDEF'.split('')

/**
 * The hash of a SHAMap of transactions with metadata: leaves are at the depth at which their ids
 * differ, below a root that is always an inner node.
 */
export function treeHash(transactions: readonly Applied[]): string {
  if (transactions.length === 0) return EMPTY
  const root: Inner = { branches: new Map() }
  for (const one of transactions) hang(root, one, 0)
  return innerHash(root)
}

function hang(inner: Inner, one: Applied, depth: number): void {
  const digit = one.hash.charAt(depth)
  const there = inner.branches.get(digit)
  if (there === undefined) {
    inner.branches.set(digit, one)
    return
  }
  if ('branches' in there) {
    hang(there, one, depth + 1)
    return
  }
  const below: Inner = { branches: new Map() }
  inner.branches.set(digit, below)
  hang(below, there, depth + 1)
  hang(below, one, depth + 1)
}

function innerHash({ branches }: Inner): string {
  const hashes = DIGITS.map((digit) => {
    const below = branches.get(digit)
    if (below === undefined) return EMPTY
    return 'branches' in below ? innerHash(below) : nodeHash(below)
  })
  return halfHash(SAYS.innerNode, hashes.join(''))
}

function nodeHash({ hash, blob, meta }: Applied): string {
  return halfHash(SAYS.transactionNode, withLength(blob) + withLength(meta) + hash)
}

/** Variable-length fields begin with one, two or three bytes of length. */
function withLength(hex: string): string {
  const length = hex.length / 2
  if (length < 193) return hexOf(length, 1) + hex
  if (length < 12_481) {
    const more = length - 193
    return hexOf(193 + Math.floor(more / 256), 1) + hexOf(more % 256, 1) + hex
  }
  const more = length - 12_481
  return hexOf(241 + Math.floor(more / 65_536), 1) + hexOf(more % 65_536, 2) + hex
}

/** A number in a fixed number of bytes. */
export function hexOf(value: number | bigint, bytes: number): string {
  return value
    .toString(16)
    .padStart(bytes * 2, '0')
    .toUpperCase()
}
