import { withSession } from './connection.ts'
import type { DatabaseUrls } from './database.ts'
import { type LoginRow, selectLogin } from './login-rows.ts'

/** A flaw of the logins of an installation. */
export type LoginFlaw =
  | { flaw: 'superuser' | 'bypassrls' | 'owner-at-run-time'; login: string }
  | { flaw: 'same-login'; login: string }
  | { flaw: 'no-password'; login: string }

/**
 * Inspects the logins of an installation. Loops and requests should have separate logins with
 * passwords, without the rights of a superuser or of the owner. `urls.owner` may be "".
 */
export async function inspectLogins(urls: DatabaseUrls): Promise<LoginFlaw[]> {
  const engine = await withSession(urls.engine, selectLogin)
  const api = await withSession(urls.api, selectLogin)
  const owner = urls.owner === '' ? null : await withSession(urls.owner, selectLogin)
  const flaws: LoginFlaw[] = []
  const all = new Map([engine, api, ...(owner ? [owner] : [])].map((one) => [one.name, one]))
  for (const row of all.values()) flaws.push(...mightOf(row))
  for (const row of new Map([engine, api].map((one) => [one.name, one])).values())
    if (row.owner && !row.superuser) flaws.push({ flaw: 'owner-at-run-time', login: row.name })
  if (engine.name === api.name) flaws.push({ flaw: 'same-login', login: engine.name })
  const urlOf = new Map([
    [engine.name, urls.engine],
    [api.name, urls.api],
    ...(owner ? ([[owner.name, urls.owner]] as const) : []),
  ])
  for (const [login, url] of urlOf)
    if (await admitsAny(url)) flaws.push({ flaw: 'no-password', login })
  return flaws
}

function mightOf({ name: login, superuser, bypassrls }: LoginRow): LoginFlaw[] {
  if (superuser) return [{ flaw: 'superuser', login }]
  return bypassrls ? [{ flaw: 'bypassrls', login }] : []
}

/** Whether the server accepts a wrong password: `trust`, or `peer` on a socket. */
async function admitsAny(url: string): Promise<boolean> {
  const wrong = new URL(url)
  if (wrong.searchParams.has('password')) wrong.searchParams.set('password', 'wrong')
  else wrong.password = 'wrong'
  try {
    await withSession(wrong.href, async () => undefined)
    return true
  } catch {
    return false
  }
}
