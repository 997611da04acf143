import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { codeOf } from '../base/fault.ts'
import type { Log } from '../base/log.ts'
import type { Home, RunAs } from './embedded-home.ts'

/** Output lines that explain why a server did not start. */
const LINES_KEPT = 20
/** The server does not inherit our environment, which may contain secrets. */
const ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** A running PostgreSQL program and its last output. */
export interface Running {
  child: ChildProcess
  /** Its exit code; null if a signal ended it. */
  exited: Promise<number | null>
  isOver(): boolean
  lastWords(): string
}

/**
 * Starts a program as the server's user in a separate process group, so that Ctrl-C does not reach
 * it. On Linux it is interrupted when this process dies.
 */
export function startProgram(
  { program, args, home }: { program: string; args: readonly string[]; home: Home },
  log: Log,
): Running {
  const leash = canLeash() ? ['setpriv', '--pdeathsig=INT', '--'] : []
  const [command = program, ...rest] = [...leash, program, ...args]
  const child = spawn(command, rest, {
    ...identity(home.runAs),
    cwd: home.folder,
    env: ENV,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > LINES_KEPT) lines.shift()
      if (/ (FATAL|PANIC): /.test(line)) log.warn({ line }, 'PostgreSQL')
      else log.debug({ line }, 'PostgreSQL')
    })
  }
  let over = false
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
    child.once('error', (error) => {
      lines.push(error.message)
      resolve(null)
    })
  }).finally(() => (over = true))
  return { child, exited, isOver: () => over, lastWords: () => lines.join('\n') }
}

/** The server setting with the pid of the process that started it. */
export function clusterName(starter: number): string {
  return `sluice-${starter}`
}

/** A running server of a data folder. */
export interface Postmaster {
  pid: number
  /** The pid of the process that started it; 0 if it was started manually. */
  starter: number
  socketFolder: string
  isReady: boolean
}

/** The running server according to `postmaster.pid`, or null. */
export async function findPostmaster(home: Home): Promise<Postmaster | null> {
  const lines = await readLock(home)
  const pid = pidOf(lines)
  const command = pid === 0 ? '' : await commandOf(pid)
  if (!command.includes(home.data)) return null
  const starter = Number(/cluster_name=sluice-([0-9]+)/.exec(command)?.[1] ?? 0)
  return { pid, starter, socketFolder: lines[4] ?? '', isReady: lines[7] === 'ready' }
}

/**
 * Removes a lock file whose pid belongs to another program, as after a restart of the machine or
 * container. PostgreSQL would take that program for a server and refuse to start.
 */
export async function removeStaleLock(home: Home): Promise<void> {
  const pid = pidOf(await readLock(home))
  if (pid === 0 || !isAlive(pid) || (await commandOf(pid)).includes(home.data)) return
  if (pidOf(await readLock(home)) === pid) await rm(lockOf(home), { force: true })
}

function lockOf(home: Home): string {
  return join(home.data, 'postmaster.pid')
}

async function readLock(home: Home): Promise<string[]> {
  const text = await readFile(lockOf(home), 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.trim())
}

function pidOf(lines: readonly string[]): number {
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? pid : 0
}

/** Whether a process with that pid exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isOnlyUnburied(pid)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Linux keeps the pid of an ended process until its parent or init reads its status. */
function isOnlyUnburied(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')')).startsWith(') Z')
  } catch {
    return false
  }
}

/** Interrupts a server: it ends its connections and shuts down cleanly. */
export function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // Already ended.
  }
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
}

function canLeash(): boolean {
  if (process.platform !== 'linux') return false
  const tried = spawnSync('setpriv', ['--pdeathsig=INT', '--', 'true'], {
    stdio: 'ignore',
    env: ENV,
  })
  return tried.status === 0
}

function identity(runAs: RunAs | null): { uid?: number; gid?: number } {
  return runAs ? { uid: runAs.uid, gid: runAs.gid } : {}
}
