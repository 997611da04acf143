import { expect, test } from 'vitest'
import { type Answer, type Json, ask } from './world/ask.ts'
import { personOf, tenantOf } from './world/given.ts'
import { expectRefusal } from './world/refusal.ts'
import { codeOf } from './world/sign-in.ts'

const people = tenantOf('people')
const admin = personOf(people, 'admin')
const PASSWORD = 'a long enough password'
const NEXT_PASSWORD = 'a much longer password'

/** Sends a body with the access token of a person, or without one. */
function send(method: string, path: string, body?: Json, token?: string): Promise<Answer> {
  return ask(path, {
    method,
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body }),
  })
}

function done(answer: Answer, status = 200): Json {
  expect([answer.status, answer.text]).toMatchObject([status, expect.any(String)])
  return answer.json
}

const byAdmin = (method: string, path: string, steps: number, body: Json = {}) =>
  send(method, path, { ...body, totpCode: codeOf(admin, steps) }, admin.accessToken)

async function statusOf(token: unknown): Promise<number> {
  return (await send('GET', '/auth/profile', undefined, String(token))).status
}

test('a person is invited, enrols, recovers from a lost phone, and is disabled [S02]', async () => {
  const invited = done(
    await byAdmin('POST', '/users', 0, { username: 'eve', role: 'approver' }),
    201,
  )
  const { user, invitation } = invited as { user: { id: string }; invitation: { token: string } }
  const { token } = invitation
  const shown = done(await send('POST', '/auth/invitation', { token }))
  expect(shown).toMatchObject({ username: 'eve', organization: { id: people.id, name: 'people' } })
  let totpSecret = String(shown['totpSecret'])
  const code = (steps: number) => ({ totpCode: codeOf({ totpSecret }, steps) })

  const acceptance = { token, password: PASSWORD, ...code(-1) }
  const accepted = done(await send('POST', '/auth/invitation/accept', acceptance))
  const { recoveryCodes } = accepted as { recoveryCodes: string[] }
  const first = String(accepted['accessToken'])
  expectRefusal(await send('POST', '/auth/invitation', { token }), 'INVALID_INVITATION')
  const listed = await ask(`/users/${user.id}`, { key: people.apiKey })
  expect(listed.json).toMatchObject({ user: { status: 'active', enrolled: true } })

  const logIn = (body: Json) => send('POST', '/auth/login', { username: 'EVE', ...body })
  const second = String(done(await logIn({ password: PASSWORD, ...code(0) }))['accessToken'])
  const passwords = { currentPassword: PASSWORD, newPassword: NEXT_PASSWORD }
  done(await send('PATCH', '/auth/password', { ...passwords, ...code(1) }, second))
  expect(await statusOf(first)).toBe(401)
  expect(await statusOf(second)).toBe(200)

  const [lost = ''] = recoveryCodes
  const limited = done(await logIn({ password: NEXT_PASSWORD, totpCode: lost }))
  expect(limited).toMatchObject({ mustEnrolTotp: true, recoveryCodesLeft: 9 })
  const recovering = String(limited['accessToken'])
  expectRefusal(await send('GET', '/withdrawals', undefined, recovering), 'FORBIDDEN', {
    reason: 'recovery_session',
  })
  expectRefusal(await logIn({ password: NEXT_PASSWORD, totpCode: lost }), 'INVALID_TOTP')
  const offer = done(await send('POST', '/auth/totp', undefined, recovering))
  totpSecret = String(offer['totpSecret'])
  done(await send('POST', '/auth/totp/confirm', code(-1), recovering))
  for (const ended of [second, recovering]) expect(await statusOf(ended)).toBe(401)
  const third = String(done(await logIn({ password: NEXT_PASSWORD, ...code(0) }))['accessToken'])

  const two = { minWithdrawalSigners: 2 }
  const threshold = { key: people.apiKey, method: 'PATCH' }
  done(await ask('/organisation/min-withdrawal-signers', { ...threshold, body: two }))
  const demotion = { role: 'viewer' }
  expectRefusal(await byAdmin('PATCH', `/users/${user.id}`, 1, demotion), 'INVALID_MIN_SIGNERS', {
    signersLeft: 1,
    withdrawals: [],
  })
  expect(await statusOf(third)).toBe(200)
  const one = { minWithdrawalSigners: 1 }
  done(await ask('/organisation/min-withdrawal-signers', { ...threshold, body: one }))
  done(await byAdmin('PATCH', `/users/${user.id}`, 1, { role: 'viewer', disabled: true }))
  expect(await statusOf(third)).toBe(401)
  expectRefusal(await logIn({ password: NEXT_PASSWORD, ...code(1) }), 'UNAUTHORIZED')
})
