import fc from 'fast-check'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, test } from 'vitest'
import { rlpEncode, type RlpItem } from './rlp.ts'
import { EMPTY_ROOT, indexedRoot } from './trie.ts'

type Hex = `0x${string}`

const bytesOf = (hex: Hex) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
const keccak256 = (hex: Hex): Hex => hexOf(keccak_256(bytesOf(hex)))
const itemOf = (tree: HexTree): RlpItem =>
  typeof tree === 'string' ? bytesOf(tree) : tree.map(itemOf)
const toRlp = (tree: HexTree): Hex => hexOf(rlpEncode(itemOf(tree)))
const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

/**
 * A trie built key by key, as a node builds it: unlike the code under test, which builds it from
 * all keys at once.
 */
type Node =
  | { kind: 'leaf'; path: string; value: Hex }
  | { kind: 'extension'; path: string; child: Node }
  | { kind: 'branch'; children: (Node | null)[] }

type HexTree = Hex | HexTree[]

function insert(node: Node | null, path: string, value: Hex): Node {
  if (node === null) return { kind: 'leaf', path, value }
  if (node.kind === 'branch') {
    const at = Number.parseInt(path[0] ?? '', 16)
    const children = node.children.with(at, insert(node.children[at] ?? null, path.slice(1), value))
    return { kind: 'branch', children }
  }
  let shared = 0
  while (shared < node.path.length && node.path[shared] === path[shared]) shared += 1
  if (node.kind === 'extension' && shared === node.path.length) {
    return { ...node, child: insert(node.child, path.slice(shared), value) }
  }
  const fork = split(node, shared)
  const grown = insert(fork, path.slice(shared), value)
  return shared === 0 ? grown : { kind: 'extension', path: path.slice(0, shared), child: grown }
}

/** A branch with the nodes behind the shared part of a leaf's or an extension's path. */
function split(node: Exclude<Node, { kind: 'branch' }>, shared: number): Node {
  const rest = node.path.slice(shared + 1)
  const at = Number.parseInt(node.path[shared] ?? '', 16)
  const behind: Node =
    node.kind === 'leaf'
      ? { ...node, path: rest }
      : rest === ''
        ? node.child
        : { ...node, path: rest }
  const children: (Node | null)[] = Array.from({ length: 16 }, () => null)
  return { kind: 'branch', children: children.with(at, behind) }
}

function packed(path: string, flag: number): Hex {
  return path.length % 2 === 1 ? `0x${flag + 1}${path}` : `0x${flag}0${path}`
}

function treeOf(node: Node): HexTree {
  if (node.kind === 'leaf') return [packed(node.path, 2), node.value]
  if (node.kind === 'extension') return [packed(node.path, 0), referTo(node.child)]
  return [...node.children.map((child) => (child === null ? '0x' : referTo(child))), '0x']
}

function referTo(node: Node): HexTree {
  const tree = treeOf(node)
  const encoded = toRlp(tree)
  return encoded.length < 2 + 64 ? tree : keccak256(encoded)
}

function referenceRoot(values: readonly Uint8Array[]): Hex {
  let root: Node | null = null
  values.forEach((value, index) => {
    const key = toRlp(index === 0 ? '0x' : hexOf(bigEndian(index)))
    root = insert(root, key.slice(2), hexOf(value))
  })
  return root === null ? EMPTY_ROOT : keccak256(toRlp(treeOf(root)))
}

function bigEndian(value: number): Uint8Array {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

const values = fc.oneof(
  fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 20 }),
  fc.array(fc.uint8Array({ minLength: 1, maxLength: 3 }), { minLength: 120, maxLength: 300 }),
)

describe('the trie over indices', () => {
  test('has the same root as a trie that is built key by key', () => {
    fc.assert(
      fc.property(values, (some) => {
        expect(indexedRoot(some)).toBe(referenceRoot(some))
      }),
      { numRuns: 60 },
    )
  })

  test.each([1, 2, 16, 17, 127, 128, 129, 255, 256, 257, 600])(
    'holds %d values, over each length of keys',
    (count) => {
      const some = Array.from({ length: count }, (_, at) => Uint8Array.of(1, at & 0xff, at >> 8))
      expect(indexedRoot(some)).toBe(referenceRoot(some))
    },
  )
})
