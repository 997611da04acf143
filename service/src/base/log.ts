import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Clock, Millis } from './clock.ts'
import { Outage } from './fault.ts'

export type Log = Logger

/** Keys whose values never reach a log line, at any of the first levels of an object. */
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
  /**
   * Standard output for the service, standard error for commands whose output is read by others.
   */
  stream?: 1 | 2
  /** Where lines go instead of the stream. */
  destination?: { write(line: string): void }
}

/** JSON lines (pretty ones for a person), with the known names of secrets redacted. */
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

/** An outage is the world's fault: where we noticed it says nothing. Everything else has a stack. */
function describeError(error: Error): unknown {
  if (!(error instanceof Outage)) return pino.stdSerializers.err(error)
  return { type: error.name, message: error.message }
}

/** Something that fails again and again, from the first failure to the next success. */
interface Down {
  since: Millis
  failures: number
  isTold: boolean
  /** The work that failed, and has not succeeded since. */
  works: Set<string>
}

/** By log, and by the name of what is away. */
const downs = new WeakMap<Log, Map<string, Down>>()

/** Where outages are logged. */
export interface OutageLog {
  clock: Pick<Clock, 'now'>
  log: Log
}

/** An outage that stopped some work. */
export interface FailedWork {
  /** Names what failed; once it succeeds, `logSuccess` ends the outage. */
  work: string
  outage: Outage
  /** What is away; left out for what the outage names (a node, a chain, the database). */
  what?: string
  [field: string]: unknown
}

/** Logs the first outage of what is away, with all fields, and counts those that follow. */
export function logOutage(
  { clock, log }: OutageLog,
  { work, outage, what = outage.what, ...about }: FailedWork,
): void {
  const known = downs.get(log) ?? new Map<string, Down>()
  downs.set(log, known)
  const begun = { since: clock.now(), failures: 0, isTold: false, works: new Set<string>() }
  const down = known.get(what) ?? begun
  known.set(what, down)
  down.failures += 1
  down.works.add(work)
  const line = { ...about, what, work, reason: outage.message }
  const isLogged = outage.isLogged && what === outage.what
  if (down.isTold || isLogged) log.debug(line, 'an outage goes on')
  else log.warn(line, 'an outage begins')
  down.isTold ||= !isLogged
}

/** Logs the end of the outages that this work met, with their failures and duration. */
export function logSuccess({ clock, log }: OutageLog, work: string): void {
  for (const [what, { since, failures, isTold, works }] of downs.get(log) ?? []) {
    if (!works.has(work)) continue
    downs.get(log)?.delete(what)
    if (isTold) log.info({ what, failures, ms: clock.now() - since }, 'an outage is over')
  }
}
