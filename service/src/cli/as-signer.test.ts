import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { countWaiting, openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type Person, addPerson } from '../../test/support/sign-in.ts'
import { type Config, loadConfig } from '../app/config.ts'
import { createServiceKeyFile, type ServiceKey } from '../keys/service-key.ts'
import { disableUser, changeUser } from '../orgs/change-user.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { asSigner, findSigner } from './as-signer.ts'

const actor = 'cli:test'
const random = new SeededRandom('as signer')

let world: TestDatabase
let folder: string
let config: Config
let serviceKey: ServiceKey
let orgId: string

beforeAll(async () => {
  world = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'sluice-as-signer-'))
  const file = join(folder, 'sluice.config.json')
  writeFileSync(file, '{}')
  const keyFile = join(folder, 'service.key')
  serviceKey = createServiceKeyFile(keyFile, random)
  const env = { SLUICE_ENV: 'development', SLUICE_SERVICE_KEY_FILE: keyFile }
  config = loadConfig({ ...env, SLUICE_CONFIG: file })
  const { organization } = await world.database.transaction((tx) =>
    createOrganization(tx, serviceKey, { name: 'A', actor, random }),
  )
  orgId = organization.id
  await approver()
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('asSigner does the work with the code of a signer, and checks other signers', async () => {
  const ann = await approver()
  const bob = await approver()
  await disable(bob)
  const found = await findSigner(deps(), ann.username)
  const approval = { person: found, totp: await ann.code() }
  const asked = await asSigner(deps(), approval, async (tx, stillSigns) => [
    await stillSigns(tx, { orgId, userId: ann.userId }),
    await stillSigns(tx, { orgId, userId: bob.userId }),
  ])
  expect(asked).toEqual([true, false])
})

test('asSigner refuses a signer who was disabled in the meantime', async () => {
  const ann = await approver()
  const found = await findSigner(deps(), ann.username)
  await disable(ann)
  await expectRefused(found, await ann.code())
})

test('asSigner refuses a signer who is demoted while the code is checked', async () => {
  const ann = await approver()
  const found = await findSigner(deps(), ann.username)
  const totp = await ann.code()
  let speaking: Promise<void> | undefined
  await world.database.transaction(async (tx) => {
    const change = { user: ann.userId, actor, role: 'operator' } as const
    await changeUser(tx, serviceKey, change, async () => [])
    speaking = expectRefused(found, totp)
    await expect.poll(() => countWaiting(world), { timeout: 4_000 }).toBe(1)
  })
  await speaking
})

test('findSigner refuses a user who is not a signer', async () => {
  const { database, clock } = world
  const { username } = await addPerson({ database, clock, serviceKey }, { orgId, role: 'operator' })
  await expect(findSigner(deps(), username)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

async function expectRefused(
  person: Awaited<ReturnType<typeof findSigner>>,
  totp: string,
): Promise<void> {
  let worked = false
  const work = async () => {
    worked = true
  }
  await expect(asSigner(deps(), { person, totp }, work)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  expect(worked).toBe(false)
}

function deps() {
  return { config, random, database: world.database, clock: world.clock }
}

function approver(): Promise<Person> {
  const { database, clock } = world
  return addPerson({ database, clock, serviceKey }, { orgId, role: 'approver' })
}

function disable({ userId }: Person): Promise<unknown> {
  return world.database.transaction((tx) =>
    disableUser(tx, serviceKey, { user: userId, actor }, async () => []),
  )
}
