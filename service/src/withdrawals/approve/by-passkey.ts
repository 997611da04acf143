import type { PasskeyAssertion, PasskeyRequest } from '@sluice/wire'
import type { ServiceKey } from '../../keys/service-key.ts'
import { describePasskey, PROMPT_MS_MAX } from '../../orgs/add-passkey.ts'
import { passkeyRefusal, type PasskeySite, toBase64url } from '../../orgs/passkey.ts'
import { selectPasskeys } from '../../orgs/passkey-rows.ts'
import { usePasskey } from '../../orgs/use-passkey.ts'
import type { Tx } from '../../store/database.ts'
import { selectUsedPasskeys } from '../approval-rows.ts'
import { readAuthentic } from '../list.ts'
import { canonicalHash } from '../signing-fields.ts'
import { type Prove, refuseOver } from './approve.ts'

interface Approver {
  orgId: string
  userId: string
  site: PasskeySite
}

/**
 * The options with which a browser approves a withdrawal by a passkey of the approver. Passkeys
 * that approved it before are left out. Refuses with WITHDRAWAL_NOT_FOUND, WITHDRAWAL_NOT_PENDING,
 * WITHDRAWAL_ALREADY_PROCESSED, INVALID_PASSKEY (no passkey is left), and as Tampered.
 */
export async function offerApproval(
  tx: Tx,
  serviceKey: ServiceKey,
  { orgId, userId, site, id }: Approver & { id: string },
): Promise<PasskeyRequest> {
  const withdrawal = await readAuthentic(tx, serviceKey, { orgId, id })
  if (withdrawal.status !== 'PendingApproval') refuseOver(withdrawal)
  const passkeys = await selectPasskeys(tx, { orgId, userId })
  const used = await selectUsedPasskeys(tx, withdrawal)
  const left = passkeys.filter((passkey) => !used.includes(passkey.id))
  if (left.length === 0) throw passkeyRefusal(passkeys.length === 0 ? 'none' : 'used')
  return {
    challenge: toBase64url(canonicalHash(withdrawal)),
    rpId: site.rpId,
    timeout: PROMPT_MS_MAX,
    userVerification: 'required',
    allowCredentials: left.map(describePasskey),
  }
}

/**
 * Proves an approval with the assertion of a passkey over the canonical hash of the withdrawal. The
 * hash is always the same, so a passkey approves a withdrawal once: an assertion that was recorded
 * is never accepted again, whether its authenticator counts or not.
 */
export function proveByPasskey(
  serviceKey: ServiceKey,
  { orgId, userId, site, assertion }: Approver & { assertion: PasskeyAssertion },
): Prove {
  return async (tx, withdrawal) => {
    const challenge = canonicalHash(withdrawal)
    const use = { orgId, userId, site, challenge, assertion }
    const passkeyId = await usePasskey(tx, serviceKey, use)
    const used = await selectUsedPasskeys(tx, withdrawal)
    if (used.includes(passkeyId)) throw passkeyRefusal('used')
    return { totpStep: 0, passkeyId }
  }
}
