import { Refusal } from '../../base/fault.ts'
import type { Caller } from '../../orgs/caller.ts'
import { guardGuesses } from '../../orgs/guess.ts'
import { checkTotp, useUpTotp } from '../../orgs/totp.ts'
import type { Tx } from '../../store/database.ts'
import { checkTarget } from '../../webhooks/target.ts'
import { forConfiguring } from './for-caller.ts'
import type { ServerDeps } from './deps.ts'

type Deps = Pick<ServerDeps, 'database' | 'serviceKey' | 'clock'> & {
  caller: Caller
  peer: string
  /** The one-time code of the request; null without one. */
  totpCode: string | null
}

/** The result of a step; the code is used up only if the step changed something. */
export interface Configured<T> {
  result: T
  isChanged: boolean
}

const MISSING =
  'A one-time code is required: send `totpCode` in the body or the header x-totp-code.'

const MALFORMED = '`totpCode` must be six digits.'

/**
 * Requires a one-time code from a person, and six digits in every code; the value is checked later.
 * Refuses with INVALID_TOTP; `details.reason` is CODE_REQUIRED if it is missing.
 */
export function requireCode({ caller, totpCode }: Pick<Deps, 'caller' | 'totpCode'>): void {
  if (totpCode !== null && !/^[0-9]{6}$/.test(totpCode))
    throw new Refusal('INVALID_TOTP', { field: 'totpCode' }, MALFORMED)
  if (caller.credential === 'apiKey' || totpCode !== null) return
  throw new Refusal('INVALID_TOTP', { reason: 'CODE_REQUIRED', field: 'totpCode' }, MISSING)
}

/**
 * Checks a webhook URL before it is stored. A session without a code must not trigger a name
 * lookup. Refuses with INVALID_WEBHOOK_URL, and as `requireCode` does.
 */
export async function checkUrl(
  call: Pick<Deps, 'caller' | 'totpCode'> & Pick<ServerDeps, 'settings' | 'resolve'>,
  url: string,
): Promise<void> {
  requireCode(call)
  const { settings, resolve, caller } = call
  await checkTarget(url, settings.webhookTargets, (host) => resolve(host, caller.orgId))
}

/**
 * Changes settings in a `forConfiguring` step. Checks a person's one-time code first, in the same
 * transaction, and uses it up if the step changed something, so a stolen session cannot configure
 * (decisions, 13). An API key needs no code. Refuses with INVALID_TOTP and RATE_LIMIT_EXCEEDED, and
 * as `forConfiguring` and the work do.
 */
export async function configure<T>(
  deps: Deps,
  work: (tx: Tx) => Promise<Configured<T>>,
): Promise<T> {
  requireCode(deps)
  const { database, serviceKey, clock, caller, peer, totpCode } = deps
  if (caller.credential === 'apiKey')
    return forConfiguring(deps, async (tx) => (await work(tx)).result)
  const { orgId, userId } = caller
  return guardGuesses(database, serviceKey, { userId, peer }, () =>
    forConfiguring(deps, async (tx) => {
      const code = { orgId, userId, code: totpCode ?? '', clock }
      const step = await checkTotp(tx, serviceKey, code)
      const { result, isChanged } = await work(tx)
      if (isChanged) await useUpTotp(tx, { orgId, userId, step })
      return result
    }),
  )
}
