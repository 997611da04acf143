import { describe, expect, test } from 'vitest'
import type { NodeReport } from '../chains/options.ts'
import { CHAINS } from './chains.ts'
import type { ChainEntry } from './chains.ts'
import { judgeChain } from './verify-chains.ts'

const SEPOLIA = chainOf('eip155:11155111')
const BITCOIN = chainOf('bip122:000000000019d6689c085ae165831e93')
const BITCOIN_GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'

describe('the nodes of a chain', () => {
  test('are fine while one of them serves the chain', () => {
    const fine = { verdict: 'fine', genesis: '0xaa', strangers: [] }
    expect(judgeChain(SEPOLIA, null, [serves('a', '0xaa')])).toEqual(fine)
    expect(judgeChain(SEPOLIA, { genesis: '0xaa' }, [serves('a', '0xaa'), away('b')])).toEqual(fine)
  })

  test('halt the chain when all that answer serve another one [N06]', () => {
    const verdict = judgeChain(SEPOLIA, { genesis: '0xaa' }, [stranger('a'), away('b')])
    expect(verdict).toEqual({ verdict: 'halt', cause: expect.stringContaining('a serves') })
  })

  test('are fine, with strangers listed, when some serve another chain [N06]', () => {
    const verdict = judgeChain(SEPOLIA, { genesis: '0xaa' }, [stranger('a'), serves('b', '0xaa')])
    const named = [expect.stringContaining('a serves')]
    expect(verdict).toEqual({ verdict: 'fine', genesis: '0xaa', strangers: named })
  })

  test('halt the chain when one has another genesis than the pinned one [N06]', () => {
    const reports = [serves('a', '0xaa'), serves('b', '0xbb')]
    const verdict = judgeChain(SEPOLIA, { genesis: '0xaa' }, reports)
    expect(verdict).toEqual({
      verdict: 'halt',
      cause: 'b serves the chain of block 0xbb, not of 0xaa',
    })
  })

  test('halt the chain when they disagree at first contact [N06]', () => {
    const reports = [serves('a', '0xaa'), serves('b', '0xbb')]
    expect(judgeChain(SEPOLIA, null, reports).verdict).toBe('halt')
  })

  test('halt a Bitcoin chain when the genesis does not match its id [N06]', () => {
    expect(judgeChain(BITCOIN, null, [serves('a', BITCOIN_GENESIS)]).verdict).toBe('fine')
    const verdict = judgeChain(BITCOIN, null, [serves('a', `1${BITCOIN_GENESIS.slice(1)}`)])
    expect(verdict).toMatchObject({ verdict: 'halt', cause: expect.stringContaining('…') })
  })

  test('are unreachable when none answers', () => {
    const verdict = judgeChain(SEPOLIA, { genesis: '0xaa' }, [away('a'), away('b')])
    expect(verdict).toEqual({ verdict: 'unreachable', cause: 'a: refused; b: refused' })
    expect(judgeChain(SEPOLIA, null, [])).toEqual({ verdict: 'unreachable', cause: 'no nodes' })
  })
})

function serves(node: string, genesis: string): NodeReport {
  const identity = { chainId: SEPOLIA.id, genesis }
  return { node, outcome: { state: 'serves', identity, head: 1 } }
}

function stranger(node: string): NodeReport {
  const outcome = { state: 'wrong-chain', expected: 'eip155:11155111', answered: 'eip155:999' }
  return { node, outcome: { ...outcome, state: 'wrong-chain' } }
}

function away(node: string): NodeReport {
  return { node, outcome: { state: 'unreachable', reason: 'refused' } }
}

function chainOf(id: string): ChainEntry {
  const entry = CHAINS.find((chain) => chain.id === id)
  if (entry === undefined) throw new Error(`no chain ${id}`)
  return entry
}
