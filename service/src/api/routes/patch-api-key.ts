import { rotateApiKey } from '../../orgs/api-key.ts'
import { actorOf } from '../http/actor.ts'
import { configure } from '../http/configure.ts'
import { route } from '../http/route.ts'

/**
 * Section 4.1: a new key; the one before is refused from this commit on. Refuses with INVALID_TOTP.
 */
export const patchApiKey = route('patchApiKey', async (asked) => {
  const { serviceKey, dice, caller } = asked
  const { orgId } = caller
  const key = await configure(asked, async (tx) => ({
    result: await rotateApiKey(tx, serviceKey, { orgId, actor: actorOf(caller), dice }),
    isChanged: true,
  }))
  return { apiKey: key.reveal() }
})
