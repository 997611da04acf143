import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foundOrganization } from '../../service/src/app/found-organization.ts'
import { systemClock } from '../../service/src/base/clock.ts'
import { systemRandom } from '../../service/src/base/random.ts'
import { uuids } from '../../service/src/base/id.ts'
import { Secret } from '../../service/src/base/secret.ts'
import {
  createSeed,
  importSeed,
  sealSeed,
  writeSeedFile,
} from '../../service/src/keys/seed-file.ts'
import { type ServiceKey, createServiceKeyFile } from '../../service/src/keys/service-key.ts'
import { wrapByPassphrase } from '../../service/src/keys/wrap-seed.ts'
import { setWebhookUrl } from '../../service/src/orgs/settings.ts'
import { readSigningSecrets } from '../../service/src/orgs/signing-secret.ts'
import { type Database, type DatabaseUrls, openDatabase } from '../../service/src/store/database.ts'
import { quiet } from './postgres.ts'

const PASSPHRASE = 'a passphrase of the benchmarks alone'

/** A folder with a seed and a service key, as `sluice keys init` makes them. */
export interface Keys {
  folder: string
  serviceKey: ServiceKey
  remove(): Promise<void>
}

export async function makeKeys(): Promise<Keys> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-keys-'))
  const wrapper = wrapByPassphrase({ passphrase: new Secret(PASSPHRASE), random: systemRandom })
  const seed = importSeed(createSeed(systemRandom))
  writeSeedFile(join(folder, 'seed.json'), await sealSeed(seed, wrapper, { now: Date.now() }))
  seed.destroy()
  const serviceKey = createServiceKeyFile(join(folder, 'service.key'), systemRandom)
  return { folder, serviceKey, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Opens a database of the benchmarks as the service does. */
export function openBenchDatabase(urls: DatabaseUrls): Database {
  return openDatabase({
    urls,
    clock: systemClock,
    ids: uuids(systemClock, systemRandom),
    log: quiet,
  })
}

export interface Tenant {
  orgId: string
  apiKey: string
  signingSecret: string
}

/** An organization, with a webhook URL if one is passed. */
export async function foundTenant(
  database: Database,
  { serviceKey }: Keys,
  given: { name: string; webhookUrl?: string },
): Promise<Tenant> {
  const founding = { name: given.name, actor: 'bench', random: systemRandom }
  const { organization, apiKey } = await foundOrganization(database, serviceKey, founding)
  const orgId = organization.id
  const { webhookUrl: url } = given
  return database.transaction(async (tx) => {
    if (url !== undefined) await setWebhookUrl(tx, serviceKey, { orgId, url, actor: 'bench' })
    const [key] = await readSigningSecrets(tx, serviceKey, orgId)
    return { orgId, apiKey: apiKey.reveal(), signingSecret: key?.secret.reveal() ?? '' }
  })
}

/** A chain of the configuration file. */
export interface BenchChain {
  nodes: string[]
  completeness?: 'logs' | 'receipts'
  startHeight?: number
  confirmations?: number
  pollMs?: number
}

/** Writes a configuration and answers with the environment that a program of ours runs in. */
export async function writeConfig(
  { folder }: Keys,
  given: {
    urls: DatabaseUrls | null
    chains?: Record<string, BenchChain>
    /** Tokens of the operator's own. */
    tokens?: readonly object[]
    port?: number
    webhookOrigins?: string[]
    caFile?: string
    roles: string
  },
): Promise<Record<string, string>> {
  const file = join(folder, `config-${given.roles.replaceAll(',', '-')}.json`)
  const chains = Object.entries(given.chains ?? {}).map(([id, chain]) => [
    id,
    { traces: 'off', pollMs: 50, ...chain },
  ])
  const { tokens = [] } = given
  const config = { chains: Object.fromEntries(chains), tokens }
  await writeFile(file, JSON.stringify(config), { mode: 0o600 })
  return {
    PATH: process.env['PATH'] ?? '',
    SLUICE_CONFIG: file,
    SLUICE_ENV: 'development',
    SLUICE_DATA_FOLDER: folder,
    SLUICE_SEED_PASSPHRASE: PASSPHRASE,
    SLUICE_METRICS_PORT: '0',
    SLUICE_LOG_LEVEL: process.env['BENCH_LOG'] ?? 'error',
    SLUICE_LOG_FORMAT: 'json',
    SLUICE_ROLES: given.roles,
    // The benchmark measures the machine, so rate limits of callers are off.
    SLUICE_LIMIT_READS: '0',
    SLUICE_LIMIT_WRITES: '0',
    SLUICE_LIMIT_DEPOSIT_ADDRESSES: '0',
    ...(given.urls === null ? {} : databaseOf(given.urls)),
    ...(given.port === undefined ? {} : { SLUICE_PORT: String(given.port) }),
    ...(given.webhookOrigins === undefined
      ? {}
      : { SLUICE_WEBHOOK_DEV_ORIGINS: given.webhookOrigins.join(',') }),
    ...(given.caFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: given.caFile }),
  }
}

function databaseOf({ owner, engine, api }: DatabaseUrls): Record<string, string> {
  return {
    SLUICE_DATABASE_URL: owner,
    SLUICE_DATABASE_ENGINE_URL: engine,
    SLUICE_DATABASE_API_URL: api,
  }
}
