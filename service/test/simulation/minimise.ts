import { type Ground, type Outcome, runSeed } from './run-seed.ts'
import type { Step } from './schedule.ts'

const RUNS_MAX = 120

/**
 * Fewer steps that fail in the same way, by halves, quarters and so on (ddmin), within a limit of
 * runs. Each step does the same without the others.
 */
export async function minimise(
  ground: Ground,
  { seed, steps, at, wrongs }: Outcome,
): Promise<readonly Step[]> {
  const wanted = kindOf(wrongs)
  const fails = async (some: readonly Step[]) => {
    const outcome = await runSeed(ground, seed, { steps: some })
    return kindOf(outcome.wrongs) === wanted
  }
  return fewest(steps.slice(0, at + 1), fails, RUNS_MAX)
}

/**
 * The fewest steps that still fail, within a limit of trials. Single steps are left out again in
 * rounds while that helps: a needed step may become needless without another.
 */
export async function fewest<T>(
  steps: readonly T[],
  fails: (some: readonly T[]) => Promise<boolean>,
  trialsMax: number,
): Promise<readonly T[]> {
  let left = steps
  let trials = 0
  for (let size = left.length >> 1; size >= 1 && trials < trialsMax; ) {
    const before = left.length
    for (let from = 0; from < left.length && trials < trialsMax; ) {
      trials += 1
      const some = [...left.slice(0, from), ...left.slice(from + size)]
      if (await fails(some)) left = some
      else from += size
    }
    if (size > 1) size >>= 1
    else if (left.length === before) break
  }
  return left
}

/** The kind of a violation, equal in all runs: `I5`, or the place of an exception. */
function kindOf([first = '']: readonly string[]): string {
  return first.replaceAll(/[0-9a-f#-]{4,}|\d+/g, '').slice(0, 40)
}
