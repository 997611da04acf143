import type { Clock, Millis } from '../base/clock.ts'
import type { Database } from '../store/database.ts'
import { deleteCounts } from './count-rows.ts'
import { KNOWN_MS } from './guess.ts'
import { deleteGuesses } from './guess-rows.ts'
import { deleteSessions } from './sign-in-rows.ts'

/** Older failures are no longer in a row with the next one. */
const GUESSES_KEPT_MS: Millis = 86_400_000
/** Longer than any window. */
const COUNTS_KEPT_MS: Millis = 600_000
/** Ended sessions are kept for a while, for investigations. */
const SESSIONS_KEPT_MS: Millis = 7 * 86_400_000

/** Deletes expired sessions, guesses and request counts. A loop calls it. */
export async function tidySignIn(database: Database, clock: Clock): Promise<void> {
  const now = clock.now()
  await database.transaction(async (tx) => {
    await deleteSessions(tx, { before: now - SESSIONS_KEPT_MS })
    const knownBefore = now - KNOWN_MS
    await deleteGuesses(tx, { before: now - GUESSES_KEPT_MS, knownBefore })
    await deleteCounts(tx, { before: now - COUNTS_KEPT_MS })
  })
}
