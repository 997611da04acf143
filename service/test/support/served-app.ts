import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { openCommandSigner } from '../../src/app/open-signer.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@sluice/simulator'
import { startApp } from '../../src/app/app.ts'
import { loadConfig } from '../../src/app/config.ts'
import { foundOrganization } from '../../src/app/found-organization.ts'
import { openGround } from '../../src/app/ground.ts'
import { seedWrapper } from '../../src/app/keys.ts'
import { systemRandom } from '../../src/base/random.ts'
import { createKeyFile } from '../../src/keys/key-file.ts'
import { createSeed, importSeed, sealSeed, writeSeedFile } from '../../src/keys/seed-file.ts'
import { createServiceKeyFile } from '../../src/keys/service-key.ts'
import { silentLog } from './clock.ts'
import { openTestDatabase } from './database.ts'

/** A whole service on its door, with one organization whose API key is known. */
export interface ServedApp {
  url: string
  orgId: string
  /** Asks the door with the organization's key; gives status and body. */
  ask(
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  stop(): Promise<void>
}

/** Starts the service as `sluice serve` does, with all loops, real time and a separate folder. */
export async function serveApp(given: {
  chains: Record<string, unknown>
  tokens?: readonly unknown[]
  webhookDevOrigins: readonly string[]
}): Promise<ServedApp> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-app-'))
  const harness = await openTestDatabase()
  const file = join(folder, 'sluice.config.json')
  const settings = {
    environment: 'development',
    dataFolder: folder,
    seedKeyFile: join(folder, 'seed.key'),
    databaseUrl: harness.urls.owner,
    databaseEngineUrl: harness.urls.engine,
    databaseApiUrl: harness.urls.api,
    port: await freePort(),
    metricsPort: 0,
    // A test asks again and again until something has happened.
    limitReads: 0,
    pollMs: 50,
    auditMs: 1_000,
  }
  await writeFile(file, JSON.stringify({ ...settings, ...given }))
  const config = loadConfig({ SLUICE_CONFIG: file })
  createKeyFile(config.seedKeyFile, systemRandom)
  const seed = importSeed(createSeed(systemRandom))
  const wrapper = seedWrapper(config, systemRandom)
  writeSeedFile(config.seedFile, await sealSeed(seed, wrapper, { now: Date.now() }))
  const serviceKey = createServiceKeyFile(config.serviceKeyFile, systemRandom)
  const ground = await openGround(config, silentLog(), 'service')
  const founder = { name: 'Exchange', actor: 'test', random: systemRandom }
  const { organization, apiKey } = await foundOrganization(ground.database, serviceKey, founder)
  const openSigner = () => openCommandSigner(ground)
  const how = { roles: config.roles, version: 'test', holder: 'test', openSigner }
  const app = await startApp(ground, how)
  const url = app.url ?? ''
  return {
    url,
    orgId: organization.id,
    ask: (method, path, body) => ask(`${url}${path}`, { method, key: apiKey.reveal(), body }),
    async stop() {
      await app.stop()
      await ground.close()
      await harness.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function ask(
  url: string,
  { method, key, body }: { method: string; key: string; body: unknown },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(url, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : JSON_BODY) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: parseRecord(await answer.text()) }
}

const JSON_BODY = { 'content-type': 'application/json' }

function parseRecord(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}
