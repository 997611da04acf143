import {
  crashAt,
  httpUrlOrEmpty,
  list,
  nameServers,
  networks,
  oneOf,
  type Parse,
  postgresUrl,
  publicUrlOrEmpty,
  someText,
  text,
  whole,
  yesNoOrUnset,
  yesOrNo,
} from './config-parsers.ts'

/** One setting: its sources, meaning and default. */
export interface Setting<T> {
  /** Its environment variable; its key in the file is the key of the table. */
  env: string
  parse: Parse<T>
  default: T
  doc: string
  example: string
  /** Never printed; the variable with the suffix `_FILE` names a file with the value. */
  secret?: true
}

export const ROLES = ['api', 'scanner', 'spender', 'webhooks', 'audit'] as const
export type LoopRole = (typeof ROLES)[number]

const roles: Parse<readonly LoopRole[]> = (input) => {
  const names = input.split(',').map((part) => part.trim())
  const known = names.flatMap((name) => ROLES.filter((role) => role === name))
  return known.length === names.length
    ? { value: known }
    : { wrong: `must list some of ${ROLES.join(', ')}, separated by commas` }
}

/** Prevents the default from widening the type of `parse`. */
const setting = <const T>(one: Setting<T>): Setting<T> => one

/** All settings except chains and tokens, which only the configuration file has. */
export const SETTINGS = {
  environment: setting({
    env: 'SLUICE_ENV',
    parse: oneOf('production', 'development'),
    default: 'production',
    doc: '`production` refuses development settings at startup.',
    example: 'production',
  }),
  dataFolder: setting({
    env: 'SLUICE_DATA_FOLDER',
    parse: someText,
    default: '.sluice',
    doc: 'Folder of the embedded database, the encrypted seed and the service key.',
    example: '/var/lib/sluice',
  }),
  databaseUrl: setting({
    env: 'SLUICE_DATABASE_URL',
    parse: postgresUrl,
    default: '',
    doc: 'Owner login of PostgreSQL 15 or newer. Without any URL: the embedded database.',
    example: 'postgresql://sluice@db.internal/sluice',
    secret: true,
  }),
  databaseEngineUrl: setting({
    env: 'SLUICE_DATABASE_ENGINE_URL',
    parse: postgresUrl,
    default: '',
    doc: 'Login of the role sluice_engine, for loops. Empty: the owner login.',
    example: 'postgresql://sluice_engine@db.internal/sluice',
    secret: true,
  }),
  databaseApiUrl: setting({
    env: 'SLUICE_DATABASE_API_URL',
    parse: postgresUrl,
    default: '',
    doc: 'Login of the role sluice_api, for requests. Empty: the owner login.',
    example: 'postgresql://sluice_api@db.internal/sluice',
    secret: true,
  }),
  postgresBin: setting({
    env: 'SLUICE_POSTGRES_BIN',
    parse: text,
    default: '',
    doc: 'Folder of PostgreSQL programs for the embedded database. Empty: the bundled ones.',
    example: '/usr/lib/postgresql/17/bin',
  }),
  seedFile: setting({
    env: 'SLUICE_SEED_FILE',
    parse: text,
    default: '',
    doc: 'The encrypted seed of `sluice keys init`. Empty: seed.json in the data folder.',
    example: '/etc/sluice/seed.json',
  }),
  seedPassphrase: setting({
    env: 'SLUICE_SEED_PASSPHRASE',
    parse: text,
    default: '',
    doc: 'Passphrase of the encrypted seed.',
    example: 'correct horse battery staple',
    secret: true,
  }),
  seedKeyFile: setting({
    env: 'SLUICE_SEED_KEY_FILE',
    parse: text,
    default: '',
    doc: 'Key file of the encrypted seed, 32 bytes.',
    example: '/run/secrets/sluice-seed.key',
  }),
  signerSocket: setting({
    env: 'SLUICE_SIGNER_SOCKET',
    parse: text,
    default: '',
    doc:
      'Unix socket of a signer that another user or container runs (`sluice signer`). Empty: ' +
      '`sluice serve` starts its own.',
    example: '/run/sluice/signer.sock',
  }),
  signerStore: setting({
    env: 'SLUICE_SIGNER_STORE',
    parse: text,
    default: '',
    doc: 'What the signer has signed; never delete it. Empty: signer.log in the data folder.',
    example: '/var/lib/sluice-signer/signer.log',
  }),
  serviceKeyFile: setting({
    env: 'SLUICE_SERVICE_KEY_FILE',
    parse: text,
    default: '',
    doc: 'The service key. Empty: service.key in the data folder.',
    example: '/run/secrets/sluice-service.key',
  }),
  host: setting({
    env: 'SLUICE_HOST',
    parse: someText,
    default: '127.0.0.1',
    doc: 'Listen address of the API and the metrics.',
    example: '0.0.0.0',
  }),
  port: setting({
    env: 'SLUICE_PORT',
    parse: whole(1, 65_535),
    default: 8080,
    doc: 'Port of the API.',
    example: '8080',
  }),
  publicUrl: setting({
    env: 'SLUICE_PUBLIC_URL',
    parse: publicUrlOrEmpty,
    default: '',
    doc:
      'URL at which people open the dashboard. Passkeys are bound to its host name; empty: no ' +
      'passkeys.',
    example: 'https://sluice.example.com',
  }),
  metricsPort: setting({
    env: 'SLUICE_METRICS_PORT',
    parse: whole(0, 65_535),
    default: 9464,
    doc:
      'Port of /metrics, /healthz and /readyz, for every role; 0: none. The health check of the ' +
      'image uses it.',
    example: '9464',
  }),
  roles: setting({
    env: 'SLUICE_ROLES',
    parse: roles,
    default: ROLES,
    doc: 'Roles of this process; `sluice serve --roles <list>` overrides it.',
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
    doc: '`json`: JSON lines; `pretty`: readable lines; `auto`: readable on a terminal.',
    example: 'json',
  }),
  apiKeyMayConfigure: setting({
    env: 'SLUICE_API_KEY_MAY_CONFIGURE',
    parse: yesNoOrUnset,
    default: null,
    doc:
      'Whether an API key may change the webhook URL, its secret and the required approvals. ' +
      'false: only admins. Development: true.',
    example: 'false',
  }),
  jwtTtlSeconds: setting({
    env: 'SLUICE_JWT_TTL_SECONDS',
    parse: whole(60, 43_200),
    default: 3600,
    doc: 'Lifetime of an access token, in seconds.',
    example: '3600',
  }),
  limitReads: setting({
    env: 'SLUICE_LIMIT_READS',
    parse: whole(0, 1_000_000_000),
    default: 600,
    doc: 'Reads per minute of a credential, or of an IP address without one; 0: no limit.',
    example: '600',
  }),
  limitWrites: setting({
    env: 'SLUICE_LIMIT_WRITES',
    parse: whole(0, 1_000_000_000),
    default: 120,
    doc: 'Writes per minute of a credential, or of an IP address without one; 0: no limit.',
    example: '120',
  }),
  limitDepositAddresses: setting({
    env: 'SLUICE_LIMIT_DEPOSIT_ADDRESSES',
    parse: whole(0, 1_000_000_000),
    default: 300,
    doc: 'Requests for deposit addresses per minute of a credential; 0: no limit.',
    example: '300',
  }),
  limitLogInsPerUser: setting({
    env: 'SLUICE_LIMIT_LOG_INS_PER_USER',
    parse: whole(0, 1_000_000_000),
    default: 5,
    doc: 'Sign-in attempts per minute of a user name; 0: no limit.',
    example: '5',
  }),
  limitLogInsPerAddress: setting({
    env: 'SLUICE_LIMIT_LOG_INS_PER_ADDRESS',
    parse: whole(0, 1_000_000_000),
    default: 20,
    doc: 'Sign-in attempts per minute of an IP address (IPv6: a /64 network); 0: no limit.',
    example: '20',
  }),
  trustedProxies: setting({
    env: 'SLUICE_TRUSTED_PROXIES',
    parse: networks,
    default: [],
    doc: 'Addresses or networks of proxies whose X-Forwarded-For is trusted.',
    example: '10.0.0.0/8,fd00::/8',
  }),
  gasWaitMinutes: setting({
    env: 'SLUICE_GAS_WAIT_MINUTES',
    parse: whole(0, 43_200),
    default: 60,
    doc:
      'Minutes a withdrawal waits for gas, for a lower fee, or on Bitcoin and the XRP Ledger for ' +
      'funds, before it fails. On other chains a wait for funds raises an alert after this time.',
    example: '60',
  }),
  gasLowSweeps: setting({
    env: 'SLUICE_GAS_LOW_SWEEPS',
    parse: whole(0, 1_000_000),
    default: 20,
    doc: 'A gas wallet is low if it pays for fewer sweeps than this.',
    example: '20',
  }),
  sweepFeeMultiple: setting({
    env: 'SLUICE_SWEEP_FEE_MULTIPLE',
    parse: whole(2, 1_000_000),
    default: 20,
    doc: 'Native currency is swept if it is worth this many times the fee.',
    example: '20',
  }),
  sweepMaxAgeHours: setting({
    env: 'SLUICE_SWEEP_MAX_AGE_HOURS',
    parse: whole(0, 87_600),
    default: 168,
    doc:
      'Hours after which a balance below the sweep limits is swept too, except less than a ' +
      'hundredth of `sweepAmount`, or less than two fees of the native currency.',
    example: '168',
  }),
  approvalMaxAgeHours: setting({
    env: 'SLUICE_APPROVAL_MAX_AGE_HOURS',
    parse: whole(1, 8_760),
    default: 24,
    doc: 'Hours for which an approval is valid.',
    example: '24',
  }),
  webhookAllowPrivate: setting({
    env: 'SLUICE_WEBHOOK_ALLOW_PRIVATE',
    parse: yesOrNo,
    default: false,
    doc: 'Development only: allow webhooks to private addresses.',
    example: 'false',
  }),
  webhookAllowHttp: setting({
    env: 'SLUICE_WEBHOOK_ALLOW_HTTP',
    parse: yesOrNo,
    default: false,
    doc: 'Development only: allow webhooks over plain HTTP.',
    example: 'false',
  }),
  webhookDevOrigins: setting({
    env: 'SLUICE_WEBHOOK_DEV_ORIGINS',
    parse: list,
    default: [],
    doc: 'Development only: origins that may receive webhooks although private or not HTTPS.',
    example: 'http://127.0.0.1:8091',
  }),
  testCodesUrl: setting({
    env: 'SLUICE_TEST_CODES_URL',
    parse: httpUrlOrEmpty,
    default: '',
    doc: 'Development only: URL of the codes of test persons, for a button of the dashboard.',
    example: 'http://127.0.0.1:8090/totp',
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
    doc: 'Days for which delivery attempts are kept. Events are kept permanently.',
    example: '30',
  }),
  pollMs: setting({
    env: 'SLUICE_POLL_MS',
    parse: whole(50, 60_000),
    default: 1000,
    doc: 'Milliseconds between two queries of a node for a new block.',
    example: '1000',
  }),
  nodeTimeoutMs: setting({
    env: 'SLUICE_NODE_TIMEOUT_MS',
    parse: whole(100, 10_000),
    default: 10_000,
    doc: 'Time limit of a node request in milliseconds, including connection and body.',
    example: '10000',
  }),
  auditMs: setting({
    env: 'SLUICE_AUDIT_MS',
    parse: whole(1_000, 3_600_000),
    default: 60_000,
    doc: 'Milliseconds between two audits of the ledger against the chains.',
    example: '60000',
  }),
  crashAt: setting({
    env: 'SLUICE_CRASH_AT',
    parse: crashAt,
    default: null,
    doc: 'Development only: kills the process at this pass of this point of a step.',
    example: 'connect.moved:1',
  }),
} as const

export type SettingName = keyof typeof SETTINGS
export type Settings = {
  readonly [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never
}
