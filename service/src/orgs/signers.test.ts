import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type Person, addPerson } from '../../test/support/sign-in.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { disableUser, changeUser } from './change-user.ts'
import { createOrganization } from './create-organization.ts'
import type { PendingThreshold, PendingThresholds } from './keep-signers.ts'
import { openSessions } from './sessions.ts'
import { resetCredentials } from './reset-credentials.ts'
import { readOrganization } from './settings.ts'
import { countSigners, readUsers, setMinHumans, setMinSigners } from './signers.ts'
import type { Role } from './user.ts'

const random = new SeededRandom('signers')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(9), random })
const actor = 'cli:test'

let world: TestDatabase
let orgId: string
let pending: PendingThreshold[] = []
const pendingThresholds: PendingThresholds = async (_tx, _key, { moreThan }) =>
  pending.filter(({ requiredApprovals }) => requiredApprovals > moreThan)

beforeAll(async () => {
  world = await openTestDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  pending = []
  const { organization } = await world.database.transaction((tx) =>
    createOrganization(tx, serviceKey, { name: 'A', actor, random }),
  )
  orgId = organization.id
})

function add(role: Exclude<Role, 'api'>): Promise<Person> {
  const office = { database: world.database, clock: world.clock, serviceKey }
  return addPerson(office, { orgId, role })
}

function count(): Promise<number> {
  return world.database.forOrg(orgId, (tx) => countSigners(tx, serviceKey, orgId))
}

function setMin(value: number): Promise<{ previous: number }> {
  return world.database.forOrg(orgId, (tx) =>
    setMinSigners(tx, serviceKey, { orgId, value, actor }),
  )
}

function setHumans(value: number): Promise<unknown> {
  return world.database.transaction((tx) => setMinHumans(tx, serviceKey, { orgId, value, actor }))
}

function disable(user: string): Promise<unknown> {
  return world.database.transaction((tx) =>
    disableUser(tx, serviceKey, { user, actor }, pendingThresholds),
  )
}

function demote(user: string, role: Exclude<Role, 'api'>): Promise<unknown> {
  return world.database.transaction((tx) =>
    changeUser(tx, serviceKey, { user, role, actor }, pendingThresholds),
  )
}

describe('signers', () => {
  test('signers are the active approvers and admins with authentic rows', async () => {
    for (const role of ['viewer', 'operator'] as const) await add(role)
    expect(await count()).toBe(0)
    const [ann, bob] = [await add('approver'), await add('admin')]
    const viewer = await add('viewer')
    await add('approver')
    expect(await count()).toBe(3)
    await disable(ann.userId)
    expect(await count()).toBe(2)
    await world.database.transaction((tx) =>
      tx.run(sql`update users set role = 'approver' where id = ${viewer.userId}`),
    )
    await world.database.transaction((tx) =>
      tx.run(sql`update users set status = 'active' where id = ${ann.userId}`),
    )
    expect(await count()).toBe(2)
    const users = await world.database.forOrg(orgId, (tx) =>
      readUsers(tx, serviceKey, { orgId, ids: [ann.userId, bob.userId, viewer.userId] }),
    )
    expect([ann, bob, viewer].map(({ userId }) => users.get(userId)?.authentic)).toEqual([
      false,
      true,
      false,
    ])
  })

  test.each([0, -1, 4, 1.5, Number.NaN, Infinity, 2 ** 53])(
    'setMinSigners refuses the number %d',
    async (value) => {
      for (const role of ['approver', 'approver', 'admin'] as const) await add(role)
      await expect(setMin(value)).rejects.toMatchObject({
        code: 'INVALID_MIN_SIGNERS',
        details: { minimum: 1, maximum: 3 },
      })
    },
  )

  test('setMinSigners accepts up to all signers and writes to the audit log', async () => {
    for (const role of ['approver', 'admin'] as const) await add(role)
    await setMin(2)
    const { minWithdrawalSigners } = await world.database.forOrg(orgId, (tx) =>
      readOrganization(tx, orgId),
    )
    expect(minWithdrawalSigners).toBe(2)
    const [entry] = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(entry).toMatchObject({ actor, action: 'min-signers.set', details: { from: 1, to: 2 } })
    await setMin(1)
  })

  test('disableUser refuses when new withdrawals need the signer', async () => {
    const [ann, bob] = [await add('approver'), await add('admin')]
    await setMin(2)
    await expect(disable(ann.userId)).rejects.toMatchObject({
      code: 'INVALID_MIN_SIGNERS',
      details: { signersLeft: 1, minWithdrawalSigners: 2, withdrawals: [] },
    })
    for (const role of ['viewer', 'operator'] as const)
      await expect(demote(bob.userId, role)).rejects.toMatchObject({ code: 'INVALID_MIN_SIGNERS' })
    await expect(demote(bob.userId, 'approver')).rejects.toMatchObject({ code: 'LAST_ADMIN' })
    await add('approver')
    await disable(ann.userId)
    expect(await count()).toBe(2)
  })

  test('setMinHumans accepts up to all people, who cannot be disabled then [A11]', async () => {
    for (const value of [-1, 1, 0.5, Number.NaN])
      await expect(setHumans(value)).rejects.toMatchObject({
        code: 'INVALID_MIN_SIGNERS',
        details: { minimum: 0, maximum: 0 },
      })
    const [ann] = [await add('approver'), await add('admin')]
    await setHumans(2)
    const { minHumanApprovals } = await world.database.forOrg(orgId, (tx) =>
      readOrganization(tx, orgId),
    )
    expect(minHumanApprovals).toBe(2)
    const [entry] = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(entry).toMatchObject({ actor, action: 'min-humans.set', details: { from: null, to: 2 } })
    await expect(disable(ann.userId)).rejects.toMatchObject({
      code: 'INVALID_MIN_SIGNERS',
      details: { signersLeft: 1, minHumanApprovals: 2 },
    })
    await setHumans(0)
    await disable(ann.userId)
    expect(await count()).toBe(1)
  })

  test('disableUser lists the pending withdrawals that need the signer', async () => {
    const people = [await add('approver'), await add('approver'), await add('admin')]
    pending = [
      { withdrawalId: 'one', requiredApprovals: 3, authentic: true },
      { withdrawalId: 'two', requiredApprovals: 2, authentic: true },
    ]
    const refused = disable(people[0]?.userId ?? '')
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_MIN_SIGNERS',
      details: { withdrawals: [{ withdrawalId: 'one', requiredApprovals: 3 }] },
    })
    await expect(refused).rejects.toThrow(/one waits for 3/)
    expect(await count()).toBe(3)
    pending = []
    await disable(people[0]?.userId ?? '')
    expect(await count()).toBe(2)
  })

  test('disabling two signers concurrently never leaves too few [A11]', async () => {
    const people = [await add('approver'), await add('approver'), await add('approver')]
    await setMin(2)
    const outcomes = await Promise.allSettled(people.map(({ userId }) => disable(userId)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await count()).toBe(2)
  })

  test('a threshold raised while a user is disabled still holds [A11]', async () => {
    for (let round = 0; round < 5; round += 1) {
      const people = [await add('approver'), await add('approver')]
      const signers = await count()
      await Promise.allSettled([setMin(signers), disable(people[0]?.userId ?? '')])
      const { minWithdrawalSigners } = await world.database.forOrg(orgId, (tx) =>
        readOrganization(tx, orgId),
      )
      expect(minWithdrawalSigners).toBeLessThanOrEqual(await count())
      await setMin(1)
    }
  })
})

describe('changing a person', () => {
  test('users are changed by id or by name in any case, with an audit entry', async () => {
    await add('admin')
    const ann = await add('viewer')
    await demote(ann.username.toUpperCase(), 'operator')
    const [entry] = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(entry).toMatchObject({
      actor,
      action: 'user.set-role',
      object: ann.userId,
      details: { from: { role: 'viewer' }, to: { role: 'operator' } },
    })
    await disable(ann.userId)
    const [user] = await world.database.forOrg(orgId, async (tx) => [
      ...(await readUsers(tx, serviceKey, { orgId, ids: [ann.userId] })).values(),
    ])
    expect(user).toMatchObject({ role: 'operator', status: 'disabled', authentic: true })
  })

  test('changing a user never authenticates a tampered row [A11]', async () => {
    for (const role of ['admin', 'approver'] as const) await add(role)
    const [ann, bob] = [await add('approver'), await add('viewer')]
    await disable(ann.userId)
    await world.database.transaction((tx) =>
      tx.run(sql`update users set status = 'active' where id = ${ann.userId}`),
    )
    await world.database.transaction((tx) =>
      tx.run(sql`update users set role = 'admin' where id = ${bob.userId}`),
    )
    for (const { userId } of [ann, bob]) {
      await expect(demote(userId, 'operator')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      await disable(userId)
    }
    const users = await world.database.forOrg(orgId, (tx) =>
      readUsers(tx, serviceKey, { orgId, ids: [ann.userId, bob.userId] }),
    )
    const nobody = { role: 'viewer', status: 'disabled', authentic: true }
    expect([...users.values()]).toMatchObject([nobody, nobody])
  })

  test('changing a user refuses an unknown user and the user of an API key', async () => {
    const { id } = await world.database.transaction((tx) =>
      tx.one(sql<{ id: string }>`select id from users where org_id = ${orgId} and role = 'api'`),
    )
    const given = { actor, random }
    for (const [user, code] of [
      ['nobody', 'NOT_FOUND'],
      ['019b76da-0000-7000-8000-000000000000', 'NOT_FOUND'],
      [id, 'BAD_REQUEST'],
      [`api-${orgId}`, 'BAD_REQUEST'],
    ] as const) {
      await expect(disable(user)).rejects.toMatchObject({ code })
      await expect(demote(user, 'admin')).rejects.toMatchObject({ code })
      await expect(
        world.database.transaction((tx) => resetCredentials(tx, serviceKey, { user, ...given })),
      ).rejects.toMatchObject({ code })
    }
  })

  test('an unchanged role writes no audit entry and ends no session', async () => {
    await add('admin')
    const ann = await add('viewer')
    const read = await beginSession(ann)
    await demote(ann.userId, 'viewer')
    expect(await read()).toMatchObject({ userId: ann.userId, role: 'viewer' })
    const [entry] = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(entry?.action).toBe('user.accept-invitation')
  })

  test.each([
    ['disabled', (user: string) => disable(user)],
    ['given another role', (user: string) => demote(user, 'operator')],
    ['reset', (user: string) => reset(user)],
  ])('sessions of a user end when the user is %s [S02]', async (_what, change) => {
    const ann = await add('viewer')
    const [one, two] = [await beginSession(ann), await beginSession(ann)]
    const bobs = await beginSession(await add('viewer'))
    await change(ann.username)
    for (const read of [one, two]) expect(await read()).toBeNull()
    expect(await bobs()).not.toBeNull()
  })

  test('a session stays ended when its first role is restored [S02]', async () => {
    const ann = await add('viewer')
    const read = await beginSession(ann)
    for (const role of ['operator', 'viewer'] as const) await demote(ann.userId, role)
    expect(await read()).toBeNull()
  })

  test('a session ends when its user became an admin in the database [S02]', async () => {
    const ann = await add('viewer')
    const read = await beginSession(ann)
    await world.database.transaction((tx) =>
      tx.run(sql`update users set role = 'admin' where id = ${ann.userId}`),
    )
    expect(await read()).toBeNull()
  })
})

function reset(user: string): Promise<unknown> {
  return world.database.transaction((tx) =>
    resetCredentials(tx, serviceKey, { user, actor, random }),
  )
}

async function beginSession({ userId }: Person) {
  const { database, clock } = world
  const sessions = openSessions({ database, serviceKey, clock, ttlSeconds: 3600 })
  const { accessToken } = await database.forOrg(orgId, async (tx) => {
    const users = await readUsers(tx, serviceKey, { orgId, ids: [userId] })
    const user = users.get(userId)
    if (user === undefined) throw new Error('nobody')
    return sessions.begin(tx, user, { address: '' })
  })
  return () => sessions.read(accessToken)
}
