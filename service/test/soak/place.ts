import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@sluice/simulator'
import type { SoakChain } from './chains/chain.ts'
import type { SoakDatabase } from './database.ts'
import type { FaultyNode } from './nodes.ts'
import type { Receivers } from './receivers.ts'
import { askSluice, ServiceProcess } from './service.ts'

export const DATABASE = 'sluice'
/** The database of the final rescan. */
export const FRESH = 'fresh'
const ROLES = 'api,scanner,spender,webhooks,audit'
const POLL_MS = 250
const AUDIT_MS = 20_000
const NODE_TIMEOUT_MS = 3_000

/** A private folder of the run that the database's user may enter. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-soak-'))
  await chmod(folder, 0o755)
  return folder
}

/** Writes a configuration for one database of the server; returns its path. */
export async function writeConfig(options: {
  folder: string
  database: SoakDatabase
  name: string
  /** Each chain with the URL of its node. */
  nodes: readonly { chain: SoakChain; url: string }[]
  receivers: Receivers
}): Promise<string> {
  const { folder, database, name, nodes, receivers } = options
  const { owner, engine, api } = database.urls(name)
  const path = join(folder, `${name}.config.json`)
  const config = {
    environment: 'development',
    dataFolder: join(folder, 'keys'),
    seedPassphrase: 'a passphrase for the soak alone',
    databaseUrl: owner,
    databaseEngineUrl: engine,
    databaseApiUrl: api,
    metricsPort: 0,
    logLevel: 'warn',
    logFormat: 'json',
    apiKeyMayConfigure: true,
    webhookDevOrigins: receivers.urls,
    limitReads: 0,
    limitWrites: 0,
    limitDepositAddresses: 0,
    pollMs: POLL_MS,
    auditMs: AUDIT_MS,
    nodeTimeoutMs: NODE_TIMEOUT_MS,
    chains: Object.fromEntries(
      nodes.map(({ chain, url }) => [chain.id, { nodes: [url], ...chain.config }]),
    ),
    tokens: nodes.flatMap(({ chain }) => chain.listed),
  }
  await writeFile(path, JSON.stringify(config, null, 2), { mode: 0o600 })
  return path
}

export interface Tenant {
  orgId: string
  apiKey: string
}

/** Makes keys, the schema and an organization, as an operator does. */
export async function found(config: string): Promise<Tenant> {
  await askSluice(config, ['keys', 'init', '--yes'])
  await askSluice(config, ['migrate'])
  const org = ['org', 'create', '--name', 'Soak']
  const { id, apiKey } = await askSluice<{ id: string; apiKey: string }>(config, org)
  return { orgId: id, apiKey }
}

/** Processes of the service with all roles each, so that any can take over. */
export async function makeServices(options: {
  folder: string
  config: string
  count: number
}): Promise<ServiceProcess[]> {
  const { folder, config, count } = options
  const services: ServiceProcess[] = []
  for (let at = 1; at <= count; at += 1) {
    const port = await freePort()
    services.push(new ServiceProcess({ name: `service-${at}`, config, port, roles: ROLES, folder }))
  }
  return services
}

/** The URLs of the proxies, or of the nodes. */
export function reached(
  chains: readonly SoakChain[],
  nodes: ReadonlyMap<string, FaultyNode>,
): { chain: SoakChain; url: string }[] {
  return chains.map((chain) => ({ chain, url: nodes.get(chain.id)?.url ?? '' }))
}

/** The same without any fault. */
export function reachedDirectly(chains: readonly SoakChain[]): { chain: SoakChain; url: string }[] {
  return chains.map((chain) => ({ chain, url: chain.urlOf(Number(new URL(chain.nodeUrl).port)) }))
}
