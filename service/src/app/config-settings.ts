import { isIP } from 'node:net'
import { parseNetwork } from '../api/http/peer.ts'
import { type CrashAt, parseCrashAt } from './crash-at.ts'

/** Parses the text of a setting, or returns what is wrong with it. */
export type Parse<T> = (given: string) => { value: T } | { wrong: string }

/** One setting: where it may be given, what it means, and what it is when nobody gives it. */
export interface Setting<T> {
  /** Its variable; in the configuration file it stands under the table's own key. */
  env: string
  parse: Parse<T>
  default: T
  doc: string
  example: string
  /** Never printed; has a `_FILE` twin that names a file to read it from. */
  secret?: true
}

const text: Parse<string> = (given) => ({ value: given })

const someText: Parse<string> = (given) =>
  given.trim() === '' ? { wrong: 'must not be empty' } : { value: given }

const postgresUrl: Parse<string> = (given) =>
  given === '' || isPostgresUrl(given) ? { value: given } : { wrong: 'must be a URL of PostgreSQL' }

function isPostgresUrl(given: string): boolean {
  // A server that is reached by a socket may have no name beside a user's.
  const named = given.replace('@/', '@localhost/')
  return /^postgres(ql)?:\/\//.test(named) && URL.canParse(named)
}

const oneOf =
  <const T extends string>(...values: readonly T[]): Parse<T> =>
  (given) => {
    const value = values.find((one) => one === given)
    return value === undefined ? { wrong: `must be ${values.join(' or ')}` } : { value }
  }

const whole =
  (from: number, to: number): Parse<number> =>
  (given) => {
    const value = Number(given)
    const fits = /^[0-9]{1,12}$/.test(given) && value >= from && value <= to
    return fits ? { value } : { wrong: `must be a whole number from ${from} to ${to}` }
  }

const yesOrNo: Parse<boolean> = (given) =>
  given === 'true' || given === 'false'
    ? { value: given === 'true' }
    : { wrong: 'must be true or false' }

const yesNoOrUnset: Parse<boolean | null> = (given) =>
  given === '' ? { value: null } : yesOrNo(given)

const list: Parse<readonly string[]> = (given) => ({
  value: given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
})

const networks: Parse<readonly string[]> = (given) => {
  const read = list(given)
  const isRead = 'value' in read && read.value.every((one) => parseNetwork(one) !== null)
  return isRead ? read : { wrong: 'must be addresses or networks, with commas between' }
}

const nameServers: Parse<readonly string[]> = (given) => {
  const read = list(given)
  const isRead = 'value' in read && read.value.every(isNameServer)
  return isRead ? read : { wrong: 'must be IP addresses, each with or without a port' }
}

function isNameServer(server: string): boolean {
  const [, six, four] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(server) ?? []
  return isIP(six ?? four ?? server) !== 0
}

const crashAt: Parse<CrashAt | null> = (given) => {
  const value = given === '' ? null : parseCrashAt(given)
  return given === '' || value !== null ? { value } : { wrong: 'must name a point and its pass' }
}

export const ROLES = ['api', 'scanner', 'spender', 'webhooks', 'audit'] as const
export type LoopRole = (typeof ROLES)[number]

const roles: Parse<readonly LoopRole[]> = (given) => {
  const names = given.split(',').map((part) => part.trim())
  const known = names.flatMap((name) => ROLES.filter((role) => role === name))
  return known.length === names.length
    ? { value: known }
    : { wrong: `must name some of ${ROLES.join(', ')}, with commas between` }
}

/** The default does not widen what the parser names. */
const setting = <const T>(one: Setting<T>): Setting<T> => one

/** Every setting besides chains and tokens, which only the configuration file holds. */
export const SETTINGS = {
  environment: setting({
    env: 'SLUICE_ENV',
    parse: oneOf('production', 'development'),
    default: 'production',
    doc: 'In production, switches meant for development are refused at start.',
    example: 'production',
  }),
  dataFolder: setting({
    env: 'SLUICE_DATA_FOLDER',
    parse: someText,
    default: '.sluice',
    doc: 'Where the embedded database, the sealed seed and the service key are kept.',
    example: '/var/lib/sluice',
  }),
  databaseUrl: setting({
    env: 'SLUICE_DATABASE_URL',
    parse: postgresUrl,
    default: '',
    doc: 'Owner login of a PostgreSQL 15 or newer. Without any URL: the embedded database.',
    example: 'postgresql://sluice@db.internal/sluice',
    secret: true,
  }),
  databaseEngineUrl: setting({
    env: 'SLUICE_DATABASE_ENGINE_URL',
    parse: postgresUrl,
    default: '',
    doc: 'A login of the role sluice_engine, for the loops. Empty: the owner login is used.',
    example: 'postgresql://sluice_engine@db.internal/sluice',
    secret: true,
  }),
  databaseApiUrl: setting({
    env: 'SLUICE_DATABASE_API_URL',
    parse: postgresUrl,
    default: '',
    doc: 'A login of the role sluice_api, for requests. Empty: the owner login is used.',
    example: 'postgresql://sluice_api@db.internal/sluice',
    secret: true,
  }),
  postgresBin: setting({
    env: 'SLUICE_POSTGRES_BIN',
    parse: text,
    default: '',
    doc: 'Programs of a PostgreSQL for the embedded database. Empty: those brought along.',
    example: '/usr/lib/postgresql/17/bin',
  }),
  seedFile: setting({
    env: 'SLUICE_SEED_FILE',
    parse: text,
    default: '',
    doc: 'The sealed seed that `sluice keys init` made. Empty: seed.json in the data folder.',
    example: '/etc/sluice/seed.json',
  }),
  seedPassphrase: setting({
    env: 'SLUICE_SEED_PASSPHRASE',
    parse: text,
    default: '',
    doc: 'Opens a seed that is sealed with a passphrase.',
    example: 'correct horse battery staple',
    secret: true,
  }),
  seedKeyFile: setting({
    env: 'SLUICE_SEED_KEY_FILE',
    parse: text,
    default: '',
    doc: 'Opens a seed that is sealed with a key file, 32 bytes.',
    example: '/run/secrets/sluice-seed.key',
  }),
  serviceKeyFile: setting({
    env: 'SLUICE_SERVICE_KEY_FILE',
    parse: text,
    default: '',
    doc: 'The key that seals secrets in the database. Empty: service.key in the data folder.',
    example: '/run/secrets/sluice-service.key',
  }),
  host: setting({
    env: 'SLUICE_HOST',
    parse: someText,
    default: '127.0.0.1',
    doc: 'The address on which requests and metrics are answered.',
    example: '0.0.0.0',
  }),
  port: setting({
    env: 'SLUICE_PORT',
    parse: whole(1, 65_535),
    default: 8080,
    doc: 'The port of the interface.',
    example: '8080',
  }),
  metricsPort: setting({
    env: 'SLUICE_METRICS_PORT',
    parse: whole(0, 65_535),
    default: 9464,
    doc:
      'The port of /metrics, and of /healthz and /readyz for a process of any roles; 0 for none. ' +
      'The health check of the image uses it.',
    example: '9464',
  }),
  roles: setting({
    env: 'SLUICE_ROLES',
    parse: roles,
    default: ROLES,
    doc: 'Which loops this process runs; `sluice serve --roles <list>` overrides it.',
    example: 'api,webhooks',
  }),
  logLevel: setting({
    env: 'SLUICE_LOG_LEVEL',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    default: 'info',
    doc: 'The least important lines that are logged; above `info` no head of the audit log is.',
    example: 'info',
  }),
  logFormat: setting({
    env: 'SLUICE_LOG_FORMAT',
    parse: oneOf('auto', 'json', 'pretty'),
    default: 'auto',
    doc: 'JSON lines, or lines for people; auto: for people on a terminal.',
    example: 'json',
  }),
  apiKeyMayConfigure: setting({
    env: 'SLUICE_API_KEY_MAY_CONFIGURE',
    parse: yesNoOrUnset,
    default: null,
    doc:
      'Whether an API key may change the webhook URL, its secret and how many must approve a ' +
      'withdrawal. false: only admins. Development: true.',
    example: 'false',
  }),
  jwtTtlSeconds: setting({
    env: 'SLUICE_JWT_TTL_SECONDS',
    parse: whole(60, 43_200),
    default: 3600,
    doc: 'Seconds for which a person stays signed in.',
    example: '3600',
  }),
  limitReads: setting({
    env: 'SLUICE_LIMIT_READS',
    parse: whole(0, 1_000_000_000),
    default: 600,
    doc: 'Reads in a minute by one credential, or one address without one; 0 for no limit.',
    example: '600',
  }),
  limitWrites: setting({
    env: 'SLUICE_LIMIT_WRITES',
    parse: whole(0, 1_000_000_000),
    default: 120,
    doc: 'Writes in a minute by one credential, or one address without one; 0 for no limit.',
    example: '120',
  }),
  limitDepositAddresses: setting({
    env: 'SLUICE_LIMIT_DEPOSIT_ADDRESSES',
    parse: whole(0, 1_000_000_000),
    default: 300,
    doc: 'Questions for a deposit address in a minute by one credential; 0 for no limit.',
    example: '300',
  }),
  limitLogInsPerUser: setting({
    env: 'SLUICE_LIMIT_LOG_INS_PER_USER',
    parse: whole(0, 1_000_000_000),
    default: 5,
    doc: 'Attempts to sign in, in a minute, under one user name; 0 for no limit.',
    example: '5',
  }),
  limitLogInsPerAddress: setting({
    env: 'SLUICE_LIMIT_LOG_INS_PER_ADDRESS',
    parse: whole(0, 1_000_000_000),
    default: 20,
    doc: 'Attempts to sign in, in a minute, from one address (IPv6: from one /64); 0 for no limit.',
    example: '20',
  }),
  trustedProxies: setting({
    env: 'SLUICE_TRUSTED_PROXIES',
    parse: networks,
    default: [],
    doc: 'Addresses or networks of proxies whose X-Forwarded-For is believed. Empty: nobody.',
    example: '10.0.0.0/8,fd00::/8',
  }),
  gasWaitMinutes: setting({
    env: 'SLUICE_GAS_WAIT_MINUTES',
    parse: whole(0, 43_200),
    default: 60,
    doc:
      'Minutes a withdrawal waits for gas, for a fee that may be paid, or on Bitcoin and the XRP ' +
      'Ledger for funds, before it fails; elsewhere it is told of after so long a wait for funds.',
    example: '60',
  }),
  gasLowSweeps: setting({
    env: 'SLUICE_GAS_LOW_SWEEPS',
    parse: whole(0, 1_000_000),
    default: 20,
    doc: 'A gas wallet is called low when it pays for fewer sweeps than this.',
    example: '20',
  }),
  sweepFeeMultiple: setting({
    env: 'SLUICE_SWEEP_FEE_MULTIPLE',
    parse: whole(2, 1_000_000),
    default: 20,
    doc: 'Native currency is swept when it is worth so many times the fee of moving it.',
    example: '20',
  }),
  sweepMaxAgeHours: setting({
    env: 'SLUICE_SWEEP_MAX_AGE_HOURS',
    parse: whole(0, 87_600),
    default: 168,
    doc:
      'Hours after which money that was too little to be swept is moved all the same, but for ' +
      'less than a hundredth of `sweepAmount`, or of the native currency less than two fees.',
    example: '168',
  }),
  approvalMaxAgeHours: setting({
    env: 'SLUICE_APPROVAL_MAX_AGE_HOURS',
    parse: whole(1, 8_760),
    default: 24,
    doc: 'Hours for which an approval of a withdrawal counts.',
    example: '24',
  }),
  webhookAllowPrivate: setting({
    env: 'SLUICE_WEBHOOK_ALLOW_PRIVATE',
    parse: yesOrNo,
    default: false,
    doc: 'Development only: webhooks may go to private addresses.',
    example: 'false',
  }),
  webhookAllowHttp: setting({
    env: 'SLUICE_WEBHOOK_ALLOW_HTTP',
    parse: yesOrNo,
    default: false,
    doc: 'Development only: webhooks may go over plain HTTP.',
    example: 'false',
  }),
  webhookDevOrigins: setting({
    env: 'SLUICE_WEBHOOK_DEV_ORIGINS',
    parse: list,
    default: [],
    doc: 'Development only: origins that receive webhooks although they are private or not HTTPS.',
    example: 'http://127.0.0.1:8091',
  }),
  webhookNameServers: setting({
    env: 'SLUICE_WEBHOOK_NAME_SERVERS',
    parse: nameServers,
    default: [],
    doc:
      'Name servers that resolve webhook hosts, address or address:port. Empty: those of ' +
      '/etc/resolv.conf, whose search domains do not apply.',
    example: '10.0.0.53,[fd00::53]:5353',
  }),
  attemptsKeptDays: setting({
    env: 'SLUICE_ATTEMPTS_KEPT_DAYS',
    parse: whole(1, 3_650),
    default: 30,
    doc: 'Days for which attempts to deliver events are kept; events themselves are kept for good.',
    example: '30',
  }),
  pollMs: setting({
    env: 'SLUICE_POLL_MS',
    parse: whole(50, 60_000),
    default: 1000,
    doc: 'Milliseconds between two questions to a node for a new block.',
    example: '1000',
  }),
  nodeTimeoutMs: setting({
    env: 'SLUICE_NODE_TIMEOUT_MS',
    parse: whole(100, 10_000),
    default: 10_000,
    doc: 'Milliseconds in which a node must have answered, connection and body included.',
    example: '10000',
  }),
  auditMs: setting({
    env: 'SLUICE_AUDIT_MS',
    parse: whole(1_000, 3_600_000),
    default: 60_000,
    doc: 'Milliseconds between two comparisons of the ledger with the chains.',
    example: '60000',
  }),
  crashAt: setting({
    env: 'SLUICE_CRASH_AT',
    parse: crashAt,
    default: null,
    doc: 'Development only: the process ends, as by kill -9, at this pass of this point of a step.',
    example: 'connect.moved:1',
  }),
} as const

export type SettingName = keyof typeof SETTINGS
export type Settings = {
  readonly [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never
}
