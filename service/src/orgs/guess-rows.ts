import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** The longest time between two failures of the same row. */
const IN_A_ROW_MS: Millis = 86_400_000

/** One subject's guesses; `owner` groups the subjects of one name or user. */
export interface Subject {
  subject: Uint8Array
  owner: Uint8Array
}

/**
 * Counts one guess, and locks the subject with the `failuresMax`-th. Returns the failures in a row,
 * this one included; null, without counting, if the subject is locked.
 */
export async function addGuess(
  tx: Tx,
  params: Subject & { failuresMax: number; lockMs: Millis },
): Promise<number | null> {
  const { subject, owner, failuresMax, lockMs } = params
  const now = tx.clock.now()
  const locked = iso(now + lockMs)
  const isInARow = sql`(g.locked_until is null and g.last_at > ${iso(now - IN_A_ROW_MS)})`
  const row = await tx.maybe(sql<{ failures: number }>`
    insert into guesses as g
      (subject, owner, failures, last_at)
    values
      (${subject}, ${owner}, 1, ${iso(now)})
    on conflict (subject) do update
       set failures = case when ${isInARow} then g.failures + 1 else 1 end,
           locked_until =
             case when ${isInARow} and g.failures + 1 >= ${failuresMax}
                  then ${locked}::timestamptz
             end,
           last_at = excluded.last_at
     where g.locked_until is null
        or g.locked_until <= ${iso(now)}
    returning failures`)
  return row?.failures ?? null
}

/** Returns null for a subject without guesses. */
export async function selectGuesses(
  tx: Tx,
  subject: Uint8Array,
): Promise<{ locked_until: Millis | null; known_at: Millis | null } | null> {
  return tx.maybe(sql<{ locked_until: Millis | null; known_at: Millis | null }>`
    select locked_until, known_at
      from guesses
     where subject = ${subject}`)
}

/** Undoes the count of a guess that was not made. */
export async function takeGuessBack(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.run(sql`
    update guesses
       set failures = greatest(failures - 1, 0),
           locked_until = null
     where subject = ${subject}`)
}

/** Writes what is stored, so that an unknown name costs as many writes as a known one. */
export async function touchGuesses(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.run(sql`
    update guesses
       set last_at = ${iso(tx.clock.now())}
     where subject = ${subject}`)
}

/**
 * Ends the row of failures of a subject and of its owner, and marks the subject as known. Writes
 * them in the order in which a guess counts them, since the other order could deadlock.
 */
export async function clearGuesses(tx: Tx, { subject, owner }: Subject): Promise<void> {
  const now = iso(tx.clock.now())
  await tx.run(sql`
    insert into guesses
      (subject, owner, failures, last_at, known_at)
    values
      (${subject}, ${owner}, 0, ${now}, ${now})
    on conflict (subject) do update
       set failures = 0,
           locked_until = null,
           last_at = excluded.last_at,
           known_at = excluded.known_at`)
  await tx.run(sql`
    update guesses
       set failures = 0,
           locked_until = null
     where subject = ${owner}`)
}

/** Ends the row of failures of every subject of an owner; known ones stay known. */
export async function unlockGuesses(tx: Tx, owner: Uint8Array): Promise<number> {
  return tx.run(sql`
    update guesses
       set failures = 0,
           locked_until = null
     where owner = ${owner}
       and failures > 0`)
}

export async function deleteGuesses(
  tx: Tx,
  { before, knownBefore }: { before: Millis; knownBefore: Millis },
): Promise<number> {
  return tx.run(sql`
    delete from guesses
     where last_at < ${iso(before)}
       and (known_at is null or known_at < ${iso(knownBefore)})`)
}
