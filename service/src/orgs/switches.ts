import type { ChainId, TokenId } from '@sluice/wire'
import type { Switches } from '../catalogue/enabled.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import { readOrganization } from './settings.ts'
import { selectSwitchedOn, selectSwitches, upsertSwitch } from './switch-rows.ts'

/**
 * The switches of an organization. If unset, a chain is on, and a token has the catalogue's
 * `enabledByDefault`.
 */
export async function readSwitches(tx: Tx, orgId: string): Promise<Switches> {
  const rows = await selectSwitches(tx, orgId)
  const set = new Map(rows.map((row) => [row.subject, row.enabled]))
  return { isOn: (subject, whenUnset = true) => set.get(subject) ?? whenUnset }
}

/**
 * Switches a chain or a token on or off for an organization. The ids must be the catalogue's own
 * spelling. Refuses with NOT_FOUND (organization).
 */
export async function setSwitch(
  tx: Tx,
  params: { orgId: string; subject: ChainId | TokenId; enabled: boolean; actor: string },
): Promise<void> {
  const { orgId, subject, enabled, actor } = params
  await readOrganization(tx, orgId)
  await upsertSwitch(tx, { orgId, subject, enabled })
  const details = { enabled }
  await writeAudit(tx, { orgId, actor, action: 'switch.set', object: subject, details })
}

/** The chains and tokens that at least one organization has explicitly switched on. */
export async function readSwitchedOn(tx: Tx): Promise<readonly string[]> {
  return (await selectSwitchedOn(tx)).map(({ subject }) => subject)
}
