import { type Ground, type Outcome, runSeed } from './run-seed.ts'
import type { Step } from './schedule.ts'

const RUNS_MAX = 120

/**
 * Fewer steps that go wrong in the same way: by halves, quarters and so on (ddmin), as far as so
 * many runs lead. Each step does the same whatever is left out around it.
 */
export async function minimise(
  ground: Ground,
  { seed, steps, at, wrongs }: Outcome,
): Promise<readonly Step[]> {
  const wanted = kindOf(wrongs)
  let left = steps.slice(0, at + 1)
  const fails = async (some: readonly Step[]) => {
    const outcome = await runSeed(ground, seed, { steps: some })
    return kindOf(outcome.wrongs) === wanted
  }
  let runs = 0
  for (let size = left.length >> 1; size >= 1; size >>= 1) {
    let from = 0
    while (from < left.length && runs < RUNS_MAX) {
      runs += 1
      const some = [...left.slice(0, from), ...left.slice(from + size)]
      if (await fails(some)) left = some
      else from += size
    }
  }
  return left
}

/** What is wrong without what differs from run to run: `I5`, or where it was thrown. */
function kindOf([first = '']: readonly string[]): string {
  return first.replaceAll(/[0-9a-f#-]{4,}|\d+/g, '').slice(0, 40)
}
