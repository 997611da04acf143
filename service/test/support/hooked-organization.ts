import { foundOrganization } from '../../src/app/found-organization.ts'
import type { Random } from '../../src/base/random.ts'
import type { ServiceKey } from '../../src/keys/service-key.ts'
import { setWebhookUrl } from '../../src/orgs/settings.ts'
import type { Database } from '../../src/store/database.ts'

/** An organization with an outbox and an optional webhook URL. Returns its id. */
export async function foundHooked(
  { database, serviceKey, random }: { database: Database; serviceKey: ServiceKey; random: Random },
  url = '',
): Promise<string> {
  const given = { name: 'Acme', actor: 'test', random }
  const { organization } = await foundOrganization(database, serviceKey, given)
  const { id: orgId } = organization
  if (url !== '')
    await database.transaction((tx) => setWebhookUrl(tx, serviceKey, { orgId, url, actor: 'test' }))
  return orgId
}
