import type { Random } from '../base/random.ts'
import { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { draw } from '../keys/draw.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { changeEndpoint, readEndpoint } from './change-endpoint.ts'
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

/** The secrets of an endpoint that are valid now, the current one first. */
export async function readSigningSecrets(
  tx: Tx,
  serviceKey: ServiceKey,
  orgId: string,
  endpointId = orgId,
): Promise<SigningSecret[]> {
  const rows = await selectValidSecrets(tx, { orgId, endpointId })
  return rows.map((row) => ({
    id: row.id,
    secret: new Secret(
      serviceKey.open('signing-secret', contextOf(endpointId, row.id), row.sealed),
    ),
    current: row.valid_until === null,
  }))
}

/**
 * Replaces the current secret of an endpoint, by default of the default one; the previous secret
 * stays valid for 24 hours. Refuses with NOT_FOUND, and as `changeEndpoint` does.
 */
export async function rotateSigningSecret(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; endpointId?: string; actor: string; random: Random },
): Promise<Secret> {
  const { orgId, endpointId = orgId, actor, random } = params
  await lockSettings(tx, orgId)
  await readEndpoint(tx, { orgId, id: endpointId })
  await retireSecret(tx, { orgId, endpointId, validUntil: tx.clock.now() + OVERLAP_MS })
  const { id, secret } = await addSigningSecret(tx, serviceKey, { orgId, endpointId, random })
  await changeEndpoint(tx, serviceKey, { orgId, id: endpointId, change: { secretId: id } })
  if (endpointId === orgId) await touchOrganization(tx, orgId)
  const details = endpointId === orgId ? {} : { endpointId }
  await writeAudit(tx, { orgId, actor, action: 'signing-secret.rotate', object: id, details })
  return secret
}

/** Stores a new secret of an endpoint that has no current one. */
export async function addSigningSecret(
  tx: Tx,
  serviceKey: ServiceKey,
  { orgId, endpointId, random }: { orgId: string; endpointId: string; random: Random },
): Promise<{ id: string; secret: Secret }> {
  const id = tx.ids.next()
  const text = SECRET_PREFIX + Buffer.from(draw(random, SECRET_BYTES)).toString('base64')
  const sealed = serviceKey.seal('signing-secret', contextOf(endpointId, id), text)
  await insertSecret(tx, { orgId, endpointId, id, sealed })
  return { id, secret: new Secret(text) }
}

/** Binds a sealed secret to its endpoint. */
function contextOf(endpointId: string, id: string): string {
  return `${endpointId}/${id}`
}
