import type { Caller } from '../../orgs/caller.ts'
import { requireCaller } from '../../orgs/require-caller.ts'
import { lockSettings } from '../../orgs/settings.ts'
import type { Tx } from '../../store/database.ts'
import type { ServerDeps } from './means.ts'

type Means = Pick<ServerDeps, 'database' | 'serviceKey'> & { caller: Caller }

/**
 * A step that changes something on a caller's word, where the credential still stands: the headers
 * of a request may be there long before its body. Refuses with INVALID_API_KEY and INVALID_TOKEN
 * (401), and as the work does.
 */
export function forCaller<T>(
  { database, serviceKey, caller }: Means,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.forOrg(caller.orgId, async (tx) => {
    await requireCaller(tx, serviceKey, caller)
    return work(tx)
  })
}

/**
 * The same for settings: whoever takes a credential away holds them meanwhile, so they are locked
 * first, and who asks is looked at after the wait.
 */
export function forConfiguring<T>(
  { database, serviceKey, caller }: Means,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.forOrg(caller.orgId, async (tx) => {
    await lockSettings(tx, caller.orgId)
    await requireCaller(tx, serviceKey, caller)
    return work(tx)
  })
}
