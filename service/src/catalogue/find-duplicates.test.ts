import { expect, test } from 'vitest'
import { parseChain, parseHolder, parseToken } from '../../test/adapters/brands.ts'
import { Outage } from '../base/fault.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Chains } from '../chains/registry.ts'
import { openCatalogue } from './find.ts'
import { findDuplicates } from './find-duplicates.ts'
import { operatorToken } from './operator-token.ts'

const CHAIN = parseChain('eip155:11155111')
const FIRST = parseToken(`${CHAIN}/erc20:0x5FbDB2315678afecb367f032d93F642f64180aa3`)
const SECOND = parseToken(`${CHAIN}/erc20:0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512`)
const HOLDER = parseHolder(CHAIN, `0x${'70'.repeat(20)}`)

type Answers = Pick<ChainAdapter, 'balanceOf' | 'supplyOf'>
const none = async () => null
const away = async () => {
  throw new Outage('node', 'is away')
}
const different = async (id: string) => (id === FIRST ? 900n : 901n)

test.each<[string, Answers, { found: number; unknown: number }]>([
  ['the same supply', { supplyOf: async () => 900n, balanceOf: none }, { found: 1, unknown: 0 }],
  [
    'the same round supply and no balances',
    { supplyOf: async () => 5_000_000n, balanceOf: async () => 0n },
    { found: 0, unknown: 0 },
  ],
  [
    'the same round supply and the same balances',
    { supplyOf: async () => 5_000_000n, balanceOf: async () => 7n },
    { found: 1, unknown: 0 },
  ],
  [
    'the same supply and different balances',
    { supplyOf: async () => 900n, balanceOf: async (_holder, id) => different(id) },
    { found: 0, unknown: 0 },
  ],
  [
    'different supplies',
    { supplyOf: different, balanceOf: async () => 7n },
    { found: 0, unknown: 0 },
  ],
  ['no supply at all', { supplyOf: async () => 0n, balanceOf: none }, { found: 0, unknown: 0 }],
  [
    'the same balances and an unknown supply',
    { supplyOf: none, balanceOf: async () => 7n },
    { found: 1, unknown: 0 },
  ],
  [
    'no balances and an unknown supply',
    { supplyOf: none, balanceOf: async () => 0n },
    { found: 0, unknown: 0 },
  ],
  [
    'different balances and an unknown supply',
    { supplyOf: none, balanceOf: async (_holder, id) => different(id) },
    { found: 0, unknown: 0 },
  ],
  ['an outage', { supplyOf: away, balanceOf: away }, { found: 0, unknown: 1 }],
])('judges two contracts with %s', async (_what, answers, { found, unknown }) => {
  const answer = await find(answers)
  expect(answer.found).toEqual(found === 0 ? [] : [[FIRST, SECOND]])
  expect(answer.unknown).toHaveLength(unknown)
})

function find(answers: Answers) {
  const tokens = [FIRST, SECOND].map((id) => {
    const entry = operatorToken({ id, name: 'One', symbol: 'ONE', decimals: 6 })
    if ('problem' in entry) throw new Error(entry.problem)
    return entry
  })
  const catalogue = openCatalogue({ chains: [{ id: CHAIN, catalogueTokens: false }], tokens })
  const adapter = { chainId: CHAIN, ...answers } as ChainAdapter
  const chains: Chains = { get: () => adapter, all: () => [adapter], close: async () => undefined }
  return findDuplicates({ chains, holdersOf: async () => [HOLDER] }, catalogue)
}
