import type { ChainStatus } from '@sluice/client'
import { describe, expect, test } from 'vitest'
import { formatProgress, formatSpan, progressOf } from './progress.ts'

const NOW = Date.parse('2026-11-28T12:00:00.000Z')
const STATUS: ChainStatus = {
  chainId: 'eip155:1',
  name: 'Ethereum',
  condition: 'running',
  tip: { height: 107, hash: '0x', time: '2026-11-28T11:59:55.000Z' },
  head: 107,
  final: 40,
  lag: { blocks: 0, seconds: 5 },
  nodes: null,
  lastReorg: null,
  enabled: true,
  deposits: true,
  withdrawals: true,
}
const DEPOSIT = { blockNumber: 100, confirmations: 7, requiredConfirmations: 12 }
const FACTS = { rule: 'depth', status: STATUS, blockTimeSeconds: 12, now: NOW } as const

describe('progressOf', () => {
  test('estimates the missing confirmations by the block time', () => {
    const progress = progressOf(DEPOSIT, FACTS)
    expect(progress).toEqual({ confirmations: 7, required: 12, remaining: 5, seconds: 60 })
    expect(formatProgress(progress)).toBe('7 of 12, about 1 min')
  })

  test('estimates the missing final blocks where the chain’s finality decides', () => {
    const progress = progressOf(DEPOSIT, { ...FACTS, rule: 'final' })
    expect(progress).toMatchObject({ remaining: 60, seconds: 720 })
    const later = { ...DEPOSIT, confirmations: 20 }
    const words = formatProgress(progressOf(later, { ...FACTS, rule: 'final' }))
    expect(words).toBe('Final in 60 blocks, about 12 min')
  })

  test('counts confirmations while no node names a final block', () => {
    const status = { ...STATUS, final: null }
    for (const rule of ['final', null] as const)
      expect(progressOf(DEPOSIT, { ...FACTS, rule, status })).toMatchObject({ remaining: 5 })
  })

  test('gives no time while the rule of the chain is not known', () => {
    const progress = progressOf(DEPOSIT, { ...FACTS, rule: null })
    expect(progress).toMatchObject({ remaining: null, seconds: null })
    expect(formatProgress(progress)).toBe('7 of 12')
  })

  test.each([
    ['unknown', undefined],
    ['frozen', { ...STATUS, condition: 'frozen' as const }],
    ['not credited', { ...STATUS, deposits: false }],
    ['behind', { ...STATUS, lag: { blocks: 900, seconds: 9_000 } }],
    ['silent', { ...STATUS, tip: { height: 107, hash: '', time: '2026-11-28T11:50:00.000Z' } }],
  ])('gives no time while the chain is %s', (_, status) => {
    expect(progressOf(DEPOSIT, { ...FACTS, status }).seconds).toBeNull()
  })

  test('says that a deposit is due', () => {
    const due = { ...DEPOSIT, confirmations: 12 }
    expect(formatProgress(progressOf(due, FACTS))).toBe('Due with the next block')
  })
})

describe('formatSpan', () => {
  test.each([
    [0.4, 'about 1 s'],
    [59, 'about 59 s'],
    [60, 'about 1 min'],
    [3_599, 'about 60 min'],
    [7_300, 'about 2 h'],
  ])('writes %s seconds as %s', (seconds, words) => {
    expect(formatSpan(seconds)).toBe(words)
  })
})
