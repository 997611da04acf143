import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depositOf } from '../../../test/support/sample-deposit.ts'
import { factsOf, TIP } from '../../../test/support/trace-facts.ts'
import type { BlockRef } from '../../chains/port.ts'
import type { Deposit } from '../../deposits/deposit.ts'
import { confirmedHeight } from '../../deposits/due.ts'
import { judgeWaiting } from './judge-waiting.ts'

const BITCOIN = 'bip122:000000000019d6689c085ae165831e93'
const FINAL = ['eip155:137', 'eip155:56', 'tron:0x00000000000000000000000000000000', 'xrpl:mainnet']

const at = (height: number): BlockRef => ({ height, hash: `0x${height}` })

/** The step of a deposit of block 990 at tip 1000; `final` is the height of the final block. */
function waiting(chainId: string, final: number | null, more: Partial<Deposit> = {}) {
  const { catalogue, state } = factsOf()
  const entry = catalogue.chain(chainId)
  if (entry === null || state === null) throw new Error('no chain')
  const standing = { ...state, final: final === null ? null : at(final) }
  const deposit = depositOf({ status: 'Detected', block: at(TIP - 10), ...more })
  return judgeWaiting(factsOf({ entry, state: standing }), deposit)
}

describe('a payment that waits', () => {
  test('on Polygon waits for the final block, and not for 128 blocks', () => {
    expect(waiting('eip155:137', 987)).toEqual({
      code: 'WAITING_FOR_CONFIRMATIONS',
      message:
        'It waits until Polygon PoS calls its block 990 final. The last final block is ' +
        '987: 3 more blocks, about 6 s.',
      details: {
        rule: 'final',
        confirmations: 10,
        blockNumber: 990,
        finalBlockNumber: 987,
        remaining: 3,
        seconds: 6,
      },
    })
  })

  test.each(FINAL)('on %s waits no longer than until its block is final', (chainId) => {
    expect(waiting(chainId, 989).details).toMatchObject({ rule: 'final', remaining: 1 })
    expect(waiting(chainId, 990)).toMatchObject({
      code: 'BEING_CONFIRMED',
      message: 'Its block is final; it is judged with the next block.',
      details: { rule: 'final', finalBlockNumber: 990 },
    })
  })

  test('counts confirmations, and says why, when no node names a final block', () => {
    expect(waiting('eip155:137', null)).toEqual({
      code: 'WAITING_FOR_CONFIRMATIONS',
      message:
        '10 of 128 confirmations: 118 more blocks, about 4 min. No node of Polygon PoS ' +
        'names the final block, so confirmations decide.',
      details: { rule: 'depth', confirmations: 10, required: 128, remaining: 118, seconds: 236 },
    })
  })

  test('on Ethereum follows the rule that is met first', () => {
    const byDepth = { rule: 'depth', required: 12, remaining: 2 }
    expect(waiting('eip155:1', null).details).toMatchObject(byDepth)
    expect(waiting('eip155:1', 900).details).toMatchObject(byDepth)
    expect(waiting('eip155:1', 900).message).not.toContain('final')
    expect(waiting('eip155:1', 989).details).toMatchObject({ rule: 'final', remaining: 1 })
    expect(waiting('eip155:1', 990).code).toBe('BEING_CONFIRMED')
  })

  test('of a coinbase output waits until it can be spent [B05]', () => {
    expect(waiting(BITCOIN, null, { maturesAt: TIP + 90 })).toMatchObject({
      code: 'WAITING_FOR_CONFIRMATIONS',
      details: { rule: 'depth', remaining: 90 },
    })
    const mined = { block: at(TIP - 10), maturesAt: TIP + 90 }
    expect(waiting(BITCOIN, null, mined).message).toContain('10 of 100 confirmations')
    expect(waiting(BITCOIN, null, { maturesAt: TIP }).code).toBe('BEING_CONFIRMED')
  })

  test('waits exactly as long as the rule of its chain requires', () => {
    const chains = fc.constantFrom('eip155:1', BITCOIN, ...FINAL)
    const height = fc.integer({ min: TIP - 300, max: TIP })
    fc.assert(
      fc.property(chains, height, fc.option(height), (chainId, block, final) => {
        const { catalogue } = factsOf()
        const rule = catalogue.chain(chainId)?.finality ?? 'depth'
        const required = catalogue.required(chainId)
        const known = { rule, required, tip: at(TIP), final: final === null ? null : at(final) }
        const isDue = block <= confirmedHeight(known)
        const { code, details } = waiting(chainId, final, { block: at(block) })
        expect(code).toBe(isDue ? 'BEING_CONFIRMED' : 'WAITING_FOR_CONFIRMATIONS')
        expect(details['remaining']).toBe(isDue ? undefined : block - confirmedHeight(known))
      }),
    )
  })
})
