import type { Caller } from '../../orgs/caller.ts'
import { guardGuesses } from '../../orgs/guess.ts'
import { consumeTotp } from '../../orgs/totp.ts'
import type { Tx } from '../../store/database.ts'
import { requireCode } from './configure.ts'
import { forCaller } from './for-caller.ts'
import type { ServerDeps } from './deps.ts'

type Deps = Pick<ServerDeps, 'database' | 'serviceKey' | 'clock'> & { peer: string }

/** The work needed no proof, so the count of wrong ones does not change. */
class NothingGuessed extends Error {
  override readonly name = 'NothingGuessed'
}

/**
 * Does a step that uses up the caller's one-time code with `consume` if it needs the code
 * (engineering, 27). Refuses with INVALID_TOTP, and as `withProof` does.
 */
export function withCode<T>(
  deps: Deps,
  { caller, code }: { caller: Caller; code: string },
  work: (tx: Tx, consume: (tx: Tx) => Promise<number>) => Promise<T>,
): Promise<T> {
  const { serviceKey, clock } = deps
  const { orgId, userId } = caller
  const consume = (tx: Tx) => consumeTotp(tx, serviceKey, { orgId, userId, code, clock })
  return withProof(deps, { caller, prove: consume }, work)
}

/**
 * Does a step of the caller that needs a one-time code, and uses the code up. Refuses as
 * `requireCode` and `withCode` do.
 */
export function withOwnCode<T>(
  call: Deps & { caller: Caller; totpCode: string | null },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  requireCode(call)
  const { caller, totpCode } = call
  return withCode(call, { caller, code: totpCode ?? '' }, async (tx, consume) => {
    await consume(tx)
    return work(tx)
  })
}

/**
 * Does a step with which the caller proves presence, by a one-time code or a passkey, if the step
 * calls `prove`. Consecutive wrong proofs are counted; a step that does not check the proof neither
 * counts nor clears them. Refuses with RATE_LIMIT_EXCEEDED, and as `forCaller`, `prove` and the
 * work do.
 */
export async function withProof<Of extends unknown[], Proof, T>(
  deps: Deps,
  { caller, prove }: { caller: Caller; prove: (tx: Tx, ...of: Of) => Promise<Proof> },
  work: (tx: Tx, prove: (tx: Tx, ...of: Of) => Promise<Proof>) => Promise<T>,
): Promise<T> {
  const { database, serviceKey, peer } = deps
  const { userId } = caller
  let isUsed = false
  const counted = async (tx: Tx, ...of: Of) => {
    const proof = await prove(tx, ...of)
    isUsed = true
    return proof
  }
  const done: T[] = []
  try {
    return await guardGuesses(database, serviceKey, { userId, peer }, async () => {
      const result = await forCaller({ ...deps, caller }, (tx) => {
        isUsed = false
        return work(tx, counted)
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
