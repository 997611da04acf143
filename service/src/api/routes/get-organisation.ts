import { assert } from '../../base/assert.ts'
import { readOrganization } from '../../orgs/settings.ts'
import { readSigningSecrets } from '../../orgs/signing-secret.ts'
import { route } from '../route.ts'
import { viewOrganization } from '../views.ts'

/** Section 4.2: the organization, not wrapped, with the secret that signs its deliveries now. */
export const getOrganisation = route(
  'getOrganisation',
  async ({ database, serviceKey, caller: { orgId } }) => {
    const { organization, secrets } = await database.forOrg(orgId, async (tx) => ({
      organization: await readOrganization(tx, orgId),
      secrets: await readSigningSecrets(tx, serviceKey, orgId),
    }))
    const current = secrets.find((one) => one.current)
    assert(current !== undefined, 'an organization without a signing secret', { orgId })
    return viewOrganization(organization, current.secret)
  },
)
