import { playSeeds } from '../crew.ts'
import type { SimServer } from '../server.ts'
import { BUGS } from './bugs.ts'

/** Plays seeds with each bug alone, until it is found; prints a table. How many were not found. */
export async function runPlanted(
  server: SimServer,
  { workers, seeds, names }: { workers: number; seeds: number; names: readonly string[] },
): Promise<number> {
  const wanted = BUGS.filter(({ name }) => names.length === 0 || names.includes(name))
  const needed: number[] = []
  for (const { name } of wanted) {
    let played = 0
    let found: { seed: string; wrong: string } | null = null
    const all = Array.from({ length: seeds }, (_, at) => String(at + 1))
    await playSeeds({ server, workers, planted: name, minimises: false }, all, (report) => {
      if (found !== null) return 'enough'
      played += 1
      const [wrong] = report.wrongs
      if (wrong === undefined) return 'go on'
      found = { seed: report.seed, wrong }
      return 'enough'
    })
    if (found !== null) needed.push(played)
    print(line(name, played, found))
  }
  const sorted = needed.toSorted((a, b) => a - b)
  const median = sorted[sorted.length >> 1] ?? 0
  print(`${needed.length} of ${wanted.length} planted bugs were found; median ${median} seeds`)
  return wanted.length - needed.length
}

function line(name: string, played: number, found: { seed: string; wrong: string } | null): string {
  const what = found === null ? 'NOT FOUND' : `seed ${found.seed}: ${found.wrong.slice(0, 100)}`
  return `${name.padEnd(40)} ${String(played).padStart(4)}  ${what.replaceAll('\n', ' ')}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
