import type { Caller } from '../../orgs/caller.ts'
import { guardGuesses } from '../../orgs/guess.ts'
import { consumeTotp } from '../../orgs/totp.ts'
import type { Tx } from '../../store/database.ts'
import { forCaller } from './for-caller.ts'
import type { ServerDeps } from './deps.ts'

/** The work needed no code, so the count of wrong codes does not change. */
class NothingGuessed extends Error {
  override readonly name = 'NothingGuessed'
}

/**
 * Does a step that uses up the caller's one-time code with `consume` if it needs the code
 * (engineering, 27). Consecutive wrong codes are counted; a step that does not check the code
 * neither counts nor clears them. Refuses with INVALID_TOTP and
 * RATE_LIMIT_EXCEEDED, and as `forCaller` and the work do.
 */
export async function withCode<T>(
  deps: Pick<ServerDeps, 'database' | 'serviceKey' | 'clock'> & { peer: string },
  { caller, code }: { caller: Caller; code: string },
  work: (tx: Tx, consume: (tx: Tx) => Promise<number>) => Promise<T>,
): Promise<T> {
  const { database, serviceKey, clock, peer } = deps
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
      const result = await forCaller({ ...deps, caller }, (tx) => {
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
