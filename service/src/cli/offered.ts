import { type Offers, readOffers } from '../api/views/offers.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readOrganization } from '../orgs/settings.ts'
import type { Tx } from '../store/database.ts'

/**
 * What an organization can use now (engineering, 17); undefined where none was named. Refuses with
 * NOT_FOUND (organization).
 */
export async function readOffersTo(
  tx: Tx,
  { catalogue, org }: { catalogue: Catalogue; org: string | undefined },
): Promise<Offers | undefined> {
  if (org === undefined) return undefined
  await readOrganization(tx, org)
  return readOffers(tx, { catalogue, orgId: org })
}

/** The last column's heading, where it was asked for. */
export function offeredHeading(org: string | undefined): string[] {
  return org === undefined ? [] : ['offered']
}

/** The last cell of a row, where it was asked for. */
export function offeredCell({ offered }: { offered?: boolean }): string[] {
  return offered === undefined ? [] : [offered ? 'yes' : 'no']
}
