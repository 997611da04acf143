import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Clock, Millis } from './clock.ts'
import { Outage } from './fault.ts'

export type Log = Logger

/** Keys whose values are redacted in the first three levels of an object. */
const SECRET_KEYS = [
  'password',
  'totpCode',
  'totpSecret',
  'apiKey',
  'accessToken',
  'authorization',
  'cookie',
  'webhookSigningSecret',
  'secret',
  'seed',
  'mnemonic',
  'passphrase',
  'privateKey',
  'xprv',
]

const REDACTED = [
  ...SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
  'req.headers["x-api-key"]',
  'headers["x-api-key"]',
  '*.headers["x-api-key"]',
]

export interface LogOptions {
  level: string
  pretty: boolean
  /** Standard output for the service, standard error for commands. */
  stream?: 1 | 2
  /** Replaces the stream. */
  destination?: { write(line: string): void }
}

/** Opens a log of JSON lines, or readable ones if `pretty`. Secrets are redacted by key. */
export function openLog({ level, pretty, stream = 1, destination }: LogOptions): Log {
  const options = {
    level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError, error: describeError },
  }
  if (destination) return pino(options, destination)
  if (!pretty) return pino(options, pino.destination({ dest: stream, sync: true }))
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { destination: stream } },
  })
}

/** The stack of an Outage is of no use; every other error keeps its stack. */
function describeError(error: Error): unknown {
  if (!(error instanceof Outage)) return pino.stdSerializers.err(error)
  return { type: error.name, message: error.message }
}

interface Down {
  since: Millis
  failures: number
  works: Set<string>
}

/** Current outages, by the name of the node, chain or database. */
const downs = new WeakMap<Log, Map<string, Down>>()

export interface OutageLog {
  clock: Pick<Clock, 'now'>
  log: Log
}

/**
 * Logs the first Outage of `what` (default: the one that the Outage names) with all fields, and
 * counts the following ones. `logSuccess` of the same `work` ends it.
 */
export function logOutage(
  { clock, log }: OutageLog,
  fields: { work: string; outage: Outage; what?: string; [field: string]: unknown },
): void {
  const { work, outage, what = outage.what, ...about } = fields
  const line = { ...about, what, work, reason: outage.message }
  if (outage.isLogged && what === outage.what) return log.debug(line, 'outage continues')
  const known = downs.get(log) ?? new Map<string, Down>()
  const down: Down = known.get(what) ?? { since: clock.now(), failures: 0, works: new Set() }
  downs.set(log, known.set(what, down))
  down.failures += 1
  down.works.add(work)
  if (down.failures === 1) log.warn(line, 'outage started')
  else log.debug(line, 'outage continues')
}

/** Logs the end of the outages of this work, with the number of failures and the duration. */
export function logSuccess({ clock, log }: OutageLog, work: string): void {
  for (const [what, { since, failures, works }] of downs.get(log) ?? []) {
    if (!works.has(work)) continue
    downs.get(log)?.delete(what)
    log.info({ what, failures, ms: clock.now() - since }, 'outage ended')
  }
}
