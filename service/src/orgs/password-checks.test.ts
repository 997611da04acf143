import { describe, expect, onTestFinished, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { checkPassword, hashPassword } from './password.ts'
import { boundChecks, openPasswordChecks } from './password-checks.ts'

const random = new SeededRandom('password checks')

test('threads check many right and wrong passwords concurrently', async () => {
  const checks = openPasswordChecks()
  onTestFinished(() => checks.close())
  const hash = await hashPassword(random, new Secret('right'))
  const compare = (password: string) =>
    checks.inTurn((verify) => verify(hash, new Secret(password)))
  const answers = await Promise.all(['right', 'wrong', 'right', '', 'wrong'].map(compare))
  expect(answers).toEqual([true, false, true, false, false])
})

test('an unreadable hash is an outage and does not stop other checks', async () => {
  const checks = openPasswordChecks()
  onTestFinished(() => checks.close())
  const hash = await hashPassword(random, new Secret('right'))
  const broken = checks.inTurn((verify) => verify('nonsense', new Secret('right')))
  await expect(broken).rejects.toThrow(Outage)
  expect(await checks.inTurn((verify) => verify(hash, new Secret('right')))).toBe(true)
})

test('a check above the maximum is refused until another one ends', async () => {
  let release = () => {}
  const verify = () => new Promise<boolean>((tell) => void (release = () => tell(true)))
  const checks = boundChecks({ verify, close: async () => undefined }, 2)
  const wait = () => checks.inTurn((compare) => compare('', new Secret('')))
  void wait()
  const second = wait()
  const refused = await wait().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { retryAfterSeconds: 2 },
  })
  release()
  expect(await second).toBe(true)
  const third = wait()
  release()
  expect(await third).toBe(true)
})

describe('a password', () => {
  function compare(stored: string, password: string): Promise<boolean> {
    const checks = openPasswordChecks()
    onTestFinished(() => checks.close())
    return checks.inTurn((verify) => checkPassword(verify, stored, new Secret(password)))
  }

  test('a password is compared to its last byte, long and in any script [S06]', async () => {
    for (const base of ['a'.repeat(72), 'пароль'.repeat(20), '🔑'.repeat(100)]) {
      const stored = await hashPassword(random, new Secret(`${base}1`))
      expect(await compare(stored, `${base}1`)).toBe(true)
      for (const other of [base, `${base}2`, `${base}1 `])
        expect(await compare(stored, other)).toBe(false)
    }
  })

  test('a password is wrong when the user has no stored one [S06]', async () => {
    for (const password of ['', 'x']) expect(await compare('', password)).toBe(false)
  })
})
