import { seeded } from '@sluice/simulator'
import { describe, expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** Turns without waits for locks. */
function free(seed: string): Turns {
  const random = seeded(seed)
  return new Turns(
    () => random,
    async () => 0,
  )
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Three connections run two statements each, with these durations. */
async function story(seed: string, delays: readonly number[]): Promise<string[]> {
  const turns = free(seed)
  const told: string[] = []
  const talk = async (name: string, line: object, first: number) => {
    for (const nth of [first, first + 1]) {
      const answer = await turns.exchange(line, async () => {
        await later(delays[nth % delays.length] ?? 0)
        return `${name}${nth}`
      })
      told.push(answer)
    }
  }
  const talks = [talk('a', {}, 0), talk('b', {}, 2), talk('c', {}, 4)]
  await turns.quiet()
  await Promise.all(talks)
  return told
}

describe('turns', () => {
  test('the order of answers does not depend on their duration [I20]', async () => {
    const quick = await story('one', [0])
    expect(quick).toHaveLength(6)
    expect(await story('one', [12, 0, 7, 1, 0, 9])).toEqual(quick)
    expect(await story('one', [0, 5, 0, 20])).toEqual(quick)
  })

  test('seeds differ in who comes first', async () => {
    const names = Array.from({ length: 12 }, (_, at) => String(at))
    const stories = await Promise.all(names.map((seed) => story(seed, [0])))
    expect(new Set(stories.map((told) => told.join(' '))).size).toBeGreaterThan(3)
  })

  test('one connection says what it says in its order, though it does not wait', async () => {
    const turns = free('order')
    const line = {}
    const told: number[] = []
    const all = [3, 1, 2].map((delay, at) =>
      turns.exchange(line, () => later(delay)).then(() => told.push(at)),
    )
    await turns.quiet()
    await Promise.all(all)
    expect(told).toEqual([0, 1, 2])
  })

  test('a statement that waits for a lock lets others run and ends once it is free', async () => {
    const random = seeded('locks')
    const lock = { isTaken: true, waiting: 0, free: () => undefined as void }
    const turns = new Turns(
      () => random,
      async () => (lock.isTaken ? lock.waiting : 0),
    )
    const told: string[] = []
    const freed = new Promise<void>((resolve) => {
      lock.free = () => {
        lock.isTaken = false
        resolve()
      }
    })
    const waits = turns
      .exchange({}, () => {
        lock.waiting = 1
        return freed
      })
      .then(() => told.push('waited'))
    // Sent only when the first is known to wait.
    await later(5)
    const frees = turns.exchange({}, async () => lock.free()).then(() => told.push('freed'))
    await turns.quiet()
    await Promise.all([waits, frees])
    expect(told).toEqual(['freed', 'waited'])
  })

  test('a fault rejects its own statement and does not stop others', async () => {
    const turns = free('faults')
    const failing = turns.exchange({}, () => Promise.reject(new Error('no such table')))
    const fine = turns.exchange({}, async () => 1)
    await expect(failing).rejects.toThrow('no such table')
    expect(await fine).toBe(1)
    await turns.quiet()
  })

  test('quiet waits for what an answer sets going', async () => {
    const turns = free('quiet')
    const told: string[] = []
    const both = async () => {
      await turns.exchange({}, () => later(3))
      await new Promise((resolve) => setImmediate(resolve))
      await turns.exchange({}, () => later(3))
      told.push('all')
    }
    void both()
    await turns.quiet()
    expect(told).toEqual(['all'])
  })
})
