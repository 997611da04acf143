import type { ChainId, TokenId } from '@sluice/wire'
import { type Decisions, type Offers, readOffers } from '../api/views/offers.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readOrganization } from '../orgs/settings.ts'
import { readSwitches, setSwitch } from '../orgs/switches.ts'
import type { Tx } from '../store/database.ts'
import { actor } from './context.ts'

/**
 * Reads which chains and tokens an organization can use (engineering, 17); undefined without an
 * organization. Refuses with NOT_FOUND (organization).
 */
export async function readOffersTo(
  tx: Tx,
  { catalogue, org }: { catalogue: Catalogue; org: string | undefined },
): Promise<Offers | undefined> {
  if (org === undefined) return undefined
  await readOrganization(tx, org)
  return readOffers(tx, { catalogue, orgId: org })
}

/** The headings of the last columns, if an organization was given. */
export function offeredHeadings(org: string | undefined): string[] {
  return org === undefined ? [] : ['offered', 'operator', 'organization']
}

/** The last cells of a row, if an organization was given: the result, and who has it enabled. */
export function offeredCells(row: Partial<Decisions> & { offered?: boolean }): string[] {
  const { offered, enabledByOperator, enabledByOrganization } = row
  if (offered === undefined) return []
  return [offered, enabledByOperator, enabledByOrganization].map((is) => (is ? 'yes' : 'no'))
}

/** A chain or a token after the operator's decision. */
interface Enabled {
  enabled: boolean
  /** Whether the organization has it enabled. */
  enabledByOrganization: boolean
}

/** Sets the operator's switch of a chain or a token. Refuses with NOT_FOUND (organization). */
export async function enableFor(
  tx: Tx,
  { org: orgId, off = false }: { org: string; off?: boolean },
  subject: ChainId | TokenId,
): Promise<Enabled> {
  const enabled = !off
  await setSwitch(tx, { orgId, subject, enabled, actor: actor() })
  const { byOrganization } = await readSwitches(tx, orgId)
  return { enabled, enabledByOrganization: byOrganization(subject) }
}

/** The output of `enable`. */
export function enabledLines(id: string, { enabled, enabledByOrganization }: Enabled): string[] {
  if (!enabled) return [`${id} is disabled.`]
  if (enabledByOrganization) return [`${id} is enabled.`]
  return [
    `${id} is enabled by the operator. The organization has switched it off, and it stays off.`,
  ]
}
