import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Asking, type Door, openDoor, refusalIn } from '../../test/support/door.ts'
import { addPerson, officeOf, signIn } from '../../test/support/sign-in.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { createApiKey } from '../orgs/create-api-key.ts'

const PATH = '/organisation/min-human-approvals'

let door: Door
let admin: Awaited<ReturnType<typeof addPerson>>
let session: Asking
const roles = new Map<string, Asking>()

beforeAll(async () => {
  door = await openDoor()
  for (const role of ['viewer', 'operator', 'approver', 'admin'] as const) {
    const person = await addPerson(officeOf(door), { orgId: door.a.orgId, role })
    roles.set(role, await signIn(door, person))
    if (role === 'admin') admin = person
  }
  session = roles.get('admin') ?? {}
})
afterAll(() => door.close())
beforeEach(() => door.harness.clock.advance(60_000))

const send = (body: unknown, as: Asking = session) =>
  door.ask(PATH, {
    ...as,
    method: 'PATCH',
    headers: { ...as.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const set = async (minHumanApprovals: unknown) =>
  send({ minHumanApprovals, totpCode: await admin.code() })
const read = async () => (await door.ask('/organisation')).json['minHumanApprovals']

describe('PATCH /organisation/min-human-approvals', () => {
  test('sets the number, with an audit entry and an event', async () => {
    expect(await set(2)).toMatchObject({ status: 200, json: {} })
    expect(await read()).toBe(2)
    const [entry] = await door.harness.database.transaction((tx) =>
      listAudit(tx, { orgId: door.a.orgId }),
    )
    const details = { from: null, to: 2 }
    expect(entry).toMatchObject({
      actor: `user:${admin.userId}`,
      action: 'min-humans.set',
      details,
    })
    const { json } = await door.ask('/events?type=settings.changed')
    expect(json['events']).toMatchObject([
      {
        payload: {
          setting: 'minHumanApprovals',
          previous: '',
          current: '2',
          changedBy: admin.userId,
          credential: 'bearer',
        },
      },
    ])
  })

  test('returns to the default with null', async () => {
    expect((await set(1)).status).toBe(200)
    await door.harness.clock.advance(60_000)
    expect((await set(null)).status).toBe(200)
    expect(await read()).toBe(0)
  })

  test.each([-1, 3, 1.5, 2 ** 53])('refuses %d, with the range', async (value) => {
    expect(refusalIn(await set(value))).toMatchObject({
      error: 'INVALID_MIN_SIGNERS',
      details: { provided: value, minimum: 0, maximum: 2 },
    })
  })

  test.each(['1', true, [1], {}, undefined])('refuses %j as malformed', async (value) => {
    expect(refusalIn(await set(value))).toMatchObject({ error: 'BAD_REQUEST' })
  })

  test('needs a code, and is never allowed to an API key', async () => {
    const before = await read()
    expect(refusalIn(await send({ minHumanApprovals: 0 }))).toMatchObject({ error: 'INVALID_TOTP' })
    expect(refusalIn(await send({ minHumanApprovals: 0 }, {}))).toMatchObject({
      error: 'FORBIDDEN',
      details: { required: 'bearer' },
    })
    expect(await read()).toBe(before)
  })
})

describe('the permissions of a caller', () => {
  const ISSUE = ['read', 'issueAddresses', 'createWithdrawals']
  const EVENTS = ['sendEvents', 'acknowledgeAlerts']
  const MANAGE = ['rotateApiKey', 'manageApiKeys', 'managePeople']
  test.each([
    ['viewer', ['read']],
    ['operator', [...ISSUE, ...EVENTS]],
    ['approver', [...ISSUE, 'approveWithdrawals', ...EVENTS]],
    ['admin', [...ISSUE, 'approveWithdrawals', 'configure', ...EVENTS, ...MANAGE]],
  ])('of a %s are in the profile and in the organization', async (role, permissions) => {
    for (const path of ['/auth/profile', '/organisation'])
      expect((await door.ask(path, roles.get(role))).json).toMatchObject({ permissions })
  })

  test('of an API key follow from its scopes and the setting of the operator', async () => {
    const { deps, harness, a } = door
    const terms = {
      name: 'Narrow',
      scopes: ['read', 'configure'],
      networks: [],
      expiresAt: null,
    } as const
    const { key } = await harness.database.transaction((tx) =>
      createApiKey(tx, deps.serviceKey, {
        orgId: a.orgId,
        terms,
        actor: 'cli:test',
        random: deps.random,
      }),
    )
    const asking = { key: key.reveal() }
    const permissions = ['read', 'configure', ...EVENTS]
    expect((await door.ask('/organisation', asking)).json).toMatchObject({ permissions })
    const settings = { ...deps.settings, apiKeyMayConfigure: false }
    const limited = await door.askWith({ settings }, '/organisation', asking)
    expect(limited.json).toMatchObject({ permissions: ['read', ...EVENTS] })
  })
})
