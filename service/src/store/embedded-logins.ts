import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../base/random.ts'
import { codeOf, Refusal } from '../base/fault.ts'
import type { Session } from './connection.ts'
import type { DatabaseUrls } from './database.ts'
import type { Home } from './embedded-home.ts'

/** The passwords of the three logins of the embedded database. */
export type Logins = Readonly<Record<keyof DatabaseUrls, string>>

/** The role of each login. */
export const LOGIN_ROLES = {
  owner: 'sluice_owner',
  engine: 'sluice_engine',
  api: 'sluice_api',
} as const satisfies Record<keyof DatabaseUrls, string>

const PASSWORD_BYTES = 32
const USERS = ['owner', 'engine', 'api'] as const

const CLOSED = [
  '# Written by sluice. Only three logins may connect, with the passwords in logins.json. The',
  '# superuser makes them at the first start, and is refused afterwards.',
  `local all ${Object.values(LOGIN_ROLES).join(',')} scram-sha-256`,
  '',
].join('\n')

const OPEN = `${CLOSED}local all all trust\nlocal replication postgres trust\n`

/** Contents of `pg_hba.conf`. The superuser may connect while it creates the roles. */
export const ACCESS = {
  preparing: OPEN,
  closed: CLOSED,
  kept: `${OPEN}# The superuser may connect at any time.\n`,
} as const

/** Reads the passwords; null without a file. Throws if the file is damaged. */
export async function readLogins(home: Home): Promise<Logins | null> {
  const text = await readFile(fileOf(home), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const logins = parseLogins(text)
  if (logins !== null) return logins
  const says = `${fileOf(home)} is damaged. Remove it: the next start creates new passwords.`
  throw new Refusal('BAD_REQUEST', {}, says)
}

/** Creates passwords in a file (0600). If two processes start at once, the first file is used. */
export async function makeLogins(home: Home, random: Random): Promise<Logins> {
  const password = () => Buffer.from(random.bytes(PASSWORD_BYTES)).toString('base64url')
  const logins = { owner: password(), engine: password(), api: password() }
  const making = `${fileOf(home)}.${process.pid}`
  await writeFile(making, `${JSON.stringify(logins)}\n`, { mode: 0o600 })
  await link(making, fileOf(home)).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rm(making)
  return (await readLogins(home)) ?? logins
}

/** Sets the passwords of the roles. */
export async function setPasswords(session: Session, logins: Logins): Promise<void> {
  for (const user of USERS)
    await session.script(`alter role ${LOGIN_ROLES[user]} login password '${logins[user]}'`)
}

/** Whether `pg_hba.conf` is unchanged. */
export async function hasAccess(home: Home, access: string): Promise<boolean> {
  return (await readFile(accessFile(home), 'utf8').catch(() => '')) === access
}

/** Takes effect when the server starts or reloads. */
export async function writeAccess(home: Home, access: string): Promise<void> {
  await writeFile(accessFile(home), access)
}

function fileOf({ folder }: Home): string {
  return join(folder, 'logins.json')
}

function accessFile({ data }: Home): string {
  return join(data, 'pg_hba.conf')
}

/** The characters need no quoting in SQL or a URL. */
function parseLogins(text: string): Logins | null {
  try {
    const parsed: unknown = JSON.parse(text)
    const { owner, engine, api } = Object(parsed) as Partial<Record<keyof DatabaseUrls, unknown>>
    return isPassword(owner) && isPassword(engine) && isPassword(api)
      ? { owner, engine, api }
      : null
  } catch {
    return null
  }
}

function isPassword(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value)
}
