import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answered, refusalIn, type Tenant } from '../../test/support/door.ts'
import {
  accept,
  askAsAdmin,
  freshCode,
  inviteBy,
  invitedIn,
  logIn,
  type Newcomer,
  send,
  tokenIn,
} from '../../test/support/people.ts'
import { type Desk, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'

const NOBODY = '019b76da-0000-7000-8000-000000000000'
const HOURS_72 = 72 * 3_600_000

let desk: Desk
let admin: Signer
let other: Tenant

beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
  other = desk.door.b
})
// A session lasts an hour, and each test lets time pass.
beforeEach(async () => {
  admin = await desk.signer('admin')
})
afterAll(() => desk.close())

const byAdmin = (path: string, method: 'POST' | 'PATCH' | 'DELETE', body?: object) =>
  askAsAdmin(desk, admin, { path, method, ...(body !== undefined && { body }) })
const invite = (role: string, username?: string) => inviteBy(desk, admin, role, username)
const join = async (role: string) => accept(desk.door, await invite(role))

async function userOf(id: string): Promise<unknown> {
  const { json } = await desk.door.ask(`/users/${id}`)
  return json['user']
}

function show(token: string): Promise<Answered> {
  return send(desk.door, '/auth/invitation', { body: { token } })
}

const profileOf = (as: string) => send(desk.door, '/auth/profile', { method: 'GET', as })

describe('the life of a person over HTTP', () => {
  test('is invited, signs in, loses the phone, is demoted and disabled [S02]', async () => {
    const { door } = desk
    const invited = await invite('approver', 'Ann Smith')
    expect(await userOf(invited.id)).toMatchObject({
      username: 'Ann Smith',
      role: 'approver',
      status: 'invited',
      enrolled: false,
      lastLoginAt: null,
      invitationExpiresAt: expect.any(String),
      tampered: false,
    })
    const shown = await show(invited.token)
    const organization = { id: desk.orgId, name: 'Alpha' }
    expect(shown.json).toMatchObject({ username: 'Ann Smith', role: 'approver', organization })
    expect((await show(invited.token)).json).toEqual(shown.json)
    const { person, accessToken } = await accept(door, invited)
    expect(new Set(person.recoveryCodes).size).toBe(10)
    expect((await profileOf(accessToken)).json).toMatchObject({ id: invited.id, role: 'approver' })
    expect(refusalIn(await show(invited.token))).toMatchObject({ error: 'INVALID_INVITATION' })
    const enrolled = { status: 'active', enrolled: true, invitationExpiresAt: null }
    expect(await userOf(invited.id)).toMatchObject(enrolled)

    const first = await logIn(door, person)
    const as = tokenIn(first)
    const passwords = { currentPassword: person.password, newPassword: 'a much longer password' }
    const body = { ...passwords, totpCode: await freshCode(door, person) }
    const changed = await send(door, '/auth/password', { method: 'PATCH', as, body })
    expect(changed.status).toBe(200)
    expect((await profileOf(accessToken)).status).toBe(401)
    expect((await profileOf(as)).status).toBe(200)
    expect((await logIn(door, person)).status).toBe(401)
    person.password = passwords.newPassword

    await replaceLostPhone(person)
    const again = tokenIn(await logIn(door, person))

    await desk.threshold(2)
    const waiting = await desk.created()
    const needed = await byAdmin(`/users/${person.id}`, 'PATCH', { role: 'viewer' })
    expect(refusalIn(needed)).toMatchObject({
      error: 'INVALID_MIN_SIGNERS',
      details: { signersLeft: 1, withdrawals: [{ withdrawalId: waiting, requiredApprovals: 2 }] },
    })
    const gone = await byAdmin(`/users/${person.id}`, 'PATCH', { disabled: true })
    expect(refusalIn(gone)).toMatchObject({ error: 'INVALID_MIN_SIGNERS' })
    expect((await profileOf(again)).status).toBe(200)
    await desk.door.ask(`/withdrawals/${waiting}`, { method: 'DELETE' })
    await desk.threshold(1)

    const demoted = await byAdmin(`/users/${person.id}`, 'PATCH', { role: 'viewer' })
    expect(demoted.json).toMatchObject({ user: { role: 'viewer', status: 'active' } })
    expect((await profileOf(again)).status).toBe(401)
    const viewer = tokenIn(await logIn(door, person))
    const disabled = await byAdmin(`/users/${person.id}`, 'PATCH', { disabled: true })
    expect(disabled.json).toMatchObject({ user: { status: 'disabled' } })
    expect((await profileOf(viewer)).status).toBe(401)
    expect((await logIn(door, person)).status).toBe(401)
    const log = await desk.rows(`
      select action from audit_log where object = '${person.id}' order by id`)
    expect(log.map(({ action }) => action)).toEqual([
      'user.invite',
      'user.accept-invitation',
      'session.begin',
      'user.change-password',
      'session.begin',
      'user.replace-totp',
      'session.begin',
      'user.set-role',
      'session.begin',
      'user.disable',
    ])
  })

  async function replaceLostPhone(person: Newcomer): Promise<void> {
    const { door } = desk
    const [code = ''] = person.recoveryCodes
    const lost = await logIn(door, person, { totpCode: code.toLowerCase() })
    expect(lost.json).toMatchObject({ mustEnrolTotp: true, recoveryCodesLeft: 9 })
    expect(refusalIn(await logIn(door, person, { totpCode: code }))).toMatchObject({
      error: 'INVALID_TOTP',
    })
    const as = tokenIn(lost)
    const limited = { error: 'FORBIDDEN', details: { reason: 'recovery_session' } }
    for (const path of ['/organisation', '/users', '/withdrawals'])
      expect(refusalIn(await send(door, path, { method: 'GET', as }))).toMatchObject(limited)
    const approval = { as, body: { totpCode: person.recoveryCodes[1] } }
    expect(refusalIn(await send(door, `/withdrawals/${NOBODY}/approve`, approval))).toMatchObject(
      limited,
    )
    const offer = await send(door, '/auth/totp', { as })
    const { totpSecret } = offer.json as { totpSecret: string }
    expect(totpSecret).not.toBe(person.secret)
    expect((await send(door, '/auth/totp', { as })).json).toEqual(offer.json)
    const wrong = await send(door, '/auth/totp/confirm', { as, body: { totpCode: '000000' } })
    expect(refusalIn(wrong)).toMatchObject({ error: 'INVALID_TOTP' })
    const oldCode = await freshCode(door, person)
    person.secret = totpSecret
    const body = { totpCode: await freshCode(door, person) }
    expect((await send(door, '/auth/totp/confirm', { as, body })).status).toBe(200)
    expect((await profileOf(as)).status).toBe(401)
    expect((await logIn(door, person, { totpCode: oldCode })).status).toBe(401)
  }
})

describe('invitations', () => {
  test('an invitation expires after 72 hours and can be issued again', async () => {
    const { id, token } = await invite('viewer')
    await desk.door.harness.clock.advance(HOURS_72 - 60_000)
    expect((await show(token)).status).toBe(200)
    await desk.door.harness.clock.advance(60_000)
    expect(refusalIn(await show(token))).toMatchObject({ error: 'INVALID_INVITATION' })
    admin = await desk.signer('admin')
    const expiredAt = new Date(desk.door.harness.clock.now()).toISOString()
    expect(await userOf(id)).toMatchObject({ status: 'invited', invitationExpiresAt: expiredAt })
    const again = invitedIn((await byAdmin(`/users/${id}/reset`, 'POST')).json)
    expect(again.id).toBe(id)
    expect((await show(again.token)).status).toBe(200)
    const next = invitedIn((await byAdmin(`/users/${id}/reset`, 'POST')).json)
    expect((await show(again.token)).status).toBe(401)
    expect((await show(next.token)).status).toBe(200)
  })

  test('a withdrawn invitation is refused, and withdrawing twice has no effect', async () => {
    const { id, token } = await invite('viewer')
    for (let time = 0; time < 2; time += 1) {
      const withdrawn = await byAdmin(`/users/${id}/invitation`, 'DELETE')
      expect(withdrawn.json).toMatchObject({ user: { invitationExpiresAt: null } })
    }
    expect((await show(token)).status).toBe(401)
  })

  test('an invitation of a disabled user ends, and a changed role applies', async () => {
    const { id, token } = await invite('viewer')
    await byAdmin(`/users/${id}`, 'PATCH', { role: 'operator' })
    expect((await show(token)).json).toMatchObject({ role: 'operator' })
    await byAdmin(`/users/${id}`, 'PATCH', { disabled: true })
    expect((await show(token)).status).toBe(401)
    const enabled = await byAdmin(`/users/${id}`, 'PATCH', { disabled: false })
    expect(enabled.json).toMatchObject({ user: { status: 'invited' } })
    expect((await show(token)).status).toBe(401)
  })

  test('an invitation is accepted once, by concurrent requests too', async () => {
    const { token } = await invite('viewer')
    const { totpSecret: secret } = (await show(token)).json as { totpSecret: string }
    const code = await freshCode(desk.door, { ...BLANK, secret })
    const body = { token, password: 'a long enough password', totpCode: code }
    const answers = await Promise.all(
      [1, 2, 3].map(() => send(desk.door, '/auth/invitation/accept', { body })),
    )
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401'])
  })

  test('an invitation needs a code of its secret and a password of 12 characters', async () => {
    const { id, token } = await invite('viewer')
    const path = '/auth/invitation/accept'
    const wrong = { token, password: 'a long enough password', totpCode: '000000' }
    expect(refusalIn(await send(desk.door, path, { body: wrong }))).toMatchObject({
      error: 'INVALID_TOTP',
    })
    const short = { ...wrong, password: 'short' }
    expect(refusalIn(await send(desk.door, path, { body: short }))).toMatchObject({
      error: 'BAD_REQUEST',
      details: { field: 'password' },
    })
    expect(await userOf(id)).toMatchObject({ status: 'invited', enrolled: false })
  })

  test('an invited user is no signer until the invitation is accepted', async () => {
    const { id } = await invite('approver')
    const { json } = await desk.door.ask('/users')
    const { users } = json as { users: { id: string; status: string; role: string }[] }
    const signers = users.filter(
      ({ status, role }) => status === 'active' && ['approver', 'admin'].includes(role),
    )
    const answer = await byAdmin('/organisation/min-withdrawal-signers', 'PATCH', {
      minWithdrawalSigners: signers.length + 1,
    })
    const refusal = { error: 'INVALID_MIN_SIGNERS', details: { maximum: signers.length } }
    expect(refusalIn(answer)).toMatchObject(refusal)
    expect(users.map((user) => user.id)).toContain(id)
  })

  test('a valid token is accepted after many wrong ones from its address [S04]', async () => {
    const { token } = await invite('viewer')
    const ask = (guess: string) => send(desk.door, '/auth/invitation', { body: { token: guess } })
    for (let guess = 0; guess < 11; guess += 1)
      expect((await ask(`sli_${String(guess % 10).repeat(43)}`)).status).toBe(401)
    expect((await ask(token)).status).toBe(200)
  })
})

describe('changes of people', () => {
  test('a username is unique in the installation, in any case', async () => {
    await invite('viewer', 'Zoe')
    for (const username of ['ZOE', `api-${other.orgId}`]) {
      const taken = await byAdmin('/users', 'POST', { username, role: 'viewer' })
      expect(refusalIn(taken)).toMatchObject({
        error: 'BAD_REQUEST',
        details: { field: 'username' },
      })
    }
  })

  test('a reset ends password, codes and sessions at once', async () => {
    const { person, accessToken } = await join('operator')
    const reset = await byAdmin(`/users/${person.id}/reset`, 'POST')
    expect(reset.json).toMatchObject({ user: { status: 'active', enrolled: false } })
    expect((await profileOf(accessToken)).status).toBe(401)
    expect((await logIn(desk.door, person)).status).toBe(401)
    const { recoveryCodes } = person
    expect((await logIn(desk.door, person, { totpCode: recoveryCodes[0] ?? '' })).status).toBe(401)
    const renewed = await accept(desk.door, invitedIn(reset.json))
    expect(renewed.person.secret).not.toBe(person.secret)
    expect((await profileOf(renewed.accessToken)).status).toBe(200)
  })

  test('an admin cannot reset the own credentials', async () => {
    const answer = await byAdmin(`/users/${admin.userId}/reset`, 'POST')
    expect(refusalIn(answer)).toMatchObject({
      error: 'FORBIDDEN',
      details: { reason: 'own_credentials' },
    })
  })

  test('the last admin who can sign in is neither demoted nor disabled', async () => {
    const { json } = await desk.door.ask('/users')
    const { users } = json as { users: { id: string; role: string; status: string }[] }
    const rest = users.filter(
      ({ id, role, status }) => role === 'admin' && status === 'active' && id !== admin.userId,
    )
    for (const { id } of rest) await byAdmin(`/users/${id}`, 'PATCH', { disabled: true })
    await desk.signer('approver')
    for (const change of [{ role: 'approver' }, { disabled: true }]) {
      const answer = await byAdmin(`/users/${admin.userId}`, 'PATCH', change)
      expect(refusalIn(answer)).toMatchObject({ error: 'LAST_ADMIN' })
    }
    // An admin who has not accepted yet cannot sign in.
    const { id } = await invite('admin')
    const answer = await byAdmin(`/users/${admin.userId}`, 'PATCH', { role: 'approver' })
    expect(refusalIn(answer)).toMatchObject({ error: 'LAST_ADMIN' })
    await byAdmin(`/users/${id}`, 'PATCH', { disabled: true })
  })

  test('users of another organization and of API keys are unknown [S09]', async () => {
    const { json } = await desk.door.ask('/users', { key: other.key })
    expect(json).toEqual({ users: [] })
    const theirs = await desk.rows(`select id from users where org_id = '${other.orgId}'`)
    const ids = [String(theirs[0]?.['id']), desk.apiUserId, NOBODY, admin.username, 'x']
    for (const id of ids) {
      expect(refusalIn(await desk.door.ask(`/users/${id}`))).toMatchObject({ error: 'NOT_FOUND' })
      for (const [path, method, body] of [
        [`/users/${id}`, 'PATCH', { disabled: true }],
        [`/users/${id}/reset`, 'POST', {}],
        [`/users/${id}/invitation`, 'DELETE', {}],
      ] as const)
        expect(refusalIn(await byAdmin(path, method, body))).toMatchObject({ error: 'NOT_FOUND' })
    }
  })

  test('a change without a field or with an unknown role is refused', async () => {
    const { id } = await invite('viewer')
    for (const body of [{}, { role: 'api' }, { role: 'owner' }, { disabled: 'yes' }, { x: 1 }])
      expect(refusalIn(await byAdmin(`/users/${id}`, 'PATCH', body))).toMatchObject({
        error: 'BAD_REQUEST',
      })
    expect(await userOf(id)).toMatchObject({ role: 'viewer', status: 'invited' })
  })

  test('the list of people is paged', async () => {
    const { json: all } = await desk.door.ask('/users')
    const { json: first } = await desk.door.ask('/users?limit=2')
    const { json: second } = await desk.door.ask(
      `/users?limit=2&cursor=${String(first['nextCursor'])}`,
    )
    const usersIn = (json: Record<string, unknown>) => json['users'] as unknown[]
    expect([...usersIn(first), ...usersIn(second)]).toEqual(usersIn(all).slice(0, 4))
  })
})

const BLANK: Newcomer = {
  id: '',
  username: '',
  token: '',
  password: '',
  secret: '',
  recoveryCodes: [],
  lastStep: 0,
}
