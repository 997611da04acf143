import type { Random } from '../base/random.ts'
import { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { draw } from '../keys/draw.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { touchOrganization } from './rows.ts'
import { insertSecret, retireSecret, selectValidSecrets } from './secret-rows.ts'
import { lockSettings } from './settings.ts'

const SECRET_BYTES = 32
/** Standard Webhooks: the prefix names the kind, the rest is base64 of the key. */
const SECRET_PREFIX = 'whsec_'
/** How long a replaced secret still signs beside the new one, so that receivers can switch. */
const OVERLAP_MS = 86_400_000

/** A secret that signs deliveries. */
export interface SigningSecret {
  id: string
  /** `whsec_` and base64 of 32 bytes (engineering, 26). */
  secret: Secret
  /** Signs `x-webhook-signature`; the other secrets sign only `webhook-signature`. */
  current: boolean
}

/** The organization's secrets that are valid now, the current one first. */
export async function readSigningSecrets(
  tx: Tx,
  serviceKey: ServiceKey,
  orgId: string,
): Promise<SigningSecret[]> {
  const rows = await selectValidSecrets(tx, orgId)
  return rows.map((row) => ({
    id: row.id,
    secret: new Secret(serviceKey.open('signing-secret', row.id, row.sealed)),
    current: row.valid_until === null,
  }))
}

/**
 * Replaces the current secret; the previous one stays valid for 24 hours. Refuses with NOT_FOUND
 * (organization).
 */
export async function rotateSigningSecret(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; actor: string; random: Random },
): Promise<Secret> {
  const { orgId, actor, random } = params
  await lockSettings(tx, orgId)
  await retireSecret(tx, { orgId, validUntil: tx.clock.now() + OVERLAP_MS })
  const { id, secret } = await addSigningSecret(tx, serviceKey, { orgId, random })
  await touchOrganization(tx, orgId)
  await writeAudit(tx, { orgId, actor, action: 'signing-secret.rotate', object: id })
  return secret
}

/** Stores a new secret of an organization that has no current one. */
export async function addSigningSecret(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; random: Random },
): Promise<{ id: string; secret: Secret }> {
  const id = tx.ids.next()
  const text = SECRET_PREFIX + Buffer.from(draw(params.random, SECRET_BYTES)).toString('base64')
  const sealed = serviceKey.seal('signing-secret', id, text)
  await insertSecret(tx, { orgId: params.orgId, id, sealed })
  return { id, secret: new Secret(text) }
}
