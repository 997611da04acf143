import { readFile, rename, writeFile } from 'node:fs/promises'

/** The result of the search for a planted bug. */
export interface Result {
  name: string
  /** Distinguishes this change from another under the same name. */
  mark: string
  /** The last seed that was played with it, or passed over. */
  passed: number
  /** Seeds played with it: those that run the changed code. */
  played: number
  /** The seed that found it, or null. */
  seed: string | null
  /** The invariants that it broke there first. */
  seen: readonly string[]
  wrong: string
}

/** Stored results; empty without a file. */
export async function readResults(path: string): Promise<Result[]> {
  try {
    return parseResults(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Stores results, so that a stopped run can continue. */
export async function writeResults(path: string, results: readonly Result[]): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(results, null, 2)}\n`)
  await rename(`${path}.new`, path)
}

/** A Markdown table, one line for each bug, with totals. */
export function tableOf(results: readonly Result[]): string[] {
  const found = results.filter(({ seed }) => seed !== null)
  return [
    '| Planted bug | Seed | Seeds played | Seen by |',
    '|---|---|---|---|',
    ...results.map(
      ({ name, played, seed, seen }) =>
        `| ${name} | ${seed ?? 'none'} | ${played} | ${seen.join(', ')} |`,
    ),
    '',
    `${found.length} of ${results.length} planted bugs were found; ` +
      `median ${medianOf(found.map(({ played }) => played))} seeds, ` +
      `at most ${Math.max(0, ...found.map(({ played }) => played))}.`,
  ]
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[half]]
  return (low + high) / 2
}

function parseResults(text: string): Result[] {
  return JSON.parse(text) as Result[]
}
