import { setTimeout as wait } from 'node:timers/promises'
import type { SandboxState } from './state.ts'

const OFFERED_LIMIT_MS = 60_000
const LOOK_MS = 200

/** Rejects when something that a chain needs has taken too long. */
export async function late(what: string): Promise<never> {
  await wait(OFFERED_LIMIT_MS, undefined, { ref: false })
  throw new Error(`${what} after ${OFFERED_LIMIT_MS / 1000} seconds`)
}

/**
 * Waits until the organization is offered every token of the sandbox: the service offers one once
 * its contract has been checked. Tokens of a chain that an operator has to resume are not waited
 * for. Throws with the others after a while.
 */
export async function untilTokensOffered(state: SandboxState): Promise<void> {
  const until = Date.now() + OFFERED_LIMIT_MS
  for (;;) {
    const missing = await missingTokens(state)
    if (missing.length === 0) return
    if (Date.now() > until) throw new Error(missing.join(', '))
    await wait(LOOK_MS)
  }
}

async function missingTokens(state: SandboxState): Promise<string[]> {
  const { baseUrl, apiKey, tokens } = state
  const headers = { 'x-api-key': apiKey }
  const answer = await fetch(`${baseUrl}/tokens?enabledOnly=true`, { headers })
  // The key was rotated: requests are impossible.
  if (answer.status === 401) return []
  const offered = await answer.text()
  const stopped = await stoppedChains(state)
  return tokens
    .filter(({ chainId }) => !stopped.includes(chainId))
    .filter(({ id }) => !offered.includes(`"${id}"`))
    .map(({ id }) => id)
}

async function stoppedChains({ baseUrl }: SandboxState): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/readyz`)
  const { checks } = Object(await answer.json())
  return Object.entries(Object(checks)).flatMap(([id, check]) => (check === 'stopped' ? [id] : []))
}
