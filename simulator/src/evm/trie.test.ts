import { expect, test } from 'vitest'
import { listRoot, trieRoot } from './trie.ts'

const bytes = (text: string) => Buffer.from(text)

/** From the common tests of Ethereum's clients (trieanyorder.json). */
const CASES: [name: string, entries: [string, string][], root: string][] = [
  [
    'one entry',
    [['A', 'a'.repeat(50)]],
    '0xd23786fb4a010da3ce639d66d5e904a11dbc02746d1ce25029e53290cabf28ab',
  ],
  [
    'keys that are prefixes of others',
    [
      ['do', 'verb'],
      ['horse', 'stallion'],
      ['doge', 'coin'],
      ['dog', 'puppy'],
    ],
    '0x5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84',
  ],
  [
    'nodes shorter than a hash',
    [
      ['foo', 'bar'],
      ['food', 'bass'],
    ],
    '0x17beaa1648bafa633cda809c90c04af50fc8aed3cb40d16efbddee6fdf63c4c3',
  ],
]

test.each(CASES)(
  'the root of a trie with %s equals that of all clients',
  (_name, entries, root) => {
    const pairs = entries.map(([key, value]) => [bytes(key), bytes(value)] as const)
    expect(trieRoot(pairs)).toBe(root)
    expect(trieRoot(pairs.toReversed())).toBe(root)
  },
)

test('the root of an empty list is that of an empty trie', () => {
  expect(listRoot([])).toBe(trieRoot([]))
})
