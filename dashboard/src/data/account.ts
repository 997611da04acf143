import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, openClient } from './client.ts'
import type { Session } from './session.ts'

const SECOND_MS = 1_000

/** Signs a person in with a one-time code or a recovery code. */
export async function signIn(credentials: {
  username: string
  password: string
  totpCode: string
}): Promise<Session> {
  const now = Date.now()
  const {
    mustEnrolTotp = false,
    recoveryCodesLeft,
    ...token
  } = await openClient.auth.login(credentials)
  return {
    ...sessionOf(token, { username: credentials.username, now }),
    mustEnrolTotp,
    ...(recoveryCodesLeft !== undefined && { recoveryCodesLeft }),
  }
}

/** Accepts an invitation; the session is opened after the recovery codes were saved. */
export async function acceptInvitation(
  username: string,
  acceptance: { token: string; password: string; totpCode: string },
): Promise<{ session: Session; recoveryCodes: readonly string[] }> {
  const now = Date.now()
  const { recoveryCodes, ...token } = await openClient.auth.acceptInvitation(acceptance)
  return { session: sessionOf(token, { username, now }), recoveryCodes }
}

function sessionOf(
  { accessToken, expiresIn }: { accessToken: string; expiresIn: number },
  { username, now }: { username: string; now: number },
): Session {
  return { accessToken, expiresAt: now + expiresIn * SECOND_MS, username, mustEnrolTotp: false }
}

/** Ends the other sessions of the person one after the other; returns how many. */
export async function endOtherSessions(): Promise<number> {
  let ended = 0
  for await (const { id, current } of client.auth.allSessions()) {
    if (current) continue
    await client.auth.endSession(id)
    ended += 1
  }
  return ended
}

/** A page of the open sessions of the person. */
export function useSessions(cursor: string | undefined) {
  return useQuery({
    queryKey: ['sessions', cursor],
    queryFn: ({ signal }) =>
      client.auth.sessions({ limit: 25, ...(cursor !== undefined && { cursor }) }, { signal }),
    placeholderData: keepPreviousData,
  })
}
