import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/**
 * Counts one guess more, and locks the subject with the last one allowed. How many there were in a
 * row with this one; null where the subject is locked, and then nothing is counted. A lock that
 * begins a whole lock ahead is over: a clock that was set back must keep nobody away for longer.
 */
export async function addGuess(
  tx: Tx,
  given: { subject: Uint8Array; failuresMax: number; lockMs: Millis },
): Promise<number | null> {
  const { subject, failuresMax, lockMs } = given
  const now = tx.clock.now()
  const locked = iso(now + lockMs)
  const row = await tx.maybe(sql<{ failures: number }>`
    insert into guesses as g
      (subject, failures, last_at)
    values
      (${subject}, 1, ${iso(now)})
    on conflict (subject) do update
       set failures = case when g.locked_until is null then g.failures + 1 else 1 end,
           locked_until =
             case when g.locked_until is null and g.failures + 1 >= ${failuresMax}
                  then ${locked}::timestamptz
             end,
           last_at = excluded.last_at
     where g.locked_until is null
        or g.locked_until <= ${iso(now)}
        or g.locked_until > ${iso(now + 2 * lockMs)}
    returning failures`)
  return row?.failures ?? null
}

export async function selectLock(tx: Tx, subject: Uint8Array): Promise<Millis | null> {
  const row = await tx.maybe(sql<{ locked_until: Millis | null }>`
    select locked_until
      from guesses
     where subject = ${subject}`)
  return row?.locked_until ?? null
}

/** One guess turned out to be none. */
export async function takeGuessBack(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.run(sql`
    update guesses
       set failures = greatest(failures - 1, 0),
           locked_until = null
     where subject = ${subject}`)
}

/** Writes what stands, for who must not be seen to write nothing. */
export async function touchGuesses(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.run(sql`
    update guesses
       set last_at = ${iso(tx.clock.now())}
     where subject = ${subject}`)
}

/** The row of failures is broken. */
export async function clearGuesses(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.run(sql`
    update guesses
       set failures = 0,
           locked_until = null
     where subject = ${subject}`)
}

export async function deleteGuesses(tx: Tx, { before }: { before: Millis }): Promise<number> {
  return tx.run(sql`
    delete from guesses
     where last_at < ${iso(before)}`)
}
