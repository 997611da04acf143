import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import type { UserChange } from './change-user.ts'
import { lockPerson } from './find-user.ts'
import { unlock } from './guess.ts'
import { selectUserOfName } from './sign-in-rows.ts'
import type { User } from './user.ts'

/**
 * Resets the failures of a user's name and codes for every address, and so ends locks and
 * slowdowns. Refuses with NOT_FOUND and BAD_REQUEST (an API key's user).
 */
export async function unlockUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange,
): Promise<User> {
  const { user } = await lockPerson(tx, serviceKey, params.user)
  const { orgId, id, username } = user
  // Guesses are counted under the name as the database folds it.
  const { folded } = await selectUserOfName(tx, { name: username, isNone: false })
  await unlock(tx, serviceKey, { kind: 'name', who: folded })
  await unlock(tx, serviceKey, { kind: 'code', who: id })
  await writeAudit(tx, { orgId, actor: params.actor, action: 'user.unlock', object: id })
  return user
}
