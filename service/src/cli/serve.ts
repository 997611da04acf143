import { Command, InvalidArgumentError } from 'commander'
import { type LoopRole, SETTINGS } from '../app/config-settings.ts'
import { startApp } from '../app/app.ts'
import { openGround } from '../app/ground.ts'
import { openLog } from '../base/log.ts'
import { isPretty, readConfig } from './context.ts'
import { EXIT } from './exit.ts'

/** `sluice serve`: the service, all of it or some of its loops. */
export function serveCommand(version: string): Command {
  return new Command('serve')
    .option('--roles <list>', 'which loops to run: api,scanner,spender,webhooks,audit', parseRoles)
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
  try {
    const holder = `${process.pid}-${ground.ids.next()}`
    const app = await startApp(ground, { roles: roles ?? config.roles, version, holder })
    log.info({ version, url: app.url, config: config.file, holder }, 'the service is up')
    const lost = ground.databaseEnded.then(() => null)
    const signal = await Promise.race([stopSignal(), lost])
    if (signal === null) process.exitCode = EXIT.unhealthy
    log.info({ reason: signal ?? 'the embedded database ended' }, 'the service stops')
    await app.stop()
  } finally {
    await ground.close()
  }
}

/** Resolves with the first signal that asks the process to end; a second one ends it at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false
    const stop = (signal: string) => {
      if (asked) process.exit(EXIT.failed)
      asked = true
      resolve(signal)
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
