import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addPerson } from '../../test/support/sign-in.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { disableUser, changeUser } from './change-user.ts'
import { createOrganization } from './create-organization.ts'
import { stillSignsBy } from './still-signs.ts'
import type { Role } from './user.ts'

const random = new SeededRandom('still signs')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(9), random })
const actor = 'cli:test'

let world: TestDatabase
let orgId: string

beforeAll(async () => {
  world = await openTestDatabase()
  orgId = await found('A')
  await person('admin')
})
afterAll(() => world.close())

test('approvers and admins of the organization may approve; other users may not', async () => {
  const [approver, admin] = [await person('approver'), await person('admin')]
  const [operator, viewer] = [await person('operator'), await person('viewer')]
  const asked = await Promise.all([approver, admin, operator, viewer].map((id) => stillSigns(id)))
  expect(asked).toEqual([true, true, false, false])
  expect(await stillSigns(approver, await found('B'))).toBe(false)
  expect(await stillSigns('')).toBe(false)
  expect(await stillSigns("'; drop table users; --")).toBe(false)
})

test('a disabled or demoted user may not approve', async () => {
  const [ann, bob] = [await person('approver'), await person('approver')]
  await world.database.transaction(async (tx) => {
    await disableUser(tx, serviceKey, { user: ann, actor }, async () => [])
    await changeUser(tx, serviceKey, { user: bob, actor, role: 'operator' }, async () => [])
  })
  expect([await stillSigns(ann), await stillSigns(bob)]).toEqual([false, false])
})

test('a user made a signer in the database may not approve [A13]', async () => {
  const eve = await person('viewer')
  const forged = sql`update users set role = 'admin' where id = ${eve}`
  await world.database.transaction((tx) => tx.run(forged))
  expect(await stillSigns(eve)).toBe(false)
})

async function found(name: string): Promise<string> {
  const { organization } = await world.database.transaction((tx) =>
    createOrganization(tx, serviceKey, { name, actor, random }),
  )
  return organization.id
}

async function person(role: Exclude<Role, 'api'>): Promise<string> {
  const { database, clock } = world
  return (await addPerson({ database, clock, serviceKey }, { orgId, role })).userId
}

function stillSigns(userId: string, of = orgId): Promise<boolean> {
  const asks = stillSignsBy(serviceKey)
  return world.database.transaction((tx) => asks(tx, { orgId: of, userId }))
}
