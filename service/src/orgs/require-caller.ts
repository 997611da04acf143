import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { holdOwner } from './api-key.ts'
import { BadSession, type Caller, requireUse } from './caller.ts'
import { keepsSession } from './sessions.ts'

/**
 * Checks inside the caller's transaction that the credential is still valid: the first check ran
 * before the body was read and before the transaction waited for locks. A revocation waits until
 * the commit. This lock comes after the lock of the organization's settings, which revocations
 * hold, and before every other lock. Refuses with INVALID_API_KEY and INVALID_TOKEN (401), and with
 * FORBIDDEN if the limits of the key changed.
 */
export async function requireCaller(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  caller: Caller,
): Promise<void> {
  if (caller.credential === 'apiKey') {
    const owner = await holdOwner(tx, serviceKey, caller)
    if (owner === null) throw new Refusal('INVALID_API_KEY')
    requireUse(owner.limits, caller.use)
  } else if (!(await keepsSession(tx, serviceKey, caller))) throw new BadSession()
}

/** Each credential is looked at once, however many requests came with it. */
export async function requireCallers(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  asked: readonly { caller?: Caller }[],
): Promise<void> {
  const callers = asked.flatMap(({ caller }) => caller ?? [])
  const each = new Map(callers.map((caller) => [caller.credentialId, caller]))
  await Promise.all([...each.values()].map((caller) => requireCaller(tx, serviceKey, caller)))
}
