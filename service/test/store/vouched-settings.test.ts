import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { completeMigration } from '../../src/app/complete-migration.ts'
import { loadConfig } from '../../src/app/config.ts'
import { uuids } from '../../src/base/id.ts'
import { createServiceKeyFile, openServiceKey } from '../../src/keys/service-key.ts'
import { findCaller, newApiKey } from '../../src/orgs/api-key.ts'
import { genuineHash } from '../../src/orgs/password.ts'
import { readOrganization } from '../../src/orgs/settings.ts'
import { selectPasswordHash } from '../../src/orgs/sign-in-rows.ts'
import { requireGenuine } from '../../src/orgs/thresholds.ts'
import { macOfUser } from '../../src/orgs/user.ts'
import { vouchForStanding } from '../../src/orgs/vouch-standing.ts'
import { withSession } from '../../src/store/connection.ts'
import { openDatabase } from '../../src/store/database.ts'
import { migrate, migrationStatus } from '../../src/store/migrate.ts'
import { readMigrations } from '../../src/store/migration-files.ts'
import { ManualClock, SeededDice, silentLog } from '../support/clock.ts'
import { makeEmptyDatabase } from '../support/database.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const VOUCHED_BY = '0018-vouched-settings'
const ORGS = ['01990000-0000-7000-8000-000000000001', '01990000-0000-7000-8000-000000000002']
const PEOPLE = ['01990000-0000-7000-8000-000000000003', '01990000-0000-7000-8000-000000000004']
const HASH = '$argon2id$v=19$m=8,t=1,p=1$AQEBAQEBAQE$AgICAgICAgI'

test('O06 A13 settings and keys from before they were vouched for are, once', async () => {
  const empty = await makeEmptyDatabase()
  const [clock, dice, log] = [new ManualClock(), new SeededDice('vouched'), silentLog()]
  const database = openDatabase({ urls: empty.urls, clock, ids: uuids(clock, dice), log })
  onTestFinished(async () => {
    await database.close()
    await empty.drop()
  })
  const serviceKey = openServiceKey({ key: dice.bytes(32), dice })
  const target = { ownerUrl: empty.urls.owner, folder: MIGRATIONS, log }
  const files = await readMigrations(MIGRATIONS)
  await migrate({ ...target, upTo: files.findIndex(({ name }) => name === VOUCHED_BY) })
  const keys = ORGS.map(() => [newApiKey(dice), newApiKey(dice)] as const)
  await withSession(empty.adminUrl, (session) => session.script(ORGS.map(before).join('\n')))
  for (const [at, [revoked, live]] of keys.entries()) {
    await withSession(empty.adminUrl, (session) =>
      session.run(sql`
        insert into api_keys (
               org_id, id, user_id, hash, last_four, created_by, created_at, revoked_at)
        select ${ORGS[at]}, gen_random_uuid(), ${ORGS[at]}, hash, 'xxxx', '', now(), revoked
          from (values (${revoked.hash}::bytea, now()), (${live.hash}::bytea, null))
               as keys (hash, revoked)`),
    )
  }

  const opened: string[] = []
  const complete: Parameters<typeof migrate>[0]['complete'] = async (session, name) => {
    if (name !== VOUCHED_BY) return
    await vouchForStanding(session, async () => {
      opened.push(name)
      return serviceKey
    })
  }
  await migrate({ ...target, complete })
  await migrate({ ...target, complete })
  expect(opened).toEqual([VOUCHED_BY])
  for (const [at, orgId] of ORGS.entries()) {
    const organization = await database.transaction((tx) => readOrganization(tx, orgId))
    expect(() => requireGenuine(serviceKey, organization)).not.toThrow()
    expect(organization).toMatchObject({ minWithdrawalSigners: at + 1, minHumanApprovals: at })
    const userId = PEOPLE[at] ?? ''
    const person = await database.transaction((tx) => selectPasswordHash(tx, { orgId, userId }))
    expect(genuineHash(serviceKey, { userId, kept: person?.password_hash ?? '' })).toBe(HASH)
    const [revoked, live] = keys[at] ?? []
    const ask = (key = newApiKey(dice)) =>
      database.asApi((tx) => findCaller(tx, serviceKey, key.key.reveal()))
    expect(await ask(revoked)).toBe('revoked')
    expect(await ask(live)).toMatchObject({ orgId, role: 'api' })
  }
})

test('O06 A13 a migration vouches for nothing with another service key', async () => {
  const empty = await makeEmptyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-vouched-'))
  const [clock, dice, log] = [new ManualClock(), new SeededDice('another'), silentLog()]
  const database = openDatabase({ urls: empty.urls, clock, ids: uuids(clock, dice), log })
  onTestFinished(async () => {
    await database.close()
    await empty.drop()
    rmSync(folder, { recursive: true })
  })
  const right = createServiceKeyFile(join(folder, 'right.key'), dice)
  createServiceKeyFile(join(folder, 'other.key'), dice)
  const target = { ownerUrl: empty.urls.owner, folder: MIGRATIONS, log }
  const upTo = (await readMigrations(MIGRATIONS)).findIndex(({ name }) => name === VOUCHED_BY)
  await migrate({ ...target, upTo })
  const [orgId = ''] = ORGS
  const mac = macOfUser(right, { id: orgId, orgId, role: 'api', status: 'active', version: null })
  await withSession(empty.adminUrl, async (session) => {
    await session.script(before(orgId, 0))
    await session.run(sql`update users set mac = ${mac} where id = ${orgId}`)
  })

  const migrateWith = (name: string) => {
    const [file, serviceKeyFile] = [join(folder, 'sluice.config.json'), join(folder, name)]
    writeFileSync(file, JSON.stringify({ environment: 'development', serviceKeyFile }))
    const complete = completeMigration(loadConfig({ SLUICE_CONFIG: file }), dice)
    return migrate({ ...target, complete })
  }
  await expect(migrateWith('other.key')).rejects.toThrow(
    'other.key: this service key is not the one this database was written with',
  )
  expect((await migrationStatus(target)).applied).toHaveLength(upTo)
  await migrateWith('right.key')
  const organization = await database.transaction((tx) => readOrganization(tx, orgId))
  expect(() => requireGenuine(right, organization)).not.toThrow()
})

/** An installation as the version before had it. */
function before(orgId: string, at: number): string {
  return `
    insert into organizations (
           id, name, min_withdrawal_signers, min_human_approvals, created_at, updated_at)
    values ('${orgId}', 'Before', ${at + 1}, ${at}, now(), now());
    insert into users (org_id, id, username, role, mac, created_at, updated_at)
    values ('${orgId}', '${orgId}', 'api-${orgId}', 'api', '', now(), now());
    insert into users (org_id, id, username, role, password_hash, mac, created_at, updated_at)
    values ('${orgId}', '${PEOPLE[at]}', 'person ${at}', 'admin', '${HASH}', '', now(), now());`
}
