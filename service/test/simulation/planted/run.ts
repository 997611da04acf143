import { createHash } from 'node:crypto'
import { playSeeds } from '../crew.ts'
import type { SimServer } from '../server.ts'
import type { Report } from '../worker.ts'
import { editsOf, isMetIn, type PlantedBug } from './bug.ts'
import { BUGS } from './bugs.ts'
import { type Result, printTable, readResults, tableOf, writeResults } from './results.ts'

interface Hunt {
  workers: number
  /** How many seeds are played with a bug at most, from the first on. */
  seeds: number
  /** The bugs that are looked for; all where none is named. */
  names: readonly string[]
  /** Where results are kept: what stands there is not looked for again. */
  out: string | null
}

/**
 * Plays seeds with each bug alone, one after the other until it is found, as many bugs beside each
 * other as there are workers; prints a table. How many were not found.
 */
export async function runPlanted(server: SimServer, hunt: Hunt): Promise<number> {
  const { names, out } = hunt
  const wanted = BUGS.filter(({ name }) => names.length === 0 || names.includes(name))
  const known = new Map<string, Result>()
  const marks = new Set(BUGS.map(markOf))
  for (const result of out === null ? [] : await readResults(out))
    if (marks.has(result.mark)) known.set(result.name, result)
  const queue = wanted.filter(({ name }) => !isOver(known.get(name), hunt.seeds))
  const lane = async () => {
    for (let bug = queue.shift(); bug !== undefined; bug = queue.shift()) {
      const result = await look(server, bug, { seeds: hunt.seeds, before: known.get(bug.name) })
      known.set(bug.name, result)
      print(lineOf(result))
      if (out !== null) await writeResults(out, inOrder(known))
    }
  }
  await Promise.all(Array.from({ length: hunt.workers }, lane))
  const asked = new Set(wanted.map(({ name }) => name))
  const results = inOrder(known).filter(({ name }) => asked.has(name))
  printTable(tableOf(results), print)
  return results.filter(({ seed }) => seed === null).length
}

function isOver(known: Result | undefined, seeds: number): boolean {
  return known !== undefined && (known.seed !== null || known.played >= seeds)
}

/** Goes on where it was left. */
async function look(
  server: SimServer,
  bug: PlantedBug,
  { seeds, before }: { seeds: number; before: Result | undefined },
): Promise<Result> {
  const { name } = bug
  const result: Result = before ?? {
    name,
    mark: markOf(bug),
    played: 0,
    seed: null,
    seen: [],
    wrong: '',
  }
  const all = Array.from({ length: seeds }, (_, at) => `${at + 1}`)
  // Seeds that run nothing of what was changed are as they are without it: they are only counted.
  const left = all.slice(result.played).filter((seed) => isMetIn(bug, seed))
  try {
    const planted = JSON.stringify({ edits: editsOf(bug), schema: bug.schema })
    await playSeeds({ server, workers: 1, planted, minimises: false }, left, (report) => {
      const verdict = note(result, report)
      result.played = all.indexOf(report.seed) + 1
      return verdict
    })
    if (result.seed === null) result.played = seeds
  } catch (error) {
    result.wrong = `broke: ${error instanceof Error ? error.message : String(error)}`
  }
  return result
}

function note(result: Result, { seed, wrongs }: Report): 'go on' | 'enough' {
  const [wrong] = wrongs
  if (wrong === undefined) return 'go on'
  result.wrong = wrong
  const seen = new Set(wrongs.flatMap((line) => INVARIANT.exec(line)?.[1] ?? []))
  // That it threw is no proof: an invariant, or what never ends, must name it.
  if (seen.size === 0) return 'go on'
  result.seed = seed
  result.seen = [...seen]
  result.wrong = wrongs.find((line) => INVARIANT.test(line)) ?? wrong
  return 'enough'
}

const INVARIANT = /^([A-Z]+\d+):/

/** A bug that was changed since is another one. */
function markOf(bug: PlantedBug): string {
  const text = JSON.stringify([editsOf(bug), bug.schema])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

function inOrder(known: ReadonlyMap<string, Result>): Result[] {
  return BUGS.flatMap(({ name }) => known.get(name) ?? [])
}

function lineOf({ name, played, seed, seen, wrong }: Result): string {
  const what = seed === null ? `NOT FOUND ${wrong}` : `${seen.join(' ')} ${wrong}`
  const short = what.replaceAll('\n', ' ').slice(0, 160)
  return `${name.padEnd(40)} ${String(played).padStart(4)}  ${short}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
