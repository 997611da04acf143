import { Bug } from '../../base/assert.ts'

/**
 * Runs `work` for each item in turn. A Bug in one item does not stop the others; all Bugs are
 * thrown at the end. Any other error is thrown at once. Returns for how many items `work` returned
 * true.
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
