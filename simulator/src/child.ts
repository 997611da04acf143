import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const STOP_LIMIT_MS = 10_000

/**
 * Ends the child when this process ends in any way, and removes the folder, if given: the shell
 * waits for the end of a pipe that we hold.
 */
export function guardChild(child: ChildProcess, folder: string): void {
  if (child.pid === undefined || process.platform === 'win32') return
  const watch = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'sh', String(child.pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.on('error', () => undefined)
  watch.stdin?.on('error', () => undefined)
  child.once('exit', () => watch.kill('SIGKILL'))
}

const GUARD_SCRIPT = `
  read -r _
  kill -TERM "$1"
  for tenth in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$1" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$1" 2>/dev/null
  test -z "$2" || rm -rf "$2"
`

/** Asks the child to end, waits for it, and kills it after a timeout. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await gone
  clearTimeout(force)
}
