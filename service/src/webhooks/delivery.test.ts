import { describe, expect, test } from 'vitest'
import { isAccepted, judge, keptBody } from './delivery.ts'
import type { Answer, Attempt } from './delivery.ts'

describe('what an attempt makes of its delivery', () => {
  test.each([200, 201, 202, 204, 226, 299])('status %i acknowledges it', (status) => {
    expect(isAccepted(answer({ status }))).toBe(true)
    expect(judge(attempt({ status }))).toEqual({
      state: 'delivered',
      nextAt: null,
      finishedAt: 5_000,
    })
  })

  test.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'H03 status %i does not, and it is tried again',
    (status) => {
      const verdict = { state: 'pending', nextAt: 10_000, finishedAt: null }
      expect(judge(attempt({ status }))).toEqual(verdict)
    },
  )

  test('a 2xx whose body never ends is no acknowledgement', () => {
    expect(isAccepted(answer({ status: 200, error: 'no whole answer within 30000 ms' }))).toBe(
      false,
    )
  })

  test('H06 the sixth failure ends it', () => {
    const verdict = judge(attempt({ status: 500 }, 6))
    expect(verdict).toEqual({ state: 'failed', nextAt: null, finishedAt: 5_000 })
  })

  test('H12 without a URL there is nothing to try again for', () => {
    const made = attempt({ error: 'no webhook URL is set' })
    const verdict = judge({ ...made, delivery: { ...made.delivery, url: null } })
    expect(verdict).toEqual({ state: 'failed', nextAt: null, finishedAt: 5_000 })
  })

  test.each([
    [7, 10_000],
    [8, 30_000],
    [11, 3_605_000],
    [12, null],
  ])('H06 a redelivery after six attempts begins the schedule anew: %i', (number, nextAt) => {
    const made = attempt({ status: 500 }, number)
    const verdict = judge({ ...made, delivery: { ...made.delivery, attemptsMax: 12 } })
    expect(verdict.nextAt).toBe(nextAt)
  })

  test('a test is tried once', () => {
    const made = attempt({ status: 500 })
    const verdict = judge({ ...made, delivery: { ...made.delivery, attemptsMax: 1 } })
    expect(verdict).toMatchObject({ state: 'failed', nextAt: null })
  })

  test('of an acknowledgement the beginning is kept, of any other answer all that was read', () => {
    const body = 'x'.repeat(16_384)
    expect(keptBody(answer({ status: 200, body }))).toHaveLength(1_024)
    expect(keptBody(answer({ status: 500, body }))).toBe(body)
    expect(keptBody(answer({ status: 200, body, error: 'cut off' }))).toBe(body)
  })

  test('an attempt out of its order is a bug', () => {
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
