import { Bug } from '../../base/assert.ts'

/**
 * Does something for each of several, one after the other; a Bug that is thrown about one keeps no
 * other from it, and all of them come out in the end. Whatever else is thrown ends it at once.
 * Answers with how many it was done for.
 */
export async function forEachIsolated<T>(
  items: readonly T[],
  work: (item: T) => Promise<boolean>,
): Promise<number> {
  let done = 0
  const bugs: Bug[] = []
  for (const item of items) {
    try {
      if (await work(item)) done += 1
    } catch (error) {
      if (!(error instanceof Bug)) throw error
      bugs.push(error)
    }
  }
  const [first, ...others] = bugs
  if (first !== undefined && others.length > 0)
    throw new AggregateError(bugs, `${bugs.length} bugs, of which the first: ${first.message}`)
  if (first !== undefined) throw first
  return done
}
