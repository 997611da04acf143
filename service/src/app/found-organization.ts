import type { Random } from '../base/random.ts'
import type { Secret } from '../base/secret.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import type { Organization } from '../orgs/organization.ts'
import type { Database } from '../store/database.ts'
import { openOutbox } from '../webhooks/outbox.ts'

/**
 * Creates an organization with its API key and its outbox, in one commit. Refuses with BAD_REQUEST
 * for an invalid name.
 */
export function foundOrganization(
  database: Database,
  serviceKey: ServiceKey,
  draft: { name: string; actor: string; random: Random },
): Promise<{ organization: Organization; apiKey: Secret }> {
  return database.transaction(async (tx) => {
    const founded = await createOrganization(tx, serviceKey, draft)
    await openOutbox(tx, founded.organization.id)
    return founded
  })
}
