import { describe, expect, test } from 'vitest'
import { fitBody } from './fit-body.ts'

describe('the body of an event', () => {
  test('the body of a small event is its JSON [H13]', () => {
    const envelope = { id: 'x', payload: { reason: 'r'.repeat(15_000) } }
    expect(fitBody(envelope)).toBe(JSON.stringify(envelope))
  })

  test.each([
    ['letters', 'r'],
    ['other letters', '日'],
    ['pairs', '🪙'],
    ['escapes', '\u0001'],
  ])('a body with a very long reason has at most 20 kB: %s [H13]', (_what, letter) => {
    const reason = letter.repeat(100_000)
    const amount = '9'.repeat(78)
    const body = fitBody({ id: 'x', payload: { reason, cause: `x${reason}`, amount } })
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000)
    const { payload } = JSON.parse(body)
    expect(payload.amount).toBe(amount)
    expect(payload.reason.startsWith(letter.repeat(100))).toBe(true)
    expect(payload.reason.endsWith('…')).toBe(true)
    // No lone surrogate remains, which no encoding can represent.
    for (const text of [payload.reason, payload.cause])
      expect(Buffer.from(text).toString()).toBe(text)
  })

  test('fitBody truncates only long texts, and only if the body does not fit [H13]', () => {
    const payload = { reason: 'r'.repeat(40_000), name: 'n'.repeat(300) }
    expect(JSON.parse(fitBody({ payload })).payload.name).toBe(payload.name)
  })

  test('fitBody never truncates the end user id [H13]', () => {
    const payload = { reason: 'r'.repeat(40_000), externalUserId: '🪙'.repeat(255) }
    expect(JSON.parse(fitBody({ payload })).payload.externalUserId).toBe(payload.externalUserId)
  })
})
