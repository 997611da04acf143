import { rotateApiKey } from '../../orgs/api-key.ts'
import { actorOf } from '../actor.ts'
import { route } from '../route.ts'

/** Section 4.1: a new key; the one before is refused from this commit on. */
export const patchApiKey = route('patchApiKey', async (means) => {
  const { database, serviceKey, dice, caller } = means
  const { orgId } = caller
  const key = await database.forOrg(orgId, (tx) =>
    rotateApiKey(tx, serviceKey, { orgId, actor: actorOf(caller), dice }),
  )
  return { apiKey: key.reveal() }
})
