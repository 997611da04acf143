import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { commitsCallNoNode } from './signatures.ts'

const PATH = 'service/src/deposits/a.ts'

describe('a transaction and the chains together', () => {
  test.each([
    'function a(tx: Tx, chains: Chains) {}',
    'const a = (tx: Tx, { chains }: { chains: Chains }) => 1',
    'type A = (tx: Tx, adapter: ChainAdapter) => void',
    'interface A { a(tx: Tx, chains: Chains): void }',
  ])('%s is named', (text) => {
    expect(judge(commitsCallNoNode, { [PATH]: text })).toHaveLength(1)
  })

  test.each([
    'function a(tx: Tx, rows: Row[]) {}',
    'function a(database: Database, chains: Chains) {}',
    'function a(chains: Chains, alongside: (tx: Tx) => Promise<void>) {}',
    'function a(tx: Tx) {}\nfunction b(chains: Chains) {}',
  ])('%s passes', (text) => {
    expect(judge(commitsCallNoNode, { [PATH]: text })).toEqual([])
  })
})
