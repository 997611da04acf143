import type { ChainId, TokenId } from '@sluice/wire'
import type { Switches } from '../catalogue/enabled.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import { lockSettings, readOrganization } from './settings.ts'
import { selectSwitchedOn, selectSwitches, upsertEnabled, upsertPaused } from './switch-rows.ts'

/** A decision about a chain or a token; the ids must be the catalogue's own spelling. */
interface Decision {
  orgId: string
  subject: ChainId | TokenId
  enabled: boolean
  actor: string
}

/** The switches of an organization, and whose they are. */
interface OwnSwitches extends Switches {
  byOperator: (subject: string, whenUnset?: boolean) => boolean
  byOrganization: (subject: string) => boolean
}

/**
 * The switches of an organization. If the operator has not decided, a chain is on, and a token has
 * the catalogue's `enabledByDefault`. The organization's own switch is on until it is set.
 */
export async function readSwitches(tx: Tx, orgId: string): Promise<OwnSwitches> {
  const rows = await selectSwitches(tx, orgId)
  const bySubject = new Map(rows.map((row) => [row.subject, row]))
  const byOperator = (subject: string, whenUnset = true) =>
    bySubject.get(subject)?.enabled ?? whenUnset
  const byOrganization = (subject: string) => bySubject.get(subject)?.paused !== true
  return {
    byOperator,
    byOrganization,
    isOn: (subject, whenUnset) => byOperator(subject, whenUnset) && byOrganization(subject),
  }
}

/**
 * Sets the operator's switch of a chain or a token for an organization, whose own switch stays.
 * Refuses with NOT_FOUND (organization).
 */
export async function setSwitch(tx: Tx, decision: Decision): Promise<void> {
  await readOrganization(tx, decision.orgId)
  await upsertEnabled(tx, decision)
  await writeDecision(tx, decision)
}

/**
 * Sets the organization's own switch of a chain or a token. The operator's stays, so this cannot
 * switch on what the operator has switched off. Returns whether the switch changed. Refuses with
 * NOT_FOUND (organization).
 */
export async function setOwnSwitch(tx: Tx, decision: Decision): Promise<{ isChanged: boolean }> {
  const { orgId, subject, enabled } = decision
  await lockSettings(tx, orgId)
  const { byOrganization } = await readSwitches(tx, orgId)
  if (byOrganization(subject) === enabled) return { isChanged: false }
  await upsertPaused(tx, { orgId, subject, paused: !enabled })
  await writeDecision(tx, decision)
  return { isChanged: true }
}

/** The actor of the entry tells whose switch it is. */
async function writeDecision(tx: Tx, { orgId, subject, enabled, actor }: Decision): Promise<void> {
  const details = { enabled }
  await writeAudit(tx, { orgId, actor, action: 'switch.set', object: subject, details })
}

/** The chains and tokens that the operator has switched on for at least one organization. */
export async function readSwitchedOn(tx: Tx): Promise<readonly string[]> {
  return (await selectSwitchedOn(tx)).map(({ subject }) => subject)
}
