import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHolder, parseChain, parseToken } from '../../test/adapters/brands.ts'
import { type Candidate, type SweepRules, planSweeps } from './plan.ts'

const CHAIN = parseChain('eip155:11155111')
const COIN = parseToken(`${CHAIN}/slip44:60`)
const DOLLAR = parseToken(`${CHAIN}/erc20:0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238`)
const HOUR_MS = 3_600_000
const addressOf = (n: number) => parseHolder(CHAIN, `0x${n.toString(16).padStart(40, '0')}`)

const rules: SweepRules = {
  chainId: CHAIN,
  nativeFee: 100n,
  feeMultiple: 20n,
  thresholdOf: () => 1_000n,
  maxAgeMs: 24 * HOUR_MS,
}

function candidate(more: Partial<Candidate> = {}): Candidate {
  const tokenId = more.tokenId ?? DOLLAR
  return {
    orgId: 'a',
    address: addressOf(1),
    isNative: tokenId === COIN,
    sweepable: 1_000n,
    untouchedMs: 0,
    isBusy: false,
    ...more,
    tokenId,
  }
}

const plan = (candidates: readonly Candidate[], missing = 0n, tokenId = DOLLAR) =>
  planSweeps(candidates, {
    rules,
    demands: missing === 0n ? [] : [{ orgId: 'a', tokenId, missing }],
  })

describe('planSweeps', () => {
  test.each([
    ['a token at its threshold', candidate(), 'threshold'],
    ['a token below its threshold', candidate({ sweepable: 999n }), null],
    ['a little after a long time', candidate({ sweepable: 10n, untouchedMs: 24 * HOUR_MS }), 'age'],
    ['dust after a long time', candidate({ sweepable: 9n, untouchedMs: 99 * HOUR_MS }), null],
    ['coins worth twenty fees', candidate({ tokenId: COIN, sweepable: 2_000n }), 'threshold'],
    ['coins worth less', candidate({ tokenId: COIN, sweepable: 1_999n }), null],
    [
      'old coins with half arriving',
      candidate({ tokenId: COIN, sweepable: 200n, untouchedMs: 24 * HOUR_MS }),
      'age',
    ],
    ['an address with an open sweep', candidate({ isBusy: true }), null],
    ['a balance of 0', candidate({ sweepable: 0n }), null],
    ['a negative balance', candidate({ sweepable: -5n }), null],
  ])('%s [E16]', (_what, one, reason) => {
    expect(plan([one]).map((sweep) => sweep.reason)).toEqual(reason === null ? [] : [reason])
  })

  test('the largest balances are swept for a waiting withdrawal, as many as it needs [I19]', () => {
    const small = [300n, 500n, 400n].map((sweepable, n) =>
      candidate({ sweepable, address: addressOf(n + 1) }),
    )
    expect(plan(small, 600n)).toMatchObject([
      { orgId: 'a', address: addressOf(2), tokenId: DOLLAR, amount: 500n, reason: 'demand' },
      { orgId: 'a', address: addressOf(3), tokenId: DOLLAR, amount: 400n, reason: 'demand' },
    ])
    expect(plan(small, 500n)).toHaveLength(1)
  })

  test('planned sweeps count for a demand, those of other organizations do not [I19]', () => {
    const all = [
      candidate({ sweepable: 5_000n }),
      candidate({ sweepable: 10n, address: addressOf(2) }),
      candidate({ sweepable: 10n, address: addressOf(3), orgId: 'b' }),
    ]
    expect(plan(all, 5_000n).map(({ reason }) => reason)).toEqual(['threshold'])
    const more = plan(all, 5_001n)
    expect(more.map(({ orgId, reason }) => [orgId, reason])).toEqual([
      ['a', 'threshold'],
      ['a', 'demand'],
    ])
  })

  test('native coins count for a demand without their sweep fee [I19]', () => {
    const coins = [150n, 140n].map((sweepable, n) =>
      candidate({ tokenId: COIN, sweepable, address: addressOf(n + 1) }),
    )
    expect(plan(coins, 51n, COIN)).toHaveLength(2)
    expect(plan(coins, 50n, COIN)).toHaveLength(1)
    expect(plan([candidate({ tokenId: COIN, sweepable: 100n })], 1n, COIN)).toEqual([])
  })

  test('native coins of an address wait until its tokens are swept [E16]', () => {
    const both = [candidate(), candidate({ tokenId: COIN, sweepable: 9_000n })]
    expect(plan(both).map(({ tokenId }) => tokenId)).toEqual([DOLLAR])
    const unconfirmedAt = [
      candidate(),
      candidate({ tokenId: COIN, sweepable: 9_000n, address: addressOf(2) }),
    ]
    expect(plan(unconfirmedAt)).toHaveLength(2)
  })

  test('no address and token is planned twice or beyond its balance [I9]', () => {
    const one = fc
      .record({
        n: fc.integer({ min: 1, max: 6 }),
        tokenId: fc.constantFrom(COIN, DOLLAR),
        sweepable: fc.bigInt({ min: -10n, max: 5_000n }),
        untouchedMs: fc.integer({ min: 0, max: 48 * HOUR_MS }),
        isBusy: fc.boolean(),
      })
      .map(({ n, ...more }) => candidate({ ...more, address: addressOf(n) }))
    const distinct = fc.uniqueArray(one, {
      selector: ({ address, tokenId }) => `${address} ${tokenId}`,
    })
    const demands = fc.array(
      fc.record({
        orgId: fc.constant('a'),
        tokenId: fc.constantFrom(COIN, DOLLAR),
        missing: fc.bigInt({ min: 1n, max: 9_000n }),
      }),
      { maxLength: 1 },
    )
    fc.assert(
      fc.property(distinct, demands, (candidates, wanted) => {
        const planned = planSweeps(candidates, { rules, demands: wanted })
        const keys = planned.map(({ address, tokenId }) => `${address} ${tokenId}`)
        expect(new Set(keys).size).toBe(keys.length)
        for (const sweep of planned) {
          const from = candidates.find(
            ({ address, tokenId }) => address === sweep.address && tokenId === sweep.tokenId,
          )
          expect(from?.isBusy).toBe(false)
          expect(from?.sweepable).toBe(sweep.amount)
          expect(sweep.amount).toBeGreaterThan(0n)
        }
      }),
    )
  })
})
