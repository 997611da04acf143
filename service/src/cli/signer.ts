import { runSigner } from '@sluice/signer'
import { Command } from 'commander'
import { catalogueOf } from '../app/ground.ts'
import { openSeed } from '../app/keys.ts'
import { maxFeeOf, OPEN_AUTHORITY } from '../app/open-signer.ts'
import { systemClock } from '../base/clock.ts'
import { Misconfigured } from '../base/fault.ts'
import { openLog } from '../base/log.ts'
import { systemRandom } from '../base/random.ts'
import { isPretty, readConfig } from './context.ts'

/** `sluice signer`: opens the seed and signs for the service, in a process of its own. */
export function signerCommand(): Command {
  return new Command('signer')
    .option('--stdio', 'serve the parent process over the standard input and output')
    .action(async ({ stdio = false }: { stdio?: boolean }) => {
      await serve(stdio)
      // A request that is not answered yet does not delay the end.
      process.exit()
    })
}

async function serve(isStdio: boolean): Promise<void> {
  const config = readConfig()
  const log = openLog({ level: config.logLevel, pretty: isPretty(config), stream: 2 })
  const { signerSocket: socket, signerStore: store } = config
  if (!isStdio && socket === '')
    throw new Misconfigured('Set SLUICE_SIGNER_SOCKET to the path of the socket to serve.')
  const stop = stopSignal(isStdio)
  const keys = await openSeed(config, systemRandom)
  const at = isStdio ? { input: process.stdin, output: process.stdout } : socket
  const maxFee = maxFeeOf({ config, catalogue: catalogueOf(config) })
  const now = () => systemClock.now()
  const report = (error: unknown) => log.error({ err: error }, 'a request to the signer failed')
  const { fingerprint } = keys
  const where = isStdio ? 'the standard input and output' : socket
  log.info({ fingerprint, store, at: where }, 'the signer is up')
  const authority = OPEN_AUTHORITY
  await runSigner({ keys, store, at, maxFee, authority, now, report }, stop)
}

/**
 * Aborts at SIGTERM. A child ends with its pipes, after the last answer to its parent: SIGINT of a
 * terminal reaches both.
 */
function stopSignal(isStdio: boolean): AbortSignal {
  const stopping = new AbortController()
  process.on('SIGTERM', () => stopping.abort())
  process.on('SIGINT', () => {
    if (!isStdio) stopping.abort()
  })
  return stopping.signal
}
