import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '@sluice/wire'
import { Refusal } from '../../base/fault.ts'
import {
  BadSession,
  type Caller,
  type KeyUse,
  isRecovering,
  mayDo,
  requireUse,
} from '../../orgs/caller.ts'
import { raiseForgedKey } from '../../orgs/api-key.ts'
import { findCallerTogether } from '../../orgs/find-together.ts'
import { badRequest } from './faults.ts'
import type { ServerDeps } from './deps.ts'

const RECOVERING =
  'You signed in with a recovery code. Enrol a new TOTP secret with POST /auth/totp, then sign in.'

/**
 * Authenticates and authorizes the caller (section 5, decisions, 5). Callers are not cached: a
 * rotated key is refused from that commit on, and a step that changes something checks the caller
 * again in its own commit (`requireCaller`). `count` receives the caller, null for an invalid
 * credential, and may refuse. An API key also needs the scope of the operation and an address that
 * it may be used from. Refuses with BAD_REQUEST (two credentials), UNAUTHORIZED, INVALID_API_KEY,
 * INVALID_TOKEN (401) and FORBIDDEN.
 */
export async function admit(
  deps: ServerDeps,
  operation: Operation,
  { headers, address }: { headers: IncomingHttpHeaders; address: KeyUse['address'] },
  count: (caller: Caller | null) => void,
): Promise<Caller> {
  const caller = await readCaller(deps, headers, {
    permission: operation.permission,
    address,
  }).catch((error: unknown) => {
    if (error instanceof Refusal || error instanceof BadSession) count(null)
    throw error
  })
  count(caller)
  const { credential, permission } = operation
  if (isRecovering(caller) && permission !== 'none')
    throw new Refusal('FORBIDDEN', { required: permission, reason: 'recovery_session' }, RECOVERING)
  if (!mayDo(caller, permission, deps.settings))
    throw new Refusal('FORBIDDEN', { required: permission })
  if (credential !== 'either' && credential !== caller.credential)
    throw new Refusal('FORBIDDEN', { required: credential })
  if (caller.credential === 'apiKey') requireUse(caller.limits, caller.use)
  return caller
}

async function readCaller(
  deps: ServerDeps,
  headers: IncomingHttpHeaders,
  use: KeyUse,
): Promise<Caller> {
  const key = keyIn(headers)
  const token = tokenIn(headers)
  if (key !== null && token !== null)
    throw badRequest('authorization', 'Send the header x-api-key or a bearer token, not both.')
  if (token !== null) return callerOfToken(deps, token)
  if (key === null) throw new Refusal('UNAUTHORIZED')
  return callerOfKey(deps, key, use)
}

async function callerOfKey(deps: ServerDeps, key: string, use: KeyUse): Promise<Caller> {
  const { database, keyUses } = deps
  const found = await findCallerTogether(deps, key)
  if (typeof found === 'string') throw new Refusal('INVALID_API_KEY')
  if ('forged' in found) {
    await raiseForgedKey(database, found)
    throw new Refusal('INVALID_API_KEY')
  }
  keyUses?.note({ orgId: found.orgId, keyId: found.credentialId })
  return { ...found, use }
}

async function callerOfToken({ sessions }: ServerDeps, token: string): Promise<Caller> {
  const caller = await sessions.read(token)
  if (caller === null) throw new BadSession()
  return caller
}

function keyIn(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-api-key']
  return typeof key === 'string' && key !== '' ? key : null
}

/** RFC 6750, the scheme in any case. Other schemes are ignored. */
function tokenIn({ authorization }: IncomingHttpHeaders): string | null {
  return /^bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? null
}
