import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { codeOf } from '../base/fault.ts'
import type { Log } from '../base/log.ts'
import type { Home, RunAs } from './embedded-home.ts'

/** What the server's last words are searched for when it did not start. */
const LINES_KEPT = 20
/** Nothing of our own environment goes to the server: secrets may be in it. */
const ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** A running program of PostgreSQL and what it said last. */
export interface Running {
  child: ChildProcess
  /** Its exit code; null where a signal ended it. */
  exited: Promise<number | null>
  isOver(): boolean
  lastWords(): string
}

/**
 * Starts a program as the server's user, in a process group of its own (a Ctrl-C in the terminal is
 * for us alone), and asks Linux to interrupt it when we die, however that happens.
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

/** The name under which a server carries the number of the process that started it. */
export function clusterName(starter: number): string {
  return `sluice-${starter}`
}

/** A live server of a data folder. */
export interface Postmaster {
  pid: number
  /** The process that started it; 0 where it was started by hand. */
  starter: number
  socketFolder: string
  isReady: boolean
}

/** The server that `postmaster.pid` names; null where there is none or it is gone. */
export async function findPostmaster(home: Home): Promise<Postmaster | null> {
  const lines = await readLock(home)
  const pid = pidOf(lines)
  const command = pid === 0 ? '' : await commandOf(pid)
  if (!command.includes(home.data)) return null
  const starter = Number(/cluster_name=sluice-([0-9]+)/.exec(command)?.[1] ?? 0)
  return { pid, starter, socketFolder: lines[4] ?? '', isReady: lines[7] === 'ready' }
}

/**
 * Removes a lock file whose number belongs to some other program by now (a restarted machine or
 * container counts anew); PostgreSQL itself would take that one for a server and refuse to start.
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

/** Whether a process of that number runs, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isOnlyUnburied(pid)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Linux keeps the number of a process that ended until its parent, or init, takes notice. */
function isOnlyUnburied(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')')).startsWith(') Z')
  } catch {
    return false
  }
}

/** Interrupts a server: it breaks off what its clients do and shuts down cleanly. */
export function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // It was gone already.
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
