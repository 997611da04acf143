import type { Secret } from '../../src/base/secret.ts'
import { createUser } from './create-user.ts'
import { totpCode, totpStepAt } from '../../src/orgs/totp.ts'
import type { Role } from '../../src/orgs/user.ts'
import type { ServiceKey } from '../../src/keys/service-key.ts'
import type { Database } from '../../src/store/database.ts'
import { type ManualClock, SeededRandom } from './clock.ts'
import type { Asking, Door } from './door.ts'

const STEP_MS = 30_000

/** Any world with a database, a manual clock and its keys, to which people are added. */
export interface Office {
  database: Database
  clock: ManualClock
  serviceKey: ServiceKey
}

/** Someone who can sign in, with the telephone that shows the codes. */
export interface Person {
  orgId: string
  userId: string
  username: string
  role: Role
  password: string
  totpSecret: Secret
  /**
   * A code that was not shown before: the next step's where this one's was, which is taken too, and
   * where that was as well, time goes on by one step.
   */
  code(): Promise<string>
  /** The code of the current step, however often it was used. */
  codeNow(): string
}

let people = 0
const counts = new WeakMap<Database, number>()

/** Adds a person to an organization. */
export async function addPerson(
  { database, clock, serviceKey }: Office,
  given: { orgId: string; role: Exclude<Role, 'api'>; username?: string },
): Promise<Person> {
  const { orgId, role } = given
  people += 1
  const username = given.username ?? `${role}-${people}`
  // The same codes in every run: of so many, two that are equal would come up now and then.
  const nth = (counts.get(database) ?? 0) + 1
  counts.set(database, nth)
  const random = new SeededRandom(`person ${nth} of ${orgId}`)
  const terms = { orgId, username, role, actor: 'cli:test', random }
  const made = await database.transaction((tx) => createUser(tx, serviceKey, terms))
  const { totpSecret } = made
  let last = 0
  return {
    orgId,
    userId: made.user.id,
    username,
    role,
    password: made.password.reveal(),
    totpSecret,
    codeNow: () => totpCode(totpSecret, totpStepAt(clock.now())),
    code: async () => {
      const now = totpStepAt(clock.now())
      last = Math.max(last + 1, now)
      if (last > now + 1) await clock.advance((last - now - 1) * STEP_MS)
      return totpCode(totpSecret, last)
    },
  }
}

/** The office of a door: `addPerson(officeOf(door), { orgId: door.a.orgId, role: 'approver' })`. */
export function officeOf({ harness, deps }: Door): Office {
  return { database: harness.database, clock: harness.clock, serviceKey: deps.serviceKey }
}

/** Asks the door for an access token, as the dashboard does. */
export function logInAt(
  door: Pick<Door, 'ask'>,
  given: { username: string; password: string; totpCode: string },
  asking: Asking = {},
): ReturnType<Door['ask']> {
  const body = JSON.stringify(given)
  const headers = { 'content-type': 'application/json', ...asking.headers }
  return door.ask('/auth/login', { ...asking, key: null, method: 'POST', headers, body })
}

/** Signs a person in, and gives what to ask the door with: `door.ask(path, { ...as, method })`. */
export async function signIn(
  door: Pick<Door, 'ask'>,
  person: Person,
): Promise<{ key: null; headers: { authorization: string } }> {
  const { username, password } = person
  const answer = await logInAt(door, { username, password, totpCode: await person.code() })
  const { accessToken } = answer.json
  if (typeof accessToken !== 'string') throw new Error(`${username}: ${answer.text}`)
  return { key: null, headers: { authorization: `Bearer ${accessToken}` } }
}
