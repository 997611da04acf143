import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { sharing } from './sharing.ts'

const MS = 5

describe('sharing', () => {
  test('calls within the time share one call, a later one makes another', async () => {
    const clock = new ManualClock()
    const { signal } = new AbortController()
    let calls = 0
    const ask = sharing(clock, MS, async () => (calls += 1))
    const together = [ask(signal), ask(signal)]
    await clock.advance(MS)
    expect(await Promise.all(together)).toEqual([1, 1])
    const later = ask(signal)
    await clock.advance(MS)
    expect(await later).toBe(2)
  })

  test('after an error the next call tries again', async () => {
    const signal = AbortSignal.abort()
    let calls = 0
    const ask = sharing(new ManualClock(), MS, async () => {
      calls += 1
      if (calls === 1) throw new Error('broken')
      return calls
    })
    await expect(ask(signal)).rejects.toThrow('broken')
    expect(await ask(signal)).toBe(2)
  })
})
