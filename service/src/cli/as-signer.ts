import type { Ground } from '../app/ground.ts'
import { openServiceKeyOf } from '../app/keys.ts'
import { Refusal } from '../base/fault.ts'
import { lockPerson } from '../orgs/find-user.ts'
import { guardGuesses } from '../orgs/guess.ts'
import { isSigner } from '../orgs/signers.ts'
import { type StillSigns, stillSignsBy } from '../orgs/still-signs.ts'
import { consumeTotp } from '../orgs/totp.ts'
import type { User } from '../orgs/user.ts'
import type { Tx } from '../store/database.ts'

/** The peer under which failed codes of the command line are counted. */
const CLI = 'cli'

type Deps = Pick<Ground, 'config' | 'random' | 'database' | 'clock'>

/**
 * Finds a user by name or id who may approve withdrawals, in the organization that `orgOf` returns,
 * or in any. Refuses with FORBIDDEN, and as `lockPerson` does.
 */
export async function findSigner(
  { config, random, database }: Deps,
  as: string,
  orgOf?: (tx: Tx) => Promise<string>,
): Promise<User> {
  const serviceKey = openServiceKeyOf(config, random)
  return database.transaction(async (tx) => {
    const orgId = await orgOf?.(tx)
    const { user } = await lockPerson(tx, serviceKey, as)
    return signerOf(user, orgId ?? user.orgId)
  })
}

/**
 * Runs `work` in the name of a user and consumes the user's one-time code, in one commit. `work`
 * can check whether an earlier confirmer is still a signer. Refuses as `consumeTotp` and
 * `guardGuesses` do, and with FORBIDDEN if the user is no longer a signer.
 */
export async function asSigner<T>(
  { config, random, database, clock }: Deps,
  { person, totp: code }: { person: User; totp: string },
  work: (tx: Tx, stillSigns: StillSigns) => Promise<T>,
): Promise<T> {
  const serviceKey = openServiceKeyOf(config, random)
  const stillSigns = stillSignsBy(serviceKey)
  const { orgId, id: userId } = person
  return guardGuesses(database, serviceKey, { userId, peer: CLI }, () =>
    database.transaction(async (tx) => {
      await consumeTotp(tx, serviceKey, { orgId, userId, code, clock })
      // `consumeTotp` has locked the user, so this read is current until the commit.
      if (!(await stillSigns(tx, { orgId, userId }))) refuseToSpeak(userId)
      return work(tx, stillSigns)
    }),
  )
}

/** Only users who may approve withdrawals act for the organization. */
function signerOf(user: User, orgId: string): User {
  if (isSigner(user) && user.orgId === orgId) return user
  return refuseToSpeak(user.id)
}

function refuseToSpeak(userId: string): never {
  const says = 'Only an active approver or admin of the organization may do this.'
  throw new Refusal('FORBIDDEN', { userId }, says)
}
