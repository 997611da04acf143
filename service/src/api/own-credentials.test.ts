import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn } from '../../test/support/door.ts'
import {
  accept,
  freshCode,
  inviteBy,
  logIn,
  type Newcomer,
  send,
  tokenIn,
} from '../../test/support/people.ts'
import { type Desk, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'

let desk: Desk
let admin: Signer

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.close())
// A session lasts an hour, and each test lets time pass.
beforeEach(async () => {
  admin = await desk.signer('admin')
})

async function join(role: string): Promise<{ person: Newcomer; accessToken: string }> {
  return accept(desk.door, await inviteBy(desk, admin, role))
}

const profileOf = (as: string) => send(desk.door, '/auth/profile', { method: 'GET', as })

describe('own credentials and sessions', () => {
  test('a wrong current password is refused and counted with wrong codes', async () => {
    const { person, accessToken: as } = await join('viewer')
    const passwords = { currentPassword: 'not this one', newPassword: 'a much longer password' }
    const body = { ...passwords, totpCode: await freshCode(desk.door, person) }
    const change = () => send(desk.door, '/auth/password', { method: 'PATCH', as, body })
    for (let guess = 0; guess < 10; guess += 1)
      expect(refusalIn(await change())).toMatchObject({
        error: 'UNAUTHORIZED',
        details: { field: 'currentPassword' },
      })
    expect(refusalIn(await change())).toMatchObject({ error: 'RATE_LIMIT_EXCEEDED' })
  })

  test('a new TOTP secret needs a code of the present one', async () => {
    const { person, accessToken: as } = await join('viewer')
    const elsewhere = tokenIn(await logIn(desk.door, person))
    expect(refusalIn(await send(desk.door, '/auth/totp', { as }))).toMatchObject({
      error: 'INVALID_TOTP',
      details: { reason: 'CODE_REQUIRED' },
    })
    const totpCode = await freshCode(desk.door, person)
    const offer = await send(desk.door, '/auth/totp', { as, body: { totpCode } })
    person.secret = (offer.json as { totpSecret: string }).totpSecret
    const confirm = { as, body: { totpCode: await freshCode(desk.door, person) } }
    expect((await send(desk.door, '/auth/totp/confirm', confirm)).status).toBe(200)
    expect((await profileOf(as)).status).toBe(200)
    expect((await profileOf(elsewhere)).status).toBe(401)
    expect((await logIn(desk.door, person)).status).toBe(200)
  })

  test('new recovery codes replace the previous ones', async () => {
    const { person, accessToken: as } = await join('viewer')
    const totpCode = await freshCode(desk.door, person)
    const renewed = await send(desk.door, '/auth/recovery-codes', { as, body: { totpCode } })
    const { recoveryCodes } = renewed.json as { recoveryCodes: string[] }
    expect(recoveryCodes).toHaveLength(10)
    const [old = ''] = person.recoveryCodes
    const [fresh = ''] = recoveryCodes
    expect((await logIn(desk.door, person, { totpCode: old })).status).toBe(401)
    expect((await logIn(desk.door, person, { totpCode: fresh })).status).toBe(200)
  })

  test('a recovery code of another user is refused', async () => {
    const [ann, bob] = [await join('viewer'), await join('viewer')]
    const [code = ''] = bob.person.recoveryCodes
    expect((await logIn(desk.door, ann.person, { totpCode: code })).status).toBe(401)
  })

  test('a person lists and ends own sessions, and signs out', async () => {
    const { person, accessToken: as } = await join('viewer')
    // Sessions are listed by their time.
    await desk.door.harness.clock.advance(1)
    const elsewhere = tokenIn(await logIn(desk.door, person))
    const list = await send(desk.door, '/auth/sessions', { method: 'GET', as })
    const { sessions } = list.json as { sessions: { id: string; current: boolean }[] }
    expect(sessions.map(({ current }) => current)).toEqual([false, true])
    const { accessToken: stranger } = await join('viewer')
    const [session] = sessions
    const end = (token: string) =>
      send(desk.door, `/auth/sessions/${session?.id}`, { method: 'DELETE', as: token })
    expect(refusalIn(await end(stranger))).toMatchObject({ error: 'NOT_FOUND' })
    expect((await end(as)).status).toBe(200)
    expect((await profileOf(elsewhere)).status).toBe(401)
    expect(refusalIn(await end(as))).toMatchObject({ error: 'NOT_FOUND' })
    expect((await send(desk.door, '/auth/logout', { as })).status).toBe(200)
    expect((await profileOf(as)).status).toBe(401)
  })

  test('no secret of a person is stored or logged in plain text [K03]', async () => {
    const { person } = await join('viewer')
    const dump = await desk.rows(`
      select to_jsonb(u) as row from users u
      union all select to_jsonb(i) from invitations i
      union all select to_jsonb(r) from recovery_codes r
      union all select to_jsonb(a) from audit_log a`)
    const kept = JSON.stringify(dump) + desk.door.lines.join('\n')
    const { token, password, secret, recoveryCodes } = person
    const secrets = [token, password, secret, ...recoveryCodes]
    expect(secrets.filter((text) => kept.includes(text))).toEqual([])
  })
})
