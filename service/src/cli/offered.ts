import { type Offers, readOffers } from '../api/views/offers.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readOrganization } from '../orgs/settings.ts'
import type { Tx } from '../store/database.ts'

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

/** The heading of the last column, if an organization was given. */
export function offeredHeading(org: string | undefined): string[] {
  return org === undefined ? [] : ['offered']
}

/** The last cell of a row, if an organization was given. */
export function offeredCell({ offered }: { offered?: boolean }): string[] {
  return offered === undefined ? [] : [offered ? 'yes' : 'no']
}
