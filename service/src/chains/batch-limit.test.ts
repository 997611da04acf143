import { describe, expect, test } from 'vitest'
import { openBatchLimit } from './batch-limit.ts'

/** Sends full batches to a node with a limit, and counts those that it refuses. */
function sendTo(limit: ReturnType<typeof openBatchLimit>, most: number, batches: number): number {
  let refused = 0
  for (let sent = 0; sent < batches; sent += 1) {
    const { size } = limit
    if (size <= most) limit.worked(size)
    else {
      refused += 1
      limit.failed(size, Math.floor(size / 2))
    }
  }
  return refused
}

describe('the batch limit of a node', () => {
  test.each([1, 2, 3, 5, 10, 50])('settles at most at a limit of %d, and near it', (most) => {
    const limit = openBatchLimit()
    sendTo(limit, most, 1_000)
    expect(limit.size).toBeGreaterThan(most / 2)
    expect(limit.size).toBeLessThanOrEqual(Math.ceil(most * 1.5))
  })

  test.each([1, 2, 3, 5, 10, 50])('costs few refusals with a limit of %d', (most) => {
    expect(sendTo(openBatchLimit(), most, 10_000)).toBeLessThan(30)
  })

  test('grows back when failures end', () => {
    const limit = openBatchLimit()
    sendTo(limit, 1, 10)
    expect(limit.size).toBe(1)
    sendTo(limit, 100, 1_000)
    expect(limit.size).toBe(100)
  })

  test('ignores a batch that was sent before the limit shrank', () => {
    const limit = openBatchLimit()
    limit.failed(100, 50)
    limit.failed(100, 50)
    expect(limit.size).toBe(50)
  })

  test('never falls below one call', () => {
    const limit = openBatchLimit()
    limit.failed(2, 0)
    limit.failed(100, 0)
    expect(limit.size).toBe(1)
  })
})
