import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { confirmedHeight, settlingRule } from './due.ts'

const at = (height: number) => ({ height, hash: `0x${height}` })
const ask = (given: Partial<Parameters<typeof confirmedHeight>[0]>) =>
  confirmedHeight({ rule: 'depth-or-final', required: 3, tip: at(20), final: null, ...given })

describe('confirmedHeight', () => {
  test('counts confirmations if the rule is depth', () => {
    expect(ask({ rule: 'depth' })).toBe(17)
    expect(ask({ rule: 'depth', final: at(19) })).toBe(17)
    expect(ask({ rule: 'depth', required: 0 })).toBe(20)
  })

  test('takes the higher of the two if the rule is depth or final', () => {
    expect(ask({})).toBe(17)
    expect(ask({ final: at(12) })).toBe(17)
    expect(ask({ final: at(19) })).toBe(19)
  })

  test('uses the final block if the chain reports one, otherwise depth', () => {
    expect(ask({ rule: 'final', final: at(12) })).toBe(12)
    expect(ask({ rule: 'final', final: at(19) })).toBe(19)
    expect(ask({ rule: 'final' })).toBe(17)
  })

  test('is at most the tip, and -1 while no block has its confirmations', () => {
    expect(ask({ final: at(25) })).toBe(20)
    expect(ask({ tip: at(2) })).toBe(-1)
    const heights = fc.nat({ max: 1_000 })
    const rules = fc.constantFrom('final', 'depth-or-final', 'depth')
    fc.assert(
      fc.property(rules, heights, heights, fc.option(heights), (rule, required, tip, final) => {
        const settling = { rule, required, tip: at(tip), final: final === null ? null : at(final) }
        expect(ask(settling)).toBeLessThanOrEqual(tip)
      }),
    )
  })
})

test.each([
  ['depth', null, 'depth'],
  ['depth', 19, 'depth'],
  ['final', null, 'depth'],
  ['final', 12, 'final'],
  ['final', 19, 'final'],
  ['depth-or-final', null, 'depth'],
  ['depth-or-final', 17, 'depth'],
  ['depth-or-final', 18, 'final'],
] as const)('settlingRule for %s with the final block %s is %s', (rule, final, decides) => {
  const settling = { rule, required: 3, tip: at(20), final: final === null ? null : at(final) }
  expect(settlingRule(settling)).toBe(decides)
})
