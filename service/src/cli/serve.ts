import { Command, InvalidArgumentError } from 'commander'
import { type LoopRole, SETTINGS } from '../app/config-settings.ts'
import { startApp } from '../app/app.ts'
import { openGround } from '../app/ground.ts'
import { openServiceSigner } from '../app/open-signer.ts'
import type { Unfinished } from '../app/loops.ts'
import { type Millis, callIfAlive } from '../base/clock.ts'
import { type Log, openLog } from '../base/log.ts'
import { isPretty, readConfig } from './context.ts'
import { EXIT } from './exit.ts'

/** Time limit of a stop; supervisors kill after ten seconds without a log line. */
const STOP_MS: Millis = 9_000

/** Time for the log thread to write its last lines. */
const LAST_LINES_MS: Millis = 100

/** `sluice serve`: runs the service, or some of its loops. */
export function serveCommand(version: string): Command {
  return new Command('serve')
    .option('--roles <list>', 'loops to run: api,scanner,spender,webhooks,audit', parseRoles)
    .action(async ({ roles }: { roles?: readonly LoopRole[] }) => serve(version, roles ?? null))
}

function parseRoles(text: string): readonly LoopRole[] {
  const parsed = SETTINGS.roles.parse(text)
  if ('value' in parsed) return parsed.value
  throw new InvalidArgumentError(`It ${parsed.wrong}, such as api,webhooks.`)
}

async function serve(version: string, roles: readonly LoopRole[] | null): Promise<void> {
  const config = readConfig()
  const log = openLog({ level: config.logLevel, pretty: isPretty(config), stream: 1 })
  const ground = await openGround(config, log, 'service')
  let unfinished: Unfinished | null = null
  try {
    const holder = `${process.pid}-${ground.ids.next()}`
    const openSigner = () => openServiceSigner(ground, signerProgram())
    const options = { roles: roles ?? config.roles, version, holder, openSigner }
    const app = await startApp(ground, options)
    unfinished = app.unfinished
    log.info({ version, url: app.url, config: config.file, holder }, 'the service is up')
    const lost = ground.databaseEnded.then(() => null)
    const signal = await Promise.race([stopSignal(log), lost])
    if (signal === null) process.exitCode = EXIT.unhealthy
    log.info({ reason: signal ?? 'the embedded database ended' }, 'the service stops')
    endAfter(STOP_MS, log, app.unfinished)
    await app.stop()
  } finally {
    const closing = ground.close()
    await (unfinished?.track('database', closing) ?? closing)
  }
}

/** This program, as the signer of this process. */
function signerProgram(): [string, ...string[]] {
  const [node = process.execPath, program = 'sluice'] = process.argv
  return [node, ...process.execArgv, program, 'signer', '--stdio']
}

/** Kills the process if it still runs after `ms`. */
function endAfter(ms: Millis, log: Log, unfinished: Unfinished): void {
  callIfAlive(ms, () => {
    const left = unfinished.list()
    const running = left.length > 0 ? left : ['threads of Node.js (name lookups, files, hashes)']
    log.error({ running }, `the service did not stop within ${ms} ms and is killed`)
    killSelf()
  })
}

/**
 * Kills the process after its last log lines. `process.exit` would wait for work queued on libuv's
 * threads; an embedded database ends with its parent process.
 */
function killSelf(): void {
  callIfAlive(LAST_LINES_MS, () => process.kill(process.pid, 'SIGKILL'))
}

/** Resolves with the first stop signal; a second one kills the process. */
function stopSignal(log: Log): Promise<string> {
  return new Promise((resolve) => {
    let asked = false
    const stop = (signal: string) => {
      if (asked) {
        log.warn({ signal }, 'a second signal: the service is killed')
        return killSelf()
      }
      asked = true
      resolve(signal)
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
