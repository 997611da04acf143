import { parseArgs } from 'node:util'
import { Coverage, coverageTable } from './coverage.ts'
import { playSeeds } from './crew.ts'
import { NODE_FAULTS } from './faults.ts'
import { runPlanted } from './planted/run.ts'
import { runSeed } from './run-seed.ts'
import { openGround, type SimServer, startSimServer } from './server.ts'
import type { Report } from './worker.ts'

const WORKERS = 2
const FAULTS = [...NODE_FAULTS, 'kill', 'commitLost', 'pause', 'receiver', 'reorg']

/**
 * `npm run sim -- --seed 7 --trace` replays a seed; `--seeds 5000` plays many, starting at
 * `--from`; `--coverage` prints which states met which fault; `--planted` searches for all or the
 * named planted bugs and prints a table; after `--minutes` no seed begins.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(WORKERS) },
      trace: { type: 'boolean', default: false },
      coverage: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
      out: { type: 'string' },
      minutes: { type: 'string' },
      minimise: { type: 'boolean', default: true },
    },
    allowNegative: true,
  })
  const server = await startSimServer()
  const workers = Number(values.workers)
  try {
    if (values.planted) {
      const seeds = Number(values.seeds ?? 500)
      const { out = null, minutes: most } = values
      const minutes = most === undefined ? Infinity : Number(most)
      return await runPlanted(server, { workers, seeds, minutes, names: positionals, out })
    }
    if (values.seed !== undefined) return await playOne(server, values.seed, values.trace)
    const from = Number(values.from)
    const seeds = Array.from({ length: Number(values.seeds ?? 20) }, (_, at) => String(from + at))
    const { minimise: minimises } = values
    return await playMany(server, seeds, { workers, minimises, showsCoverage: values.coverage })
  } finally {
    await server.stop()
  }
}

async function playOne(server: SimServer, seed: string, isTraced: boolean): Promise<number> {
  const ground = await openGround(server, 'one')
  try {
    const { wrongs, hash, at } = await runSeed(ground, seed, { isTraced })
    print(`seed ${seed}: hash ${hash}, ${wrongs.length === 0 ? 'well' : `wrong at step ${at}`}`)
    for (const wrong of wrongs) print(wrong)
    return wrongs.length === 0 ? 0 : 1
  } finally {
    await ground.close()
  }
}

async function playMany(
  server: SimServer,
  seeds: readonly string[],
  settings: { workers: number; minimises: boolean; showsCoverage: boolean },
): Promise<number> {
  const coverage = new Coverage()
  const reached = new Map<string, number>()
  let [played, failed, cpuMs] = [0, 0, 0]
  await playSeeds({ server, ...settings }, seeds, (report) => {
    played += 1
    cpuMs += report.cpuMs
    coverage.add(report.coverage)
    for (const [what, count] of Object.entries(report.reached))
      reached.set(what, (reached.get(what) ?? 0) + count)
    if (report.wrongs.length > 0) failed += 1
    if (report.wrongs.length > 0) printFailure(report)
    else if (played % 50 === 0) print(`${played} of ${seeds.length} seeds, ${failed} failed`)
    return 'go on'
  })
  print(`${played} seeds, ${failed} failed, ${Math.round(cpuMs / played)} ms of processor each`)
  print(
    [...reached]
      .map(([what, count]) => `${what}: ${count}`)
      .toSorted()
      .join(', '),
  )
  if (settings.showsCoverage) print(coverageTable(coverage, FAULTS))
  return failed === 0 ? 0 : 1
}

function printFailure({ seed, at, wrongs, minimal }: Report): void {
  print(`seed ${seed} is wrong at step ${at}: npm run sim -- --seed ${seed} --trace`)
  for (const wrong of wrongs.slice(0, 5)) print(`  ${wrong.slice(0, 2_000)}`)
  if (minimal !== null) print(`  ${minimal.length} steps suffice: ${minimal.join(', ')}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

process.exitCode = await main()
