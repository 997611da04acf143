import { describe, expect, test } from 'vitest'
import { ManualClock, SeededRandom } from '../../test/support/clock.ts'
import { Bug } from './assert.ts'
import type { Clock } from './clock.ts'
import { Outage, Refusal } from './fault.ts'
import { backoffMs, retryOutages } from './retry.ts'

const BACKOFF = { firstMs: 100, maxMs: 1_000, attemptsMax: 4 }

/** A clock whose sleeps return at once; `slept` lists their durations. */
function hurried(): { clock: Clock; slept: number[] } {
  const slept: number[] = []
  const clock = new ManualClock()
  return {
    slept,
    clock: {
      now: () => clock.now(),
      sleep: async (ms) => {
        slept.push(ms)
      },
    },
  }
}

describe('retries', () => {
  test('the pause doubles up to the limit and is at least half of it [N07]', () => {
    const random = new SeededRandom(3)
    const ceilings = [100, 200, 400, 800, 1_000, 1_000]
    ceilings.forEach((ceiling, at) => {
      const wait = backoffMs(BACKOFF, at + 1, random)
      expect(wait).toBeGreaterThanOrEqual(ceiling / 2)
      expect(wait).toBeLessThanOrEqual(ceiling)
    })
  })

  test('retryOutages retries an outage, at most attemptsMax times', async () => {
    const { clock, slept } = hurried()
    let tries = 0
    const work = async () => {
      tries += 1
      throw new Outage('node', 'away')
    }
    const deps = { clock, random: new SeededRandom(1) }
    await expect(retryOutages(deps, BACKOFF, work)).rejects.toThrow(Outage)
    expect(tries).toBe(4)
    expect(slept).toHaveLength(3)
  })

  test('retryOutages keeps the pause that the other side asked for [N07]', async () => {
    const { clock, slept } = hurried()
    let tries = 0
    const work = async () => {
      tries += 1
      if (tries === 1) throw new Outage('node', 'busy', { retryAfterMs: 5_000 })
      return 'done'
    }
    const deps = { clock, random: new SeededRandom(1) }
    await expect(retryOutages(deps, BACKOFF, work)).resolves.toBe('done')
    expect(slept).toEqual([5_000])
  })

  test.each([new Refusal('BAD_REQUEST'), new Bug('ours'), new Error('unknown')])(
    '%s is thrown at once',
    async (error) => {
      const { clock, slept } = hurried()
      const deps = { clock, random: new SeededRandom(1) }
      const work = async () => {
        throw error
      }
      await expect(retryOutages(deps, BACKOFF, work)).rejects.toBe(error)
      expect(slept).toEqual([])
    },
  )
})
