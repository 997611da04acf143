import { expect, test } from 'vitest'
import { seeded } from './seeded.ts'

const draws = (seed: number | string) => {
  const random = seeded(seed)
  return Array.from({ length: 20 }, () => random.int(1_000))
}

test('the same seed gives the same numbers, another seed others', () => {
  expect(draws(1)).toEqual(draws(1))
  expect(draws(1)).not.toEqual(draws(2))
})

test('numbers are spread over their range', () => {
  const random = seeded(3)
  const counts = [0, 0, 0, 0]
  for (let n = 0; n < 4_000; n += 1) {
    const drawn = random.int(4)
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150)
})

test('a draw from one fork changes nothing in another', () => {
  const quiet = seeded(9).fork('blocks').hex(8)
  const world = seeded(9)
  world.fork('faults').next()
  expect(world.fork('blocks').hex(8)).toBe(quiet)
  expect(quiet).toMatch(/^[0-9a-f]{16}$/)
})

test('shuffling keeps all items and leaves the list as it was', () => {
  const items = [1, 2, 3, 4, 5, 6, 7, 8]
  const shuffled = seeded(4).shuffled(items)
  expect(shuffled).not.toEqual(items)
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(items)
  expect(items).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(() => seeded(4).pick([])).toThrow('nothing to pick')
})
