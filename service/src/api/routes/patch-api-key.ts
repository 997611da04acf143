import { rotateApiKey } from '../../orgs/api-key.ts'
import { actorOf } from '../actor.ts'
import { forConfiguring } from '../for-caller.ts'
import { route } from '../route.ts'

/** Section 4.1: a new key; the one before is refused from this commit on. */
export const patchApiKey = route('patchApiKey', async (asked) => {
  const { serviceKey, dice, caller } = asked
  const { orgId } = caller
  const key = await forConfiguring(asked, (tx) =>
    rotateApiKey(tx, serviceKey, { orgId, actor: actorOf(caller), dice }),
  )
  return { apiKey: key.reveal() }
})
