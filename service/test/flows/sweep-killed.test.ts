import { holding } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spendRound } from '../../src/app/spend-round.ts'
import { SWEEP_POINTS } from '../../src/sweeps/crash-points.ts'
import { newRound } from '../../src/sweeps/gather.ts'
import { SPEND_POINTS } from '../../src/transactions/core/crash-points.ts'
import { type AnvilChain, listed, startAnvilChain } from '../support/anvil-chain.ts'
import { moneyWorld, sweepsOf } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER = 10n ** 18n
/** The points of a process that plans, tops up and sweeps. */
const POINTS = [...SWEEP_POINTS, ...SPEND_POINTS.filter((point) => point.startsWith('send.'))]

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

describe('a process that ends during a top-up or a sweep', () => {
  test.each(POINTS.flatMap((point) => [1, 2].map((pass) => [point, pass] as const)))(
    'every address is swept once after a crash at %s, pass %i [W12]',
    async (point, pass) => {
      const dollar = await anvil.create()
      const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
      const money = await moneyWorld(world, anvil)
      await money.fundGas(ETHER)
      const { settlement } = await money.addresses()
      for (const user of ['ann', 'bob']) {
        await anvil.payToken(dollar, (await world.issue(user)).address, 20_000_000n)
      }
      await anvil.mine(REQUIRED)
      await world.settle()
      const life = { passes: 0, isOver: false }
      const dying = {
        ...money.spender,
        crash: (at: string) => {
          life.passes += at === point ? 1 : 0
          // All other work of a dead process ends as well.
          life.isOver ||= life.passes === pass
          if (life.isOver) throw new Error('killed')
        },
      }
      for (let rounds = 0; rounds < 8 && !life.isOver; rounds += 1) {
        await spendRound(dying)
        await world.settle()
      }
      expect(life.isOver).toBe(true)
      money.failures.length = 0
      Object.assign(money.spender, { compared: new Set(), told: new Set(), round: newRound() })
      await world.settle()
      await money.quiet()
      await money.expectExact()
      expect(await holding(anvil, settlement, dollar)).toBe(40_000_000n)
      const sweeps = await sweepsOf(world)
      expect(sweeps.filter(({ state }) => state === 'Done')).toHaveLength(2)
      const told = await world.events('balance.updated')
      const moved = told.filter(({ payload }) => payload['reason'] === 'sweep')
      expect(moved.map(({ payload }) => payload['delta'])).toEqual(['20000000', '20000000'])
    },
  )
})
