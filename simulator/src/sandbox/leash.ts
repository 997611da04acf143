import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Ends a child when this process ends, however that happens: a shell waits for the end of a pipe
 * that only we hold, asks the child to stop, and insists after ten seconds.
 */
export function leash(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return
  const script = [
    'read -r _',
    'kill -TERM "$1"',
    'for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || exit; sleep 1; done',
    'kill -KILL "$1"',
  ].join('; ')
  const watch = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.on('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  child.once('exit', () => watch.kill('SIGKILL'))
}
