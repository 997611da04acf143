import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@sluice/simulator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { findEmbedded } from '../../src/store/embedded.ts'
import { makeEmptyDatabase } from '../support/database.ts'
import { install, makeDatabaseUrl } from './installation.ts'
import { build, makeHome, serve, sluice, until, untilReady, writeConfig } from './program.ts'

beforeAll(build)

describe('on its embedded database', () => {
  /** An installation with keys, and what it needs to be served. */
  async function embedded() {
    const home = makeHome()
    const port = await freePort()
    const config = writeConfig(home, { port })
    expect(await sluice(config, ['keys', 'init', '--yes'])).toMatchObject({ code: 0 })
    return { home, port, config, data: join(home, 'data') }
  }

  test('a service starts, answers, and SIGTERM stops it and its database cleanly', async () => {
    const { config, port, data } = await embedded()
    const service = serve(config)
    await untilReady(port, service)
    expect(await findEmbedded(data)).not.toBeNull()
    // A command beside it uses the database that it runs.
    expect(await sluice(config, ['org', 'create', '--name', 'Acme'])).toMatchObject({ code: 0 })
    expect(await service.end('SIGTERM')).toBe(0)
    expect(await findEmbedded(data)).toBeNull()
    const listed = await sluice(config, ['org', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'Acme' }])
  })

  test('after kill -9 the next start finds everything, and no server is left behind', async () => {
    const { config, port, data } = await embedded()
    const first = serve(config)
    await untilReady(port, first)
    expect(await sluice(config, ['org', 'create', '--name', 'Acme'])).toMatchObject({ code: 0 })
    await first.end('SIGKILL')
    await until('the server to end with its starter', async () =>
      (await findEmbedded(data)) === null ? true : null,
    )
    const second = serve(config)
    await untilReady(port, second)
    const listed = await sluice(config, ['org', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'Acme' }])
    expect(await second.end()).toBe(0)
  })

  test('a service ends with a message when its database is killed', async () => {
    const { config, port, data } = await embedded()
    const service = serve(config)
    await untilReady(port, service)
    process.kill((await findEmbedded(data))?.pid ?? 0, 'SIGKILL')
    expect(await service.exited).toBe(3)
    expect(service.output()).toContain('the embedded database ended')
  })
})

describe('without the login that owns the tables', () => {
  test('the service serves a current schema, and no command migrates or backs up', async () => {
    const empty = await makeEmptyDatabase()
    onTestFinished(() => empty.drop())
    const { owner, engine, api } = empty.urls
    const home = makeHome()
    const port = await freePort()
    const logins = { databaseEngineUrl: engine, databaseApiUrl: api }
    const config = writeConfig(home, { port, ...logins })
    const early = await sluice(config, ['org', 'list'])
    expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('sluice migrate') })
    const migrating = writeConfig(makeHome(), { ...logins, databaseUrl: owner })
    expect(await sluice(migrating, ['migrate'])).toMatchObject({ code: 0 })
    expect(await sluice(config, ['keys', 'init', '--yes'])).toMatchObject({ code: 0 })
    const service = serve(config)
    await untilReady(port, service)
    expect(await sluice(config, ['org', 'create', '--name', 'Acme'])).toMatchObject({ code: 0 })
    const backup = await sluice(config, ['backup', join(home, 'a.backup')])
    const stderr = expect.stringContaining(
      'Set SLUICE_DATABASE_URL to the login that owns the tables',
    )
    expect(backup).toMatchObject({ code: 2, stderr })
    expect(await service.end('SIGTERM')).toBe(0)
  })
})

describe('on an external database', () => {
  test('health and readiness are answered to GET and HEAD, without credentials', async () => {
    const { config, port, baseUrl } = await install()
    const service = serve(config)
    await untilReady(port, service)
    for (const path of ['/healthz', '/readyz']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(`${baseUrl}${path}`, { method })
        expect({ path, method, status: answer.status }).toEqual({ path, method, status: 200 })
      }
    }
    expect((await fetch(`${baseUrl}/organisation`)).status).toBe(401)
    expect(await service.end()).toBe(0)
  })

  test('metrics are served on a separate port, under their names [O08]', async () => {
    const metricsPort = await freePort()
    const { config, port, baseUrl, get } = await install({ metricsPort })
    const service = serve(config)
    await untilReady(port, service)
    await get('/organisation')
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const families = [...text.matchAll(/^# TYPE (sluice_\w+) \w+$/gm)].map(([, name]) => name)
    expect(families).toEqual(expect.arrayContaining(METRICS))
    expect(text).toMatch(/sluice_http_request_duration_seconds_count\{.*organisation.*\} 1/)
    expect((await fetch(`${baseUrl}/metrics`)).status).toBe(404)
  })

  test.each(['SLUICE_PORT', 'SLUICE_METRICS_PORT'])(
    'a port in use is reported with its number and the variable %s',
    async (variable) => {
      const { config } = await install()
      const taken = await freePort()
      const squatter = createServer().listen(taken, '127.0.0.1')
      onTestFinished(() => void squatter.close())
      await once(squatter, 'listening')
      const service = serve(config, { env: { [variable]: String(taken) } })
      expect(await service.exited).toBe(2)
      expect(service.output()).toContain(`Port ${taken} on 127.0.0.1 is in use. Set ${variable}`)
      expect(service.output()).not.toMatch(/\n\s+at /)
    },
  )

  test('the last use of an API key is written down by the time the service stops', async () => {
    const harness = await install()
    const service = serve(harness.config)
    await untilReady(harness.port, service)
    expect(await harness.get('/organisation')).toMatchObject({ status: 200 })
    expect(await service.end()).toBe(0)
    const { used } = await withSession(harness.databaseUrl, (session) =>
      session.one(sql<{ used: boolean }>`
        select last_used_at is not null as used
          from api_keys`),
    )
    expect(used).toBe(true)
  })

  test('a process runs only the roles that it is given', async () => {
    const { config, port, baseUrl } = await install()
    const scanner = serve(config, { args: ['--roles', 'scanner,audit'] })
    await until('up', () => (scanner.output().includes('the service is up') ? true : null))
    await expect(fetch(`${baseUrl}/healthz`)).rejects.toThrow()
    const door = serve(config, { args: ['--roles', 'api'] })
    await untilReady(port, door)
    expect(await scanner.end()).toBe(0)
    expect(await door.end()).toBe(0)
  })

  test('O06 two processes that start at once on an empty database migrate it once', async () => {
    const databaseUrl = await makeDatabaseUrl()
    const config = writeConfig(makeHome(), { databaseUrl })
    expect(await sluice(config, ['keys', 'init', '--yes'])).toMatchObject({ code: 0 })
    const ports = [await freePort(), await freePort()]
    const services = ports.map((port) => serve(config, { env: { SLUICE_PORT: String(port) } }))
    await Promise.all(services.map((service, at) => untilReady(ports[at] ?? 0, service)))
    for (const service of services) expect(await service.end()).toBe(0)
  })
})

const METRICS = [
  'sluice_build_info',
  'sluice_chain_head_block',
  'sluice_chain_indexed_block',
  'sluice_chain_finalized_block',
  'sluice_chain_lag_seconds',
  'sluice_chain_last_block_timestamp_seconds',
  'sluice_chain_running',
  'sluice_chain_reorgs_total',
  'sluice_chain_reorg_depth_blocks',
  'sluice_chain_blocks_total',
  'sluice_rpc_requests_total',
  'sluice_rpc_request_duration_seconds',
  'sluice_deposits_total',
  'sluice_webhook_deliveries_total',
  'sluice_webhook_delivery_duration_seconds',
  'sluice_webhook_queue_size',
  'sluice_webhook_failed',
  'sluice_webhook_oldest_undelivered_age_seconds',
  'sluice_ledger_imbalance_detected',
  'sluice_alerts_total',
  'sluice_alerts_open',
  'sluice_http_request_duration_seconds',
]
