import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, PORT_VARIABLES } from '@sluice/simulator'
import { sql } from 'kysely'
import { withSession } from '../../service/src/store/connection.ts'
import { findEmbedded } from '../../service/src/store/embedded.ts'
import { cpuSeconds, stopChild } from '../harness/children.ts'
import { type Reading, check, interleave, judge } from '../harness/measure.ts'
import type { Report, Sizes } from '../harness/report.ts'

const SANDBOX = fileURLToPath(new URL('../../simulator/dist/sandbox/main.js', import.meta.url))
/** `sandbox/main.js` of another build, which then runs in turn with this one. */
const OTHER_BUILD = process.env['BENCH_OTHER_BUILD']
/** The first deposits to the gas wallets are confirmed by then. */
const SETTLING_MS = 60_000
const READY = 'Press Ctrl-C to stop.'
const LIMITS = [
  { what: 'transactions a second', name: 'transactions', limit: 20 },
  { what: '% of a core, service and database', name: 'cpuPercent', limit: 5 },
  { what: 'MB of the service', name: 'megabytes', limit: 150 },
] as const

/**
 * Benchmark 0: what an installation costs in which nothing happens: the sandbox with five chains
 * and a block every two seconds.
 */
export async function benchIdle(sizes: Sizes): Promise<Report> {
  const builds = [
    { name: 'idle sandbox', program: SANDBOX },
    ...(OTHER_BUILD === undefined ? [] : [{ name: 'other build', program: OTHER_BUILD }]),
  ]
  const sides = builds.map(({ name, program }) => ({ name, run: () => watch(program, sizes) }))
  const comparison = await interleave(sides, 1)
  const [own] = comparison.sides
  const verdicts = LIMITS.map(({ what, name, limit }) =>
    judge({ what, value: own?.more[name] ?? Number.NaN, floor: limit, goal: limit, bound: 'most' }),
  )
  return {
    number: 0,
    title: 'An idle installation, seconds for each transaction',
    sizes: { idleSeconds: sizes.idleSeconds },
    comparison,
    verdicts,
    skipped: [],
  }
}

async function watch(program: string, { idleSeconds }: Sizes): Promise<Reading> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-idle-'))
  const env: NodeJS.ProcessEnv = { ...process.env, SANDBOX_FOLDER: folder }
  for (const name of PORT_VARIABLES) env[name] = String(await freePort())
  const sandbox = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => sandbox.kill('SIGTERM')
  process.once('exit', end)
  try {
    await untilReady(sandbox)
    await sleep(SETTLING_MS)
    const before = await look(sandbox, folder)
    await sleep(idleSeconds * 1_000)
    const after = await look(sandbox, folder)
    const perSecond = (name: 'transactions' | 'service' | 'database') =>
      (after[name] - before[name]) / idleSeconds
    const transactions = perSecond('transactions')
    check(after.blocks > before.blocks, 'blocks were read', { before, after })
    const more = {
      transactions,
      cpuPercent: 100 * (perSecond('service') + perSecond('database')),
      servicePercent: 100 * perSecond('service'),
      databasePercent: 100 * perSecond('database'),
      megabytes: after.megabytes,
    }
    return { rate: 1 / transactions, more }
  } finally {
    await stopChild(sandbox)
    process.off('exit', end)
    await rm(folder, { recursive: true, force: true })
  }
}

async function untilReady(sandbox: ChildProcess): Promise<void> {
  let text = ''
  for await (const chunk of sandbox.stdout ?? []) {
    text += String(chunk)
    if (text.includes(READY)) break
  }
  check(text.includes(READY), 'the sandbox is ready', { text })
  sandbox.stdout?.resume()
}

/** What the sandbox has used since its start: transactions, blocks, CPU seconds and memory. */
async function look(sandbox: ChildProcess, folder: string) {
  const server = await findEmbedded(join(folder, 'data'))
  check(server !== null, 'a database')
  const counted = await withSession(server?.urls.engine ?? '', (session) =>
    session.one(sql<{ transactions: number; blocks: number }>`
      select (select (xact_commit + xact_rollback)::int
                from pg_stat_database
               where datname = current_database()) as transactions,
             (select sum(tip_height)::int from chain_states) as blocks`),
  )
  const [service = 0] = await childrenOf(sandbox.pid ?? 0, 'serve')
  const status = await readFile(`/proc/${service}/status`, 'utf8')
  const megabytes = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
  const backends = await childrenOf(server?.pid ?? 0)
  const database = [server?.pid ?? 0, ...backends].reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  return { ...counted, service: cpuSeconds(service), database, megabytes }
}

/** Children of a process whose command line has a word. */
async function childrenOf(parent: number, word = ''): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[1]) !== parent) continue
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(word)) found.push(Number(name))
  }
  return found
}
