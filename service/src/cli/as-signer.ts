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

/** Stands for an address, where codes are counted. */
const CLI = 'cli'

type Means = Pick<Ground, 'config' | 'dice' | 'database' | 'clock'>

/**
 * The person of a name or id, who may approve withdrawals; of the organization that is found out,
 * or of any without it. Refuses with FORBIDDEN, and as `lockPerson` does.
 */
export async function findSigner(
  { config, dice, database }: Means,
  as: string,
  orgOf?: (tx: Tx) => Promise<string>,
): Promise<User> {
  const serviceKey = openServiceKeyOf(config, dice)
  return database.transaction(async (tx) => {
    const orgId = await orgOf?.(tx)
    const { user } = await lockPerson(tx, serviceKey, as)
    return signerOf(user, orgId ?? user.orgId)
  })
}

/**
 * Does something in a person's name, whose fresh two-factor code is used up with it, in one commit.
 * What is done can ask whether somebody who spoke before still signs. Refuses as `consumeTotp` and
 * `guardGuesses` do, and with FORBIDDEN where the person signs no more.
 */
export async function asSigner<T>(
  { config, dice, database, clock }: Means,
  { person, totp: code }: { person: User; totp: string },
  work: (tx: Tx, stillSigns: StillSigns) => Promise<T>,
): Promise<T> {
  const serviceKey = openServiceKeyOf(config, dice)
  const stillSigns = stillSignsBy(serviceKey)
  const { orgId, id: userId } = person
  return guardGuesses(database, serviceKey, { userId, peer: CLI }, () =>
    database.transaction(async (tx) => {
      await consumeTotp(tx, serviceKey, { orgId, userId, code, clock })
      // The code has the user locked: whoever was disabled since we looked is seen, and from here
      // on nobody is until the commit.
      if (!(await stillSigns(tx, { orgId, userId }))) refuseToSpeak(userId)
      return work(tx, stillSigns)
    }),
  )
}

/** Those who may approve withdrawals may speak for the organization. */
function signerOf(user: User, orgId: string): User {
  if (isSigner(user) && user.orgId === orgId) return user
  return refuseToSpeak(user.id)
}

function refuseToSpeak(userId: string): never {
  const says = 'Only an active approver or admin of the organization may say so.'
  throw new Refusal('FORBIDDEN', { userId }, says)
}
