import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const PREFIX = 'sluice-tests-'
/** Twice the bytes that a run of all tests has on the disk at the same time. */
const BYTES_NEEDED = 4 * 2 ** 30

/**
 * Keeps temporary files of this process and its children in memory if Linux has enough of it,
 * unless `TMPDIR` is set. The tests create and drop databases by the thousand, which costs ten
 * times as much on a disk (measured). The folder is removed when the process ends.
 */
export function keepInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !hasMemory()) return
  forgetTheDead()
  const folder = join(MEMORY, `${PREFIX}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // The database runs as another user if the tests run as root.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** Whether `/dev/shm` is a tmpfs with enough free memory that allows programs to run. */
function hasMemory(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , kind, options = 'noexec'] =
      mounts.map((line) => line.split(' ')).findLast(([, at]) => at === MEMORY) ?? []
    if (kind !== 'tmpfs' || options.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(MEMORY)
    const available = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))
    return Math.min(bavail * bsize, Number(available?.[1] ?? 0) * 1_024) > BYTES_NEEDED
  } catch {
    return false
  }
}

/** Removes the folders of killed runs. */
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
