import type { Caller } from '../../orgs/caller.ts'
import { requireCaller } from '../../orgs/require-caller.ts'
import { lockSettings } from '../../orgs/settings.ts'
import type { Tx } from '../../store/database.ts'
import type { ServerDeps } from './deps.ts'

type Deps = Pick<ServerDeps, 'database' | 'serviceKey'> & { caller: Caller }

/**
 * Does a change in a transaction in which the caller's credential is still valid: the headers of a
 * request may arrive long before its body. Refuses with INVALID_API_KEY and INVALID_TOKEN (401),
 * and as the work does.
 */
export function forCaller<T>(
  { database, serviceKey, caller }: Deps,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.forOrg(caller.orgId, async (tx) => {
    await requireCaller(tx, serviceKey, caller)
    return work(tx)
  })
}

/**
 * The same for settings. Revoking a credential locks the settings, so this locks them first and
 * checks the caller after the wait.
 */
export function forConfiguring<T>(
  { database, serviceKey, caller }: Deps,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.forOrg(caller.orgId, async (tx) => {
    await lockSettings(tx, caller.orgId)
    await requireCaller(tx, serviceKey, caller)
    return work(tx)
  })
}
