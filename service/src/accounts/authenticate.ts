import type { ServiceKey } from '../keys/service-key.ts'
import type { Queries } from '../store/queries.ts'
import { macOfAccount, macOfWatch } from './row-mac.ts'
import {
  selectBareAccounts,
  selectBareWatches,
  updateAccountMacs,
  updateWatchMacs,
} from './authenticate-rows.ts'

/** Rows in one statement. */
const BATCH = 5_000

/**
 * Writes MACs for the accounts and watched addresses that a database had before they were
 * authenticated: once, in the transaction of the migration that began it. Their fields are believed
 * as they are. The key is opened if there is a row to authenticate.
 */
export async function authenticateAccounts(
  session: Queries,
  openKey: () => Promise<Pick<ServiceKey, 'mac'>>,
): Promise<void> {
  let serviceKey: Pick<ServiceKey, 'mac'> | null = null
  for (;;) {
    const accounts = await selectBareAccounts(session, BATCH)
    const watches = await selectBareWatches(session, BATCH)
    if (accounts.length + watches.length === 0) return
    serviceKey ??= await openKey()
    const key = serviceKey
    await updateAccountMacs(
      session,
      accounts.map((one) => ({ ...one, mac: macOfAccount(key, one) })),
    )
    await updateWatchMacs(
      session,
      watches.map((one) => ({ ...one, mac: macOfWatch(key, one) })),
    )
  }
}
