import { pino } from 'pino'
import type { Logger } from 'pino'

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
    serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
  }
  if (destination) return pino(options, destination)
  if (!pretty) return pino(options, pino.destination({ dest: stream, sync: true }))
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { destination: stream } },
  })
}
