import { describe, expect, test } from 'vitest'
import { isAccepted, judge, keptBody } from './delivery.ts'
import type { Answer, Attempt } from './delivery.ts'

describe('delivery after an attempt', () => {
  test.each([200, 201, 202, 204, 226, 299])('status %i acknowledges a delivery', (status) => {
    expect(isAccepted(answer({ status }))).toBe(true)
    expect(judge(attempt({ status }))).toEqual({
      state: 'delivered',
      nextAt: null,
      finishedAt: 5_000,
    })
  })

  test.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'a delivery is retried after status %i [H03]',
    (status) => {
      const verdict = { state: 'pending', nextAt: 10_000, finishedAt: null }
      expect(judge(attempt({ status }))).toEqual(verdict)
    },
  )

  test('a 2xx with an endless body is not an acknowledgement', () => {
    expect(isAccepted(answer({ status: 200, error: 'no whole answer within 30000 ms' }))).toBe(
      false,
    )
  })

  test('the sixth failure ends a delivery [H06]', () => {
    const verdict = judge(attempt({ status: 500 }, 6))
    expect(verdict).toEqual({ state: 'failed', nextAt: null, finishedAt: 5_000 })
  })

  test('a delivery without a URL is not retried [H12]', () => {
    const made = attempt({ error: 'no webhook URL is set' })
    const verdict = judge({ ...made, delivery: { ...made.delivery, url: null } })
    expect(verdict).toEqual({ state: 'failed', nextAt: null, finishedAt: 5_000 })
  })

  test.each([
    [7, 10_000],
    [8, 30_000],
    [11, 3_605_000],
    [12, null],
  ])('a redelivery after six attempts restarts the schedule: %i [H06]', (number, nextAt) => {
    const made = attempt({ status: 500 }, number)
    const verdict = judge({ ...made, delivery: { ...made.delivery, attemptsMax: 12 } })
    expect(verdict.nextAt).toBe(nextAt)
  })

  test('a test event is sent once', () => {
    const made = attempt({ status: 500 })
    const verdict = judge({ ...made, delivery: { ...made.delivery, attemptsMax: 1 } })
    expect(verdict).toMatchObject({ state: 'failed', nextAt: null })
  })

  test('only the beginning of an acknowledgement is stored, and all of other answers', () => {
    const body = 'x'.repeat(16_384)
    expect(keptBody(answer({ status: 200, body }))).toHaveLength(1_024)
    expect(keptBody(answer({ status: 500, body }))).toBe(body)
    expect(keptBody(answer({ status: 200, body, error: 'cut off' }))).toBe(body)
  })

  test('an attempt out of order is a bug', () => {
    expect(() => judge({ ...attempt({ status: 200 }, 3), number: 5 })).toThrow('out of its order')
  })
})

function answer(parts: Partial<Answer>): Answer {
  return { status: null, headers: {}, body: '', error: '', ...parts }
}

function attempt(parts: Partial<Answer>, number = 1): Attempt {
  const url = 'https://hooks.acme.com/'
  const delivery = {
    orgId: 'org',
    eventId: 'event',
    body: '{}',
    attempts: number - 1,
    attemptsMax: 6,
    leaseToken: 'token',
    leasedAt: 0,
    url,
    isDirected: false,
    keys: [],
    problem: '',
    endpointId: 'endpoint',
  }
  return {
    delivery,
    number,
    url,
    signature: null,
    answer: answer(parts),
    startedAt: 0,
    endedAt: 5_000,
  }
}
