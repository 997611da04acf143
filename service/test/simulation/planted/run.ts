import { createHash } from 'node:crypto'
import { systemClock } from '../../../src/base/clock.ts'
import { playSeeds } from '../crew.ts'
import type { SimServer } from '../server.ts'
import type { Report } from '../worker.ts'
import { editsOf, isMetIn, namedIn, type PlantedBug, plantedText } from './bug.ts'
import { BUGS } from './bugs.ts'
import { type Result, readResults, tableOf, writeResults } from './results.ts'

interface Hunt {
  workers: number
  /** The most seeds to play with a bug, from the first on. */
  seeds: number
  /** The time after which no seed begins. */
  minutes: number
  /** Names of the bugs to search for; empty for all. */
  names: readonly string[]
  /** The file of results: a bug found there is not searched again. */
  out: string | null
}

/** The results of a search so far. */
interface Bag {
  known: Map<string, Result>
  /** Whether a seed passes without a planted bug: only then its failure is a proof. */
  isWell(seed: string): Promise<boolean>
  isLate(): boolean
  keep(): Promise<void>
}

/**
 * Plays seeds with one bug each until it is found, as many bugs in parallel as there are workers;
 * prints a table. Returns how many were not found.
 */
export async function runPlanted(server: SimServer, hunt: Hunt): Promise<number> {
  const { names, seeds, workers } = hunt
  const bag = await openBag(server, hunt)
  const wanted = BUGS.filter(({ name }) => names.length === 0 || names.includes(name))
  const queue = wanted.filter(({ name }) => !isOver(bag.known.get(name), seeds))
  const lane = async () => {
    while (!bag.isLate()) {
      const bug = queue.shift()
      if (bug === undefined) return
      tell(lineOf(await look(server, bug, { seeds, bag })))
    }
  }
  await Promise.all(Array.from({ length: workers }, lane))
  const asked = new Set(wanted.map(({ name }) => name))
  const results = inOrder(bag.known).filter(({ name }) => asked.has(name))
  for (const line of tableOf(results)) process.stdout.write(`${line}\n`)
  return results.filter(({ seed }) => seed === null).length
}

/** Results of bugs that were changed since are not those of the bugs. */
async function openBag(server: SimServer, { out, minutes }: Hunt): Promise<Bag> {
  const marks = new Set(BUGS.map(markOf))
  const before = out === null ? [] : await readResults(out)
  const known = new Map(
    before.filter(({ mark }) => marks.has(mark)).map((result) => [result.name, result]),
  )
  const until = systemClock.now() + minutes * 60_000
  const outcomes = new Map<string, Promise<boolean>>()
  return {
    known,
    isWell: (seed) => {
      const outcome = outcomes.get(seed) ?? playUnharmed(server, seed)
      outcomes.set(seed, outcome)
      return outcome
    },
    isLate: () => systemClock.now() >= until,
    keep: async () => {
      if (out !== null) await writeResults(out, inOrder(known))
    },
  }
}

async function playUnharmed(server: SimServer, seed: string): Promise<boolean> {
  let isWell = false
  await playSeeds({ server, workers: 1, minimises: false }, [seed], ({ wrongs }) => {
    isWell = wrongs.length === 0
    if (!isWell) tell(`seed ${seed} is wrong without any planted bug: ${wrongs[0]}`)
    return 'go on'
  })
  return isWell
}

function isOver(known: Result | undefined, seeds: number): boolean {
  return known !== undefined && (known.seed !== null || known.passed >= seeds)
}

/** Continues after the last seed in the results. */
async function look(
  server: SimServer,
  bug: PlantedBug,
  { seeds, bag }: { seeds: number; bag: Bag },
): Promise<Result> {
  const result = bag.known.get(bug.name) ?? nothingOf(bug)
  bag.known.set(bug.name, result)
  result.wrong = ''
  try {
    for (;;) {
      await playOn(server, bug, { seeds, bag, result })
      if (result.seed === null || (await bag.isWell(result.seed))) break
      Object.assign(result, { seed: null, seen: [] })
    }
  } catch (error) {
    result.wrong = `broke: ${error instanceof Error ? error.message : String(error)}`
  }
  await bag.keep()
  return result
}

/** Plays seeds after the last played one until one finds it. */
async function playOn(
  server: SimServer,
  bug: PlantedBug,
  { seeds, bag, result }: { seeds: number; bag: Bag; result: Result },
): Promise<void> {
  const all = Array.from({ length: seeds }, (_, at) => `${at + 1}`)
  // Seeds that do not run the changed code behave as before: they are only counted.
  const left = all.slice(result.passed).filter((seed) => isMetIn(bug, seed))
  const planted = plantedText(bug)
  await playSeeds({ server, workers: 1, planted, minimises: false }, left, (report) => {
    result.passed = all.indexOf(report.seed) + 1
    result.played += 1
    note(result, report)
    return result.seed !== null || bag.isLate() ? 'enough' : 'go on'
  })
  if (result.seed === null && !bag.isLate()) result.passed = seeds
}

function nothingOf(bug: PlantedBug): Result {
  const { name } = bug
  return { name, mark: markOf(bug), passed: 0, played: 0, seed: null, seen: [], wrong: '' }
}

function note(result: Result, { seed, wrongs }: Report): void {
  const { lines, seen } = namedIn(wrongs)
  result.wrong = lines[0] ?? wrongs[0] ?? result.wrong
  if (lines.length === 0) return
  result.seed = seed
  result.seen = seen
}

/** A changed bug counts as another one. */
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

/** Prints progress to stderr; results go to stdout. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}
