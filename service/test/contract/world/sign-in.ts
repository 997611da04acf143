import { totpCode } from '@sluice/simulator'

const STEP_MS = 30_000
const TRIES_MAX = 3

/** A person, with all that they know. */
export interface Person {
  id: string
  username: string
  password: string
  totpSecret: string
  role: string
  accessToken: string
}

/** The two-factor code of now, or of so many steps of 30 s from now. */
export function codeOf({ totpSecret }: Pick<Person, 'totpSecret'>, steps = 0): string {
  return totpCode(totpSecret, Math.floor(Date.now() / STEP_MS) + steps)
}

/** A code that is invalid for this person, now and soon. */
export function wrongCodeOf(person: Pick<Person, 'totpSecret'>): string {
  const near = [-2, -1, 0, 1, 2, 3].map((steps) => codeOf(person, steps))
  const wrong = ['000000', '111111', '222222', '333333', '444444', '555555', '666666']
  return wrong.find((code) => !near.includes(code)) ?? ''
}

/**
 * Signs a person in with the code before the current one, so that the current one and the next are
 * left for approvals: each works once.
 */
export async function signIn(
  baseUrl: string,
  person: Omit<Person, 'accessToken'>,
): Promise<Person> {
  const { username, password } = person
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(`${baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password, totpCode: codeOf(person, -1) }),
    })
    const body: unknown = await answer.json()
    const token =
      typeof body === 'object' && body !== null && 'accessToken' in body ? body.accessToken : null
    if (typeof token === 'string') return { ...person, accessToken: token }
    // The step may have turned on the way: then that code is one too old.
    if (tries === TRIES_MAX) throw new Error(`${username}: ${JSON.stringify(body)}`)
  }
}
