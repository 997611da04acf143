import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import { organizationFromRow } from './organization.ts'
import type { Organization } from './organization.ts'
import {
  lockOrganization,
  selectOrganization,
  selectOrganizations,
  selectWebhookUrls,
  updateWebhookUrl,
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

/** The webhook URLs of those among these organizations that have set one. */
export async function readWebhookUrls(
  tx: Tx,
  orgIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await selectWebhookUrls(tx, orgIds)
  return new Map(rows.map((row) => [row.id, row.webhook_url]))
}

/**
 * Sets the webhook URL; "" removes it. The caller has validated it (webhooks/target). Returns the
 * previous URL, whose receiver is notified of the change (engineering, 29). Refuses with NOT_FOUND.
 */
export async function setWebhookUrl(
  tx: Tx,
  params: { orgId: string; url: string; actor: string },
): Promise<{ previous: string }> {
  const { orgId, url, actor } = params
  const { webhookUrl: previous } = await lockSettings(tx, orgId)
  await updateWebhookUrl(tx, { orgId, url })
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
