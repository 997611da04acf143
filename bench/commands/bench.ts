import { execFile } from 'node:child_process'
import { sql } from 'kysely'
import { withSession } from '../../service/src/store/connection.ts'
import { type Reading, type Side, check, interleave, judge, until } from '../harness/measure.ts'
import { BUILT, startSluice } from '../harness/program.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { AMOUNT, CHAIN_ID, COIN } from '../withdrawals/plan.ts'
import { type Stage, doorOf, openStage } from '../withdrawals/stage.ts'

const DATABASE = 'bench_commands'
const RECIPIENT = `0x5a${'00'.repeat(18)}01`
const CPU_MS_MAX = 400
const BARE_NODE = 'node -e 0'
/** `sluice.js` of another build, which then runs in turn with this one. */
const OTHER_BUILD = process.env['BENCH_OTHER_BUILD']
/** `sluice doctor` exits with 3 because the node of the benchmark has no contracts of tokens. */
const EXIT_CODES = new Set([0, 3])

/** Benchmark 14: the user and system time of a command from its start to its end. */
export async function benchCommands(sizes: Sizes): Promise<Report> {
  const stage = await openStage()
  try {
    const { env, url } = await doorOf(stage, DATABASE)
    const { orgId, id } = await createWithdrawal(stage, { env, url })
    const commands = {
      '--help': ['--help'],
      'chain list': ['chain', 'list'],
      'withdrawal show': ['withdrawal', 'show', id],
      'deposit list': ['deposit', 'list', '--org', orgId],
      'doctor, one node': ['doctor'],
    }
    const comparison = await interleave(sidesOf(commands, env), sizes.starts)
    const limits = { floor: CPU_MS_MAX, goal: CPU_MS_MAX, bound: 'most' } as const
    const verdicts = comparison.sides
      .filter(({ name }) => name.startsWith('sluice'))
      .map(({ name, more }) =>
        judge({ what: `${name}, CPU ms`, value: more['cpuMs'] ?? Number.NaN, ...limits }),
      )
    const title = 'Commands, per CPU second'
    return { number: 14, title, sizes: { starts: sizes.starts }, comparison, verdicts, skipped: [] }
  } finally {
    await stage.close()
  }
}

/** Creates a withdrawal over HTTP; the service is stopped afterwards. */
async function createWithdrawal(
  stage: Stage,
  { env, url }: { env: Record<string, string>; url: string },
): Promise<{ orgId: string; id: string }> {
  const service = startSluice(env)
  try {
    const isUp = () =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    await until(isUp, 30_000, 'the service')
    const answer = await fetch(`${url}/withdrawals`, {
      method: 'POST',
      headers: { 'x-api-key': stage.apiKeys[0] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({
        chainId: CHAIN_ID,
        tokenId: COIN,
        amount: String(AMOUNT),
        recipient: RECIPIENT,
        reference: 'commands',
      }),
    })
    check(answer.status === 201, 'a withdrawal', { body: await answer.text() })
  } finally {
    await service.stop()
  }
  return withSession(stage.postgres.adminUrl(DATABASE), (session) =>
    session.one(sql<{ orgId: string; id: string }>`
      select org_id as "orgId", id
        from withdrawals`),
  )
}

function sidesOf(commands: Record<string, readonly string[]>, env: Record<string, string>): Side[] {
  const builds = [
    { name: 'sluice', path: BUILT },
    ...(OTHER_BUILD === undefined ? [] : [{ name: 'other build:', path: OTHER_BUILD }]),
  ]
  const ours = Object.entries(commands).flatMap(([title, command]) =>
    builds.map(({ name, path }) => ({
      name: `${name} ${title}`,
      run: () => measure([path, ...command], env),
    })),
  )
  return [{ name: BARE_NODE, run: () => measure(['-e', '0'], env) }, ...ours]
}

/** Runs `node` under the shell's `time`, which counts threads and awaited processes too. */
function measure(args: readonly string[], env: Record<string, string>): Promise<Reading> {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1'
  return new Promise((resolve, reject) => {
    // Bash reads its startup file if standard input is a socket.
    const words = ['--norc', '-c', script, 'bash', process.execPath, ...args]
    execFile('bash', words, { env }, (error, _out, times) => {
      const code = error === null ? 0 : error.code
      if (typeof code !== 'number' || !EXIT_CODES.has(code)) {
        reject(new Error(`${args.join(' ')}: exit code ${code}`))
        return
      }
      const [user = Number.NaN, system = Number.NaN] = times.trim().split(' ').map(Number)
      const cpuSeconds = user + system
      resolve({ rate: 1 / cpuSeconds, more: { cpuMs: cpuSeconds * 1_000 } })
    })
  })
}
