import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { Deadlines, type Ending } from './deadlines.ts'

const TIME_MS = 30_000

describe('Deadlines', () => {
  test('each deadline ends its task in time, unless the task ended before', async () => {
    const clock = new ManualClock(0)
    const deadlines = new Deadlines(clock, TIME_MS)
    const ended: [string, Ending, number][] = []
    const start = (name: string) => deadlines.start((why) => ended.push([name, why, clock.now()]))
    start('first')
    await clock.advance(1_000)
    const cancel = start('over in time')
    await clock.advance(1_000)
    start('last')
    cancel()
    await clock.advance(2 * TIME_MS)
    expect(ended).toEqual([
      ['first', 'deadline', TIME_MS],
      ['last', 'deadline', TIME_MS + 2_000],
    ])
  })

  test('closing ends all tasks, and later ones when they begin', async () => {
    const deadlines = new Deadlines(new ManualClock(0), TIME_MS)
    const ended: Ending[] = []
    deadlines.start((why) => ended.push(why))
    deadlines.close()
    deadlines.start((why) => ended.push(why))
    await Promise.resolve()
    expect(ended).toEqual(['closing', 'closing'])
  })

  test('an ended task is released while an earlier one still runs [H05]', async () => {
    const clock = new ManualClock(0)
    const deadlines = new Deadlines(clock, TIME_MS)
    deadlines.start(() => undefined)
    await clock.advance(1)
    const works = Array.from({ length: 100 }, () => workOn(deadlines))
    await clock.advance(1)
    const held = works.map(({ ref, cancel }) => {
      cancel()
      return ref
    })
    works.length = 0
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(held.filter((ref) => ref.deref() !== undefined)).toEqual([])
    deadlines.close()
  })
})

/** A task that holds a large object until it ends. */
function workOn(deadlines: Deadlines): { ref: WeakRef<Uint8Array>; cancel: () => void } {
  const answer = new Uint8Array(100_000)
  const cancel = deadlines.start(() => answer.fill(0))
  return { ref: new WeakRef(answer), cancel }
}

/** Twice: a running collection keeps objects that it has already marked. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  collect()
}
