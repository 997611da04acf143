import { Secret } from '../../src/base/secret.ts'
import { totpCode as codeOfStep, totpStepAt } from '../../src/orgs/totp.ts'
import type { Answered, Asking, Door } from './door.ts'
import type { Desk, Signer } from './withdrawal-desk.ts'

const STEP_MS = 30_000

/** A person who is known by answers of the interface alone. */
export interface Newcomer {
  id: string
  username: string
  token: string
  password: string
  secret: string
  recoveryCodes: string[]
  /** The step of the last code that was sent. */
  lastStep: number
}

/** Sends a request with a JSON body and an access token, or without one. */
export function send(
  door: Pick<Door, 'ask'>,
  path: string,
  { method = 'POST', as, body }: { method?: Asking['method']; as?: string; body?: unknown } = {},
): Promise<Answered> {
  const headers = {
    ...(as !== undefined && { authorization: `Bearer ${as}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  return door.ask(path, { key: null, method, headers, ...text })
}

/** A code of the person that was not sent before; time goes on by a step if needed. */
export async function freshCode(door: Door, person: Newcomer): Promise<string> {
  const { clock } = door.harness
  let step = Math.max(person.lastStep + 1, totpStepAt(clock.now()))
  if (step > totpStepAt(clock.now()) + 1) {
    await clock.advance(STEP_MS)
    step = Math.max(person.lastStep + 1, totpStepAt(clock.now()))
  }
  person.lastStep = step
  return codeOfStep(new Secret(person.secret), step)
}

/** Accepts an invitation over HTTP. Returns the person and the access token. */
export async function accept(
  door: Door,
  { id, token }: { id: string; token: string },
): Promise<{ person: Newcomer; accessToken: string }> {
  const shown = await send(door, '/auth/invitation', { body: { token } })
  const { username, totpSecret: secret } = shown.json as { username: string; totpSecret: string }
  const password = `the password of ${username}`
  const person = { id, username, token, password, secret, recoveryCodes: [], lastStep: 0 }
  const code = await freshCode(door, person)
  const body = { token, password, totpCode: code }
  const accepted = await send(door, '/auth/invitation/accept', { body })
  if (accepted.status !== 200) throw new Error(accepted.text)
  const { recoveryCodes, accessToken } = accepted.json as {
    recoveryCodes: string[]
    accessToken: string
  }
  return { person: { ...person, recoveryCodes }, accessToken }
}

/** Signs a person in, with a fresh code unless another is given. */
export async function logIn(
  door: Door,
  person: Newcomer,
  given: { password?: string; totpCode?: string } = {},
): Promise<Answered> {
  const { username, password } = person
  const totpCode = given.totpCode ?? (await freshCode(door, person))
  return send(door, '/auth/login', { body: { username, password, ...given, totpCode } })
}

/** Asks with the session of an admin, who sends a fresh code. */
export async function askAsAdmin(
  { door }: Desk,
  admin: Signer,
  asked: { path: string; method: 'POST' | 'PATCH' | 'DELETE'; body?: object },
): Promise<Answered> {
  const { path, method, body = {} } = asked
  const totpCode = await admin.code()
  const { authorization } = admin
  return door.ask(path, {
    key: null,
    method,
    headers: { authorization, 'content-type': 'application/json', 'x-totp-code': totpCode },
    ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
  })
}

let names = 0

/** Invites a person, under a new name unless another is given. */
export async function inviteBy(
  desk: Desk,
  admin: Signer,
  role: string,
  username?: string,
): Promise<{ id: string; token: string }> {
  names += 1
  const body = { username: username ?? `guest-${names}`, role }
  const answer = await askAsAdmin(desk, admin, { path: '/users', method: 'POST', body })
  if (answer.status !== 201) throw new Error(answer.text)
  return invitedIn(answer.json)
}

/** The person and the token in the answer to an invitation or a reset. */
export function invitedIn(json: Record<string, unknown>): { id: string; token: string } {
  const { user, invitation } = json as { user: { id: string }; invitation: { token: string } }
  return { id: user.id, token: invitation.token }
}

/** The access token in the answer to a sign-in. */
export function tokenIn({ status, text, json }: Answered): string {
  if (status !== 200) throw new Error(text)
  return String(json['accessToken'])
}
