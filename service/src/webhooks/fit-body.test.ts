import { describe, expect, test } from 'vitest'
import { fitBody } from './fit-body.ts'

describe('the body of an event', () => {
  test('H13 is what JSON makes of it, as long as it is small', () => {
    const envelope = { id: 'x', payload: { reason: 'r'.repeat(15_000) } }
    expect(fitBody(envelope)).toBe(JSON.stringify(envelope))
  })

  test.each([
    ['letters', 'r'],
    ['other letters', '日'],
    ['pairs', '🪙'],
    ['escapes', '\u0001'],
  ])('H13 is never larger than 20 kB, however long a reason somebody gave: %s', (_what, letter) => {
    const reason = letter.repeat(100_000)
    const amount = '9'.repeat(78)
    const body = fitBody({ id: 'x', payload: { reason, cause: `x${reason}`, amount } })
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000)
    const { payload } = JSON.parse(body)
    expect(payload.amount).toBe(amount)
    expect(payload.reason.startsWith(letter.repeat(100))).toBe(true)
    expect(payload.reason.endsWith('…')).toBe(true)
    // No half of a pair is left, which no encoding could carry.
    for (const text of [payload.reason, payload.cause])
      expect(Buffer.from(text).toString()).toBe(text)
  })

  test('H13 has nothing cut that fits, and nothing short that does not', () => {
    const payload = { reason: 'r'.repeat(40_000), name: 'n'.repeat(300) }
    expect(JSON.parse(fitBody({ payload })).payload.name).toBe(payload.name)
  })

  test('H13 names the end user whole, however long an id may be', () => {
    const payload = { reason: 'r'.repeat(40_000), externalUserId: '🪙'.repeat(255) }
    expect(JSON.parse(fitBody({ payload })).payload.externalUserId).toBe(payload.externalUserId)
  })
})
