import type { PasskeyAssertion } from '@sluice/wire'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { isAuthenticPasskey, macOfPasskey, passkeyRefusal, type PasskeySite } from './passkey.ts'
import { lockPasskey, updatePasskeyUse } from './passkey-rows.ts'
import { verifyAssertion } from './webauthn.ts'

/**
 * Verifies that a passkey of a person signed a challenge of 32 bytes, and stores its counter.
 * Returns the id of the passkey. The caller counts the refusals: see `guardGuesses`. Refuses with
 * INVALID_PASSKEY, also for a passkey of another person and one that was changed in the database.
 */
export async function usePasskey(
  tx: Tx,
  serviceKey: ServiceKey,
  use: {
    orgId: string
    userId: string
    site: PasskeySite
    challenge: Uint8Array
    assertion: PasskeyAssertion
  },
): Promise<string> {
  const { orgId, userId, assertion } = use
  const credentialId = new Uint8Array(Buffer.from(assertion.id, 'base64url'))
  const row = await lockPasskey(tx, { orgId, userId, credentialId })
  if (row === null || !isAuthenticPasskey(serviceKey, row)) throw passkeyRefusal('unknown')
  const counter = await verifyAssertion(assertion, use, row)
  const mac = macOfPasskey(serviceKey, { ...row, counter })
  await updatePasskeyUse(tx, { orgId, userId, id: row.id, counter, mac })
  return row.id
}
