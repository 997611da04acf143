import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const STOP_MS = 20_000
const TICKS_A_SECOND = 100

/** A child process of ours that talks to us by messages; killed when we end. */
export interface Child<News> {
  readonly pid: number
  /** The first message for which the answer is not null, those that came before included. */
  hear<T>(pick: (news: News) => T | null, limitMs?: number): Promise<T>
  /** Calls for each message from now on. */
  listen(hear: (news: News) => void): void
  send(message: object): void
  /** User and system time so far, in seconds. */
  cpu(): number
  stop(): Promise<void>
}

/** Starts a program of this folder. It inherits how we run TypeScript. */
export async function startChild<News>(
  program: URL,
  args: readonly (string | number)[] = [],
  options: ForkOptions = {},
): Promise<Child<News>> {
  const child = fork(fileURLToPath(program), args.map(String), { ...options })
  const heard: News[] = []
  const ears = new Set<(news: News) => void>()
  child.on('message', (message: News) => {
    heard.push(message)
    for (const ear of ears) ear(message)
  })
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  return {
    pid,
    hear: (pick, limitMs = 120_000) => waitFor({ child, heard, ears }, pick, limitMs),
    listen: (ear) => void ears.add(ear),
    send: (message) => void child.send(message),
    cpu: () => cpuSeconds(pid),
    stop: () => stopChild(child),
  }
}

/** Interrupts a process that we started and waits; kills it if it does not end. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(late)
}

/** User and system time of a process and its threads, from /proc; 0 without /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
  } catch {
    return 0
  }
}

/** The most memory a process has ever held, in MB. */
export function peakMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
  } catch {
    return 0
  }
}

function waitFor<News, T>(
  { child, heard, ears }: { child: ChildProcess; heard: News[]; ears: Set<(news: News) => void> },
  pick: (news: News) => T | null,
  limitMs: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      clearTimeout(late)
      ears.delete(ear)
      child.off('exit', gone)
      act()
    }
    const ear = (news: News) => {
      const found = pick(news)
      if (found !== null) end(() => resolve(found))
    }
    const gone = () => end(() => reject(new Error(`${child.spawnfile} ended too early`)))
    const late = setTimeout(() => end(() => reject(new Error('a child is silent'))), limitMs)
    ears.add(ear)
    child.once('exit', gone)
    for (const news of heard) {
      const found = pick(news)
      if (found === null) continue
      end(() => resolve(found))
      break
    }
  })
}
