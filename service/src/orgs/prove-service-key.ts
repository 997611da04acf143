import { timingSafeEqual } from 'node:crypto'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { macOfApiKey } from './api-key.ts'
import { macOfThresholds } from './thresholds.ts'
import { macOfUser } from './user.ts'
import { selectVouchedKeys, selectVouchedOrganizations, selectVouchedUsers } from './vouch-rows.ts'

/**
 * What a database says of a service key: rows of it hold with this key, none does, or there is no
 * organization yet that could tell.
 */
export type KeyProof = 'proved' | 'other' | 'nothing'

/** Of each table; whoever forges so many rows of all three could as well delete them. */
const ROWS_MAX = 100

/**
 * Asks the database whether it was written with this service key. One row that holds is proof
 * enough, and one that does not is none: it may have been changed by somebody who has no key, and
 * that must not stop the service. `tx` needs to see all organizations.
 */
export async function proveServiceKey(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
): Promise<KeyProof> {
  const organizations = await selectVouchedOrganizations(tx, ROWS_MAX)
  if (organizations.some((one) => isSame(macOfThresholds(serviceKey, one), one.mac)))
    return 'proved'
  const keys = await selectVouchedKeys(tx, ROWS_MAX)
  if (keys.some((one) => isSame(macOfApiKey(serviceKey, one), one.mac))) return 'proved'
  const users = await selectVouchedUsers(tx, ROWS_MAX)
  if (users.some((one) => isSame(macOfUser(serviceKey, one), one.mac))) return 'proved'
  return organizations.length + keys.length + users.length === 0 ? 'nothing' : 'other'
}

/** In constant time, as wherever a MAC is compared. */
function isSame(right: Uint8Array, stored: Uint8Array): boolean {
  return right.length === stored.length && timingSafeEqual(right, stored)
}
