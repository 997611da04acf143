import type { Caller } from '../../orgs/caller.ts'
import { guardGuesses } from '../../orgs/guess.ts'
import { consumeTotp } from '../../orgs/totp.ts'
import type { Tx } from '../../store/database.ts'
import { forCaller } from './for-caller.ts'
import type { ServerDeps } from './means.ts'

/** Work that turned out to need no code: nothing was guessed right, and nothing wrong. */
class NothingGuessed extends Error {
  override readonly name = 'NothingGuessed'
}

/**
 * Does a step that uses up the caller's two-factor code, which it does itself by `consume` when it
 * knows that it needs it (engineering, 27). Wrong codes in a row are counted; an answer for which
 * no code was looked at neither counts nor clears. Refuses with INVALID_TOTP and
 * RATE_LIMIT_EXCEEDED, and as `forCaller` and the work do.
 */
export async function withCode<T>(
  means: Pick<ServerDeps, 'database' | 'serviceKey' | 'clock'> & { peer: string },
  { caller, code }: { caller: Caller; code: string },
  work: (tx: Tx, consume: (tx: Tx) => Promise<number>) => Promise<T>,
): Promise<T> {
  const { database, serviceKey, clock, peer } = means
  const { orgId, userId } = caller
  let isUsed = false
  const consume = async (tx: Tx) => {
    const step = await consumeTotp(tx, serviceKey, { orgId, userId, code, clock })
    isUsed = true
    return step
  }
  const done: T[] = []
  try {
    return await guardGuesses(database, serviceKey, { userId, peer }, async () => {
      const result = await forCaller({ ...means, caller }, (tx) => {
        isUsed = false
        return work(tx, consume)
      })
      if (isUsed) return result
      done.push(result)
      throw new NothingGuessed()
    })
  } catch (error) {
    const [result] = done
    if (error instanceof NothingGuessed && result !== undefined) return result
    throw error
  }
}
