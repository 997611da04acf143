import { assert } from '../../base/assert.ts'
import { readOrganization } from '../../orgs/settings.ts'
import { readUsers } from '../../orgs/signers.ts'
import { route } from '../http/route.ts'

/** Section 4.1: who is signed in, not wrapped. */
export const getProfile = route(
  'getProfile',
  async ({ database, serviceKey, caller: { orgId, userId } }) => {
    const { org, user } = await database.forOrg(orgId, async (tx) => ({
      org: await readOrganization(tx, orgId),
      user: (await readUsers(tx, serviceKey, { orgId, ids: [userId] })).get(userId),
    }))
    assert(user !== undefined, 'a session without its user', { userId })
    const { id, username, role } = user
    return { id, username, role, org: { id: org.id, name: org.name } }
  },
)
