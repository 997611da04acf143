import { Bug } from '../base/assert.ts'

/**
 * Does something for each of several, one after the other; a Bug that is thrown about one keeps no
 * other from it, and comes out after all of them. Whatever else is thrown ends it at once. Answers
 * with how many it was done for.
 */
export async function eachByItself<T>(
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
  const [first] = bugs
  if (first !== undefined) throw first
  return done
}
