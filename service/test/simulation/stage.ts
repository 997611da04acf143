import { sql } from 'kysely'
import { uuids } from '../../src/base/id.ts'
import type { Secret } from '../../src/base/secret.ts'
import { foundOrganization } from '../../src/app/found-organization.ts'
import { recordTokenCheck } from '../../src/catalogue/token-check.ts'
import { type Keyring, openKeyring } from '../../src/keys/keyring.ts'
import { Seed } from '../../src/keys/seed.ts'
import { openServiceKey, type ServiceKey } from '../../src/keys/service-key.ts'
import { createUser } from '../support/create-user.ts'
import { setWebhookUrl } from '../../src/orgs/settings.ts'
import { selectApiUserId } from '../../src/orgs/user-rows.ts'
import { withDatabaseName, withSession } from '../../src/store/connection.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { TOKENS } from './tokens.ts'

/** An approver, with the authenticator that shows the codes. */
export interface Person {
  orgId: string
  userId: string
  role: 'operator' | 'approver' | 'admin'
  totpSecret: Secret
}

export interface Tenant {
  orgId: string
  apiKey: string
  apiUserId: string
  people: readonly Person[]
  webhookUrl: string
}

/** The start of every seed: a database to copy, with its keys and users. */
export interface Stage {
  keys: { keyring: Keyring; serviceKey: ServiceKey }
  tenants: readonly [Tenant, Tenant]
  /** Every table with rows of tenants, if the role of the API may read it at all. */
  tenantTables: readonly string[]
  /** The URL of a role that may create databases and connect to any. */
  adminUrl: string
  template: string
}

const ROLES = ['admin', 'approver', 'approver', 'approver', 'operator'] as const

/** Creates two organizations with their users in a database that has only the schema. */
export async function setStage(options: { adminUrl: string; template: string }): Promise<Stage> {
  const random = new SeededRandom('the stage')
  const clock = new ManualClock()
  const { template, adminUrl } = options
  // A login that may take any role: each step takes its own.
  const url = withDatabaseName(adminUrl, template)
  const keys = {
    keyring: openKeyring(new Seed(random.bytes(32))),
    serviceKey: openServiceKey({ key: random.bytes(32), random }),
  }
  const urls = { owner: url, engine: url, api: url }
  const ids = uuids(clock, new SeededRandom('the stage/ids'))
  const database = openDatabase({ urls, clock, ids, log: silentLog(), poolMax: 2 })
  try {
    const first = await foundTenant(database, keys.serviceKey, random, 'First')
    const second = await foundTenant(database, keys.serviceKey, random, 'Second')
    await database.transaction(async (tx) => {
      for (const { id: tokenId, chainId, symbol, decimals } of TOKENS)
        await recordTokenCheck(tx, {
          tokenId,
          chainId,
          state: 'verified',
          found: `${decimals} ${symbol}`,
        })
    })
    const tenantTables = await tablesOfTenants(url)
    return { keys, tenants: [first, second], tenantTables, adminUrl, template }
  } finally {
    await database.close()
  }
}

function tablesOfTenants(url: string): Promise<string[]> {
  return withSession(url, async (session) => {
    const tables = await session.many(sql<{ name: string }>`
      select table_name as name
        from information_schema.columns
       where table_schema = 'public'
         and column_name = 'org_id'
         and has_column_privilege('sluice_api', table_name::regclass, 'org_id', 'select')
       order by 1`)
    return tables.map(({ name }) => name)
  })
}

async function foundTenant(
  database: Database,
  serviceKey: ServiceKey,
  random: SeededRandom,
  name: string,
): Promise<Tenant> {
  const { organization, apiKey } = await foundOrganization(database, serviceKey, {
    name,
    actor: 'test',
    random,
  })
  const { id: orgId } = organization
  const webhookUrl = `https://hooks.example.com/${name.toLowerCase()}`
  const people: Person[] = []
  for (const [at, role] of ROLES.entries()) {
    const terms = { orgId, username: `${name}-${role}-${at}`, role, actor: 'cli:test', random }
    const made = await database.transaction((tx) => createUser(tx, serviceKey, terms))
    people.push({ orgId, userId: made.user.id, role, totpSecret: made.totpSecret })
  }
  const apiUserId = await database.transaction(async (tx) => {
    await setWebhookUrl(tx, serviceKey, { orgId, url: webhookUrl, actor: 'test' })
    return selectApiUserId(tx, orgId)
  })
  return { orgId, apiKey: apiKey.reveal(), apiUserId, people, webhookUrl }
}

let clones = 0

/** A copy of the stage's database. */
export async function cloneStage(
  stage: Stage,
): Promise<{ url: string; drop: () => Promise<void> }> {
  clones += 1
  const name = `${stage.template}_${process.pid}_${clones}`
  await withSession(stage.adminUrl, (session) =>
    session.script(`create database ${name} template ${stage.template} strategy file_copy`),
  )
  const drop = () =>
    withSession(stage.adminUrl, (session) =>
      session.script(`drop database if exists ${name} with (force)`),
    )
  return { url: withDatabaseName(stage.adminUrl, name), drop }
}
