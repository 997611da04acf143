import { OPERATIONS, type Operation } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Asking,
  type Door,
  openDoor,
  refusalIn,
  type Tenant,
} from '../../test/support/door.ts'
import { addPerson, officeOf, type Person, signIn } from '../../test/support/sign-in.ts'

const PEOPLE = ['viewer', 'operator', 'approver', 'admin'] as const
const WHO = [...PEOPLE, 'apiKey'] as const
type Who = (typeof WHO)[number]

/** The table of decisions, section 5, as it is written there. */
const MAY: Record<string, readonly Who[]> = {
  read: WHO,
  issueAddresses: ['operator', 'approver', 'admin', 'apiKey'],
  createWithdrawals: ['operator', 'approver', 'admin', 'apiKey'],
  approveWithdrawals: ['approver', 'admin'],
  configure: ['admin', 'apiKey'],
  sendEvents: ['operator', 'approver', 'admin', 'apiKey'],
  acknowledgeAlerts: ['operator', 'approver', 'admin', 'apiKey'],
  rotateApiKey: ['admin'],
  managePeople: ['admin'],
  manageApiKeys: ['admin'],
  none: WHO,
}

const GUARDED = Object.entries<Operation>(OPERATIONS).filter(
  ([, { credential }]) => credential !== 'none',
)
const CELLS = GUARDED.flatMap(([name, operation]) =>
  WHO.map((who) => ({ name, who, operation, may: mayDo(operation, who) })),
)

/** The missing permission or credential; "" if the caller may do it. */
function mayDo({ credential, permission }: Operation, who: Who): string {
  if (!MAY[permission]?.includes(who)) return permission
  const own = who === 'apiKey' ? 'apiKey' : 'bearer'
  return credential === 'either' || credential === own ? '' : credential
}

let door: Door
let tenant: Tenant
const credentials = new Map<Who, Asking>()
const people = new Map<Who, Person>()

beforeAll(async () => {
  door = await openDoor()
  tenant = door.a
  for (const role of PEOPLE) {
    const person = await addPerson(officeOf(door), { orgId: tenant.orgId, role })
    people.set(role, person)
    credentials.set(role, await signIn(door, person))
  }
})
afterAll(() => door.close())

describe('the table of roles', () => {
  test('has every permission [S11]', () => {
    const asked = new Set(GUARDED.map(([, { permission }]) => permission))
    expect([...asked].filter((permission) => !(permission in MAY))).toEqual([])
    expect(CELLS.length).toBeGreaterThan(50)
  })

  test.each(CELLS)('$name by $who [S11]', async ({ name, operation, who, may }) => {
    const path = operation.path.replaceAll(/:[a-zA-Z]+/g, '019b76da-0000-7000-8000-000000000000')
    const { method } = operation
    // The caller is checked before the body, so an empty body is enough.
    const asked = await door.ask(path, { method, ...credentialOf(who) })
    if (may === '') {
      // A person who may change settings must send a code.
      const code = { error: 'INVALID_TOTP', details: { reason: 'CODE_REQUIRED' } }
      if (asked.status === 401) expect(refusalIn(asked)).toMatchObject(code)
      expect(asked.status).not.toBe(403)
      await renewKey(asked.json['apiKey'])
      if (name === 'postLogout') await signInAgain(who)
      return
    }
    expect(refusalIn(asked)).toMatchObject({
      error: 'FORBIDDEN',
      statusCode: 403,
      details: { required: may },
    })
  })
})

function credentialOf(who: Who): Asking {
  if (who === 'apiKey') return { key: tenant.key }
  return credentials.get(who) ?? {}
}

/** One of the cells ends the session that others use. */
async function signInAgain(who: Who): Promise<void> {
  const person = people.get(who)
  if (person !== undefined) credentials.set(who, await signIn(door, person))
}

/** One of the cells replaces the key that others use. */
async function renewKey(apiKey: unknown): Promise<void> {
  if (typeof apiKey === 'string') tenant = { ...tenant, key: apiKey }
}
