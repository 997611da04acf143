import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { type TestDatabase, countWaiting, openTestDatabase } from '../../test/support/database.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { FAILURES_MAX, type Guesser, subjectOf, succeed, takeGuess, unlock } from './guess.ts'

const serviceKey = openServiceKey({
  key: new Uint8Array(32).fill(9),
  random: new SeededRandom('g'),
})
const MINUTE = 60_000

let world: TestDatabase
beforeAll(async () => {
  world = await openTestDatabase()
})
afterAll(() => world.close())

async function isAllowed(who: string, peer: string): Promise<boolean> {
  const guesser: Guesser = { kind: 'name', who, peer }
  const guess = await world.database.asApi((tx) => takeGuess(tx, serviceKey, guesser))
  if (!guess.allowed) expect(guess.retryAfterMs).toBeGreaterThan(0)
  return guess.allowed
}

describe('guesses at a name', () => {
  test('guesses are limited to one a minute after ten failures from many addresses', async () => {
    for (let at = 0; at < FAILURES_MAX; at += 1)
      expect(await isAllowed('slowed', `10.1.${at}.1`)).toBe(true)
    let allowed = 0
    for (let at = 0; at < 60; at += 1) {
      if (await isAllowed('slowed', `10.2.${at}.1`)) allowed += 1
      await world.clock.advance(MINUTE / 20)
    }
    expect(allowed).toBe(3)
    expect(await isAllowed('another', '10.2.0.1')).toBe(true)
  })

  test('guesses are not slowed by one locked address', async () => {
    for (let at = 0; at < 5 * FAILURES_MAX; at += 1)
      expect(await isAllowed('locked', '10.3.0.1')).toBe(at < FAILURES_MAX)
    expect(await isAllowed('locked', '10.3.0.2')).toBe(true)
  })

  test('guesses are not slowed at an address with an earlier success', async () => {
    const known: Guesser = { kind: 'name', who: 'known', peer: '192.0.2.1' }
    await world.database.asApi((tx) => succeed(tx, serviceKey, known))
    for (let at = 0; at < 3 * FAILURES_MAX; at += 1) await isAllowed('known', `10.4.${at}.1`)
    for (let at = 0; at < FAILURES_MAX; at += 1)
      expect(await isAllowed('known', known.peer)).toBe(true)
    expect(await isAllowed('known', known.peer)).toBe(false)
  })

  test('guesses end in the order of counting, without a deadlock [S03]', async () => {
    const guesser: Guesser = { kind: 'name', who: 'ordered', peer: '10.7.0.1' }
    await world.database.asApi((tx) => takeGuess(tx, serviceKey, guesser))
    const { subject, owner } = subjectOf(serviceKey, guesser)
    let success: Promise<void> = Promise.resolve()
    await world.database.asApi(async (tx) => {
      await tx.run(sql`update guesses set failures = 1 where subject = ${subject}`)
      success = world.database.asApi((other) => succeed(other, serviceKey, guesser))
      await expect.poll(() => countWaiting(world), { timeout: 20_000 }).toBe(1)
      await tx.one(sql`select 1 from guesses where subject = ${owner} for update nowait`)
    })
    await success
  })

  test('guesses are allowed from every address after an unlock', async () => {
    for (let at = 0; at < 3 * FAILURES_MAX; at += 1) await isAllowed('freed', '10.5.0.1')
    for (let at = 0; at < 3 * FAILURES_MAX; at += 1) await isAllowed('freed', `10.6.${at}.1`)
    const who = { kind: 'name', who: 'freed' } as const
    await world.database.transaction((tx) => unlock(tx, serviceKey, who))
    expect(await isAllowed('freed', '10.5.0.1')).toBe(true)
    for (let at = 1; at < FAILURES_MAX; at += 1)
      expect(await isAllowed('freed', `10.6.${at}.1`)).toBe(true)
  })
})
