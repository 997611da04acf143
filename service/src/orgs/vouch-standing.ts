import type { ServiceKey } from '../keys/service-key.ts'
import type { Queries } from '../store/queries.ts'
import { macOfApiKey } from './api-key.ts'
import { vouchForHash } from './password.ts'
import { macOfThresholds } from './thresholds.ts'
import {
  selectStandingKeys,
  selectStandingOrganizations,
  selectStandingPasswords,
  updateKeyMacs,
  updateOrganizationMacs,
  updatePasswords,
} from './vouch-rows.ts'

/**
 * Vouches for the thresholds, API keys and passwords that a database had before they were vouched
 * for: once, in the transaction of the migration that began it. What they say is believed as it was
 * until then. The key is opened where there is something to vouch for.
 */
export async function vouchForStanding(
  session: Queries,
  openKey: () => Promise<Pick<ServiceKey, 'mac'>>,
): Promise<void> {
  const organizations = await selectStandingOrganizations(session)
  if (organizations.length === 0) return
  const serviceKey = await openKey()
  await updateOrganizationMacs(
    session,
    organizations.map((one) => ({ id: one.id, mac: macOfThresholds(serviceKey, one) })),
  )
  const keys = await selectStandingKeys(session)
  await updateKeyMacs(
    session,
    keys.map((one) => ({ id: one.keyId, mac: macOfApiKey(serviceKey, one) })),
  )
  const passwords = await selectStandingPasswords(session)
  await updatePasswords(
    session,
    passwords.map((one) => ({ id: one.userId, kept: vouchForHash(serviceKey, one) })),
  )
}
