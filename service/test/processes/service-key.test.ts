import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { type Installation, install } from './installation.ts'
import { build, serve, sluice, sluiceJson, until, untilReady } from './program.ts'
import { withNewDatabase } from './restore-harness.ts'

beforeAll(build)

const SAYS = 'this service key is not the one this database was written with'

const keyOf = ({ config }: Installation) => join(dirname(config), 'data', 'service.key')

/** Recovery without a copy of the service key: the words derive another one. */
async function loseServiceKey(harness: Installation): Promise<void> {
  const key = keyOf(harness)
  const seed = join(dirname(key), 'seed.json')
  renameSync(key, `${key}.lost`)
  rmSync(seed)
  const init = ['keys', 'init', '--import-file', '-']
  expect(await sluice(harness.config, init, { input: harness.words })).toMatchObject({ code: 0 })
}

describe('O07 another service key than the one the database was written with', () => {
  test('lets no service start, and the doctor says why', async () => {
    const harness = await install()
    await loseServiceKey(harness)
    const service = serve(harness.config)
    expect(await service.exited).toBe(2)
    expect(service.output()).toContain(`SLUICE_SERVICE_KEY_FILE, ${keyOf(harness)}: ${SAYS}`)
    expect(service.output()).not.toMatch(/\n\s+at /)
    const doctor = await sluice(harness.config, ['doctor'])
    expect(doctor).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(`BAD  service key: ${SAYS}`),
    })
    expect(doctor.stdout).toMatch(/^ok +keys: the seed [0-9a-f]{8} opens$/m)
    // Nor is anything written with it, by which it would be proved from then on.
    expect(await sluice(harness.config, ['org', 'create', '--name', 'Other'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(SAYS),
    })
    expect(await sluiceJson(harness.config, ['alert', 'list'])).toEqual([])
    renameSync(`${keyOf(harness)}.lost`, keyOf(harness))
    const well = await sluice(harness.config, ['doctor'])
    expect(well.stdout).toMatch(/^ok +service key: /m)
    const again = serve(harness.config)
    await untilReady(harness.port, again)
    expect(await harness.get('/organisation')).toMatchObject({ status: 200 })
    expect(await again.end()).toBe(0)
  })

  test('does not stand a restore that is verified', async () => {
    const harness = await install()
    const file = join(dirname(harness.config), 'harness.backup')
    await sluiceJson(harness.config, ['backup', file])
    const config = await withNewDatabase(harness)
    const right = await sluice(config, ['restore', file, '--verify'])
    expect(right.code).toBe(0)
    expect(right.stdout).toContain('The service key matches this database.')
    expect(right.stdout).toContain('0 addresses on unknown chains were not compared.')
    await loseServiceKey(harness)
    const wrong = await sluice(await withNewDatabase(harness), ['restore', file, '--verify'])
    expect(wrong).toMatchObject({ code: 3, stdout: expect.stringContaining(`BAD: ${SAYS}.`) })
    const told = await sluice(await withNewDatabase(harness), [
      'restore',
      file,
      '--verify',
      '--json',
    ])
    expect(JSON.parse(told.stdout)).toMatchObject({
      verified: { serviceKey: 'other', drift: 0, unknown: 0, wrong: [] },
    })
  })

  test('is reported by a running service too', async () => {
    const harness = await install()
    const other = join(dirname(harness.config), 'other.key')
    copyFileSync(keyOf(harness), other)
    const service = serve(harness.config, { env: { SLUICE_SERVICE_KEY_FILE: other } })
    await untilReady(harness.port, service)
    // As where the database is replaced under it by one that another installation has written.
    await withSession(harness.databaseUrl, async (session) => {
      for (const table of ['organizations', 'api_keys', 'users'])
        await session.run(sql`update ${sql.table(table)} set mac = sha256('x')`)
    })
    const told = await until('the readiness', async () => {
      const answer = await fetch(`${harness.baseUrl}/readyz`)
      const said: unknown = await answer.json()
      return answer.status === 503 ? said : null
    })
    expect(told).toMatchObject({ status: 'unavailable', checks: { keys: 'other' } })
    expect(await service.end()).toBe(0)
  })
})

test('a missing service key beside a seed must be restored, not created', async () => {
  const harness = await install()
  rmSync(keyOf(harness))
  expect(await sluice(harness.config, ['serve'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('put it back from its copy'),
  })
})
