import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { changeEndpoint } from './change-endpoint.ts'
import { selectRoutes } from './endpoint-rows.ts'
import type { Route } from './endpoint-rows.ts'
import { organizationFromRow } from './organization.ts'
import type { Organization } from './organization.ts'
import {
  lockOrganization,
  selectOrganization,
  selectOrganizations,
  touchOrganization,
} from './rows.ts'

/** An organization with its settings. Refuses with NOT_FOUND. */
export async function readOrganization(tx: Tx, orgId: string): Promise<Organization> {
  const row = isId(orgId) ? await selectOrganization(tx, orgId) : null
  return organizationFromRow(row ?? refuseUnknown(orgId))
}

/** Every organization the transaction may see, the oldest first. */
export async function listOrganizations(tx: Tx): Promise<Organization[]> {
  return (await selectOrganizations(tx)).map(organizationFromRow)
}

/** The endpoints of these organizations that new events are sent to. */
export function readRoutes(tx: Tx, orgIds: readonly string[]): Promise<Route[]> {
  return selectRoutes(tx, orgIds)
}

/**
 * Sets the URL of the default endpoint; "" removes it. The caller has validated it
 * (webhooks/target). Returns the previous URL, whose receiver is notified of the change
 * (engineering, 29). Refuses with NOT_FOUND.
 */
export async function setWebhookUrl(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac' | 'verify'>,
  params: { orgId: string; url: string; actor: string },
): Promise<{ previous: string }> {
  const { orgId, url, actor } = params
  const { webhookUrl: previous } = await lockSettings(tx, orgId)
  await changeEndpoint(tx, serviceKey, { orgId, id: orgId, change: { url } })
  await touchOrganization(tx, orgId)
  const details = { from: previous, to: url }
  await writeAudit(tx, { orgId, actor, action: 'webhook.set', object: orgId, details })
  return { previous }
}

/**
 * Keeps other changes of this organization's settings waiting until the commit. Refuses with
 * NOT_FOUND.
 */
export async function lockSettings(tx: Tx, orgId: string): Promise<Organization> {
  const row = isId(orgId) ? await lockOrganization(tx, orgId) : null
  return organizationFromRow(row ?? refuseUnknown(orgId))
}

function refuseUnknown(orgId: string): never {
  throw new Refusal('NOT_FOUND', { orgId }, 'No organization has this id.')
}
