import { timingSafeEqual } from 'node:crypto'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { macOfApiKey } from './api-key.ts'
import { macOfThresholds } from './thresholds.ts'
import { macOfUser } from './user.ts'
import {
  selectAuthenticatedKeys,
  selectAuthenticatedOrganizations,
  selectAuthenticatedUsers,
} from './authenticated-rows.ts'

/** The result of the check: rows match this key, no row does, or there is no organization yet. */
export type KeyProof = 'proved' | 'other' | 'nothing'

/** The rows to check per table; an attacker who forges that many could delete them as well. */
const ROWS_MAX = 100

/**
 * Checks whether the database was written with this service key. One matching row is enough. A row
 * that does not match proves the opposite only if no row matches: a single row may have been
 * tampered with, which must not stop the service. `tx` must see all organizations.
 */
export async function proveServiceKey(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
): Promise<KeyProof> {
  const organizations = await selectAuthenticatedOrganizations(tx, ROWS_MAX)
  if (organizations.some((one) => isSame(macOfThresholds(serviceKey, one), one.mac)))
    return 'proved'
  const keys = await selectAuthenticatedKeys(tx, ROWS_MAX)
  if (keys.some((one) => isSame(macOfApiKey(serviceKey, one), one.mac))) return 'proved'
  const users = await selectAuthenticatedUsers(tx, ROWS_MAX)
  if (users.some((one) => isSame(macOfUser(serviceKey, one), one.mac))) return 'proved'
  return organizations.length + keys.length + users.length === 0 ? 'nothing' : 'other'
}

/** In constant time, as wherever a MAC is compared. */
function isSame(right: Uint8Array, stored: Uint8Array): boolean {
  return right.length === stored.length && timingSafeEqual(right, stored)
}
