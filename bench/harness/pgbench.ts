import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PGBENCH = ['/usr/lib/postgresql/15/bin/pgbench', '/usr/bin/pgbench']

/** The path of pgbench; null if it is not installed. */
export async function findPgbench(): Promise<string | null> {
  for (const program of PGBENCH) {
    const found = await promisify(execFile)(program, ['--version']).catch(() => null)
    if (found !== null) return program
  }
  return null
}

/**
 * Runs a script and says how often a second it went through. `:organizations` in it is how many
 * there are. `extended` is the service's own protocol; `prepared` plans each statement once.
 */
export async function runPgbench(
  program: string,
  given: {
    script: URL
    protocol: 'extended' | 'prepared'
    url: string
    organizations: number
    clients: number
    transactions: number
  },
): Promise<number> {
  const each = Math.max(1, Math.ceil(given.transactions / given.clients))
  const { searchParams, pathname } = new URL(given.url)
  const options = {
    '-M': given.protocol,
    '-f': fileURLToPath(given.script),
    '-D': `organizations=${given.organizations}`,
    '-c': given.clients,
    '-j': 2,
    '-t': each,
    '-h': searchParams.get('host') ?? '',
    '-p': 5432,
    '-U': searchParams.get('user') ?? '',
  }
  const args = Object.entries(options).flatMap(([name, value]) => [name, String(value)])
  const { stdout } = await promisify(execFile)(program, ['-n', ...args, pathname.slice(1)])
  const rate = /tps = ([0-9.]+)/.exec(stdout)?.[1]
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0'
  if (rate === undefined || failed !== '0') throw new Error(`pgbench failed: ${stdout}`)
  return Number(rate)
}
