import { type Client, createClient, isSluiceError } from '@sluice/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { accessToken, expireSession } from './session.ts'

/** The address of the service; the files of the dashboard are two folders below it. */
const BASE_URL = new URL(/* @vite-ignore */ '../..', import.meta.url).href.replace(/\/$/, '')
/** An answer is used again without a request for this time. */
const FRESH_MS = 10_000

/** Sends requests with the token of the session. */
export const client: Client = createClient({ baseUrl: BASE_URL, accessToken })

/** Sends requests without a session: signing in and invitations. */
export const openClient: Client = createClient({ baseUrl: BASE_URL })

/** The cache of all answers. The client repeats requests after outages; the cache does not. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noteRefusedToken }),
  mutationCache: new MutationCache({ onError: noteRefusedToken }),
  defaultOptions: {
    queries: { retry: false, staleTime: FRESH_MS, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})

/** INVALID_TOKEN also means an unknown token of a chain, and then it is no 401. */
function noteRefusedToken(error: unknown): void {
  if (!isSluiceError(error, 'INVALID_TOKEN') || error.status !== 401) return
  expireSession(accessToken())
}

/** The address of a page of the documentation that the service serves. */
export function docsUrl(page: string): string {
  return `${BASE_URL}/docs/${page}`
}

/** The answer of `GET /dashboard/settings.json`. */
export interface Installation {
  /** Gives the one-time codes of test persons; empty outside of a sandbox. */
  testCodesUrl: string
}

/** Reads the settings of this installation. */
export async function readInstallation(): Promise<Installation> {
  const answer = await fetch(`${BASE_URL}/dashboard/settings.json`)
  const settings: unknown = await answer.json()
  const { testCodesUrl } = { ...(settings as Partial<Installation>) }
  return { testCodesUrl: testCodesUrl ?? '' }
}

/** The next one-time code of a test person. Throws an Error for other people. */
export async function readTestCode(testCodesUrl: string, username: string): Promise<string> {
  const answer = await fetch(`${testCodesUrl}?username=${encodeURIComponent(username)}`)
  const body = (await answer.json()) as { totpCode?: string; message?: string }
  if (body.totpCode === undefined) throw new Error(body.message ?? answer.statusText)
  return body.totpCode
}
