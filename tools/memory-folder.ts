import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const PREFIX = 'sluice-tests-'
/** What a run of all tests writes at the same time, and as much again. */
const ROOM = 4 * 2 ** 30

/**
 * Has this process and all that it starts keep what is temporary in memory, where Linux offers
 * that with room enough, unless `TMPDIR` says something else. The tests make and drop databases
 * by the thousand, which costs a disk ten times as much (measured). Gone when the process ends.
 */
export function keepInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !isRoomy()) return
  forgetTheDead()
  const folder = join(MEMORY, `${PREFIX}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // The database's user is another one where the tests run as root.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** Whether there is such a place, from which programs may be started too. */
function isRoomy(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , kind, options = 'noexec'] =
      mounts.map((line) => line.split(' ')).findLast(([, at]) => at === MEMORY) ?? []
    if (kind !== 'tmpfs' || options.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(MEMORY)
    const available = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))
    return Math.min(bavail * bsize, Number(available?.[1] ?? 0) * 1_024) > ROOM
  } catch {
    return false
  }
}

/** Takes away what runs left behind that were killed. */
function forgetTheDead(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : 0
    if (pid > 0 && !isAlive(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
