import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { type EndpointChange, changeEndpoint } from './change-endpoint.ts'
import { type Endpoint, isDefault } from './endpoint.ts'
import { touchOrganization } from './rows.ts'

/**
 * Changes the settings of an endpoint and writes the audit log. Same conditions and refusals as
 * `changeEndpoint`.
 */
export async function editEndpoint(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac' | 'verify'>,
  params: { orgId: string; id: string; change: Omit<EndpointChange, 'secretId'>; actor: string },
): Promise<{ previous: Endpoint; isChanged: boolean }> {
  const { orgId, id, change, actor } = params
  const { previous, isChanged } = await changeEndpoint(tx, serviceKey, params)
  if (!isChanged) return { previous, isChanged }
  if (isDefault({ orgId, id })) await touchOrganization(tx, orgId)
  const { url, eventTypes, pausedAt } = previous
  const details = { from: { url, eventTypes, isPaused: pausedAt !== null }, to: change }
  await writeAudit(tx, { orgId, actor, action: 'webhook-endpoint.update', object: id, details })
  return { previous, isChanged }
}
