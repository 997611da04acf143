import { foundOrganization } from '../../../src/app/found-organization.ts'
import { loadConfig } from '../../../src/app/config.ts'
import { type Ground, openGround } from '../../../src/app/ground.ts'
import { openServiceKeyOf } from '../../../src/app/keys.ts'
import { openLog } from '../../../src/base/log.ts'
import { createUser } from '../../support/create-user.ts'
import type { Role } from '../../../src/orgs/user.ts'
import type { DatabaseUrls } from '../../../src/store/database.ts'
import { type Person, signIn } from './sign-in.ts'
import type { Tenant } from './state.ts'

type HumanRole = Exclude<Role, 'api'>
const actor = 'an operator'

/** Staff by organization: each test file has its own organization, some have two. */
const TENANTS: Readonly<Record<string, readonly HumanRole[]>> = {
  acme: ['viewer', 'operator', 'approver', 'admin'],
  signers: [...Array.from({ length: 12 }, () => 'approver' as const), 'admin', 'admin'],
  zenith: ['admin', 'approver'],
  hooks: ['admin', 'approver'],
  flow: ['approver', 'approver'],
  lists: ['viewer', 'approver', 'approver'],
  errors: ['admin', 'approver'],
  corpora: ['admin'],
  limits: ['viewer'],
  hostile: ['admin'],
  client: ['admin', 'approver', 'approver'],
  roles: ['viewer', 'operator', 'approver', 'admin'],
  settings: ['admin', 'approver', 'viewer', 'viewer', 'viewer', 'admin'],
  families: ['approver', 'approver'],
  strangers: ['admin', 'approver'],
  fuzz: ['admin', 'approver', 'viewer'],
  people: ['admin'],
  month: ['admin', 'admin'],
  dashboard: ['admin', 'approver', 'approver', 'viewer', 'admin'],
  office: ['admin', 'admin', 'admin'],
  archive: ['viewer'],
  books: ['viewer'],
  support: ['viewer', 'admin', 'approver'],
  devices: ['approver', 'admin'],
}

/** The organizations by name, and the connections of the three logins to the database. */
export interface Founded {
  tenants: Readonly<Record<string, Tenant>>
  databaseUrls: DatabaseUrls
}

/**
 * Makes organizations with people, and signs these in, as `sluice org create` and `sluice user
 * create` do, beside the running service.
 */
export async function foundTenants(configFile: string, baseUrl: string): Promise<Founded> {
  const log = openLog({ level: 'warn', pretty: false, stream: 2 })
  const ground = await openGround(loadConfig({ SLUICE_CONFIG: configFile }), log, 'command')
  try {
    const tenants: [string, Tenant][] = []
    for (const [name, roles] of Object.entries(TENANTS))
      tenants.push([name, await found(ground, { name, roles, baseUrl })])
    return { tenants: Object.fromEntries(tenants), databaseUrls: ground.urls }
  } finally {
    await ground.close()
  }
}

async function found(
  { config, random, database }: Ground,
  { name, roles, baseUrl }: { name: string; roles: readonly HumanRole[]; baseUrl: string },
): Promise<Tenant> {
  const serviceKey = openServiceKeyOf(config, random)
  const { organization, apiKey } = await foundOrganization(database, serviceKey, {
    name,
    actor,
    random,
  })
  const orgId = organization.id
  const people: Person[] = []
  for (const role of roles) {
    const username = `${name}-${role}-${people.length}`
    const { user, password, totpSecret } = await database.transaction((tx) =>
      createUser(tx, serviceKey, { orgId, username, role, actor, random }),
    )
    const person = {
      id: user.id,
      username,
      password: password.reveal(),
      totpSecret: totpSecret.reveal(),
      role,
    }
    people.push(await signIn(baseUrl, person))
  }
  return { id: orgId, name, apiKey: apiKey.reveal(), people }
}
