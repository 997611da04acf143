import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { type Installation, install } from './installation.ts'
import { build, serve, sluice, sluiceJson, until, untilReady } from './program.ts'
import { withNewDatabase } from './restore-house.ts'

beforeAll(build)

const SAYS = 'this service key is not the one this database was written with'

const keyOf = ({ config }: Installation) => join(dirname(config), 'data', 'service.key')

/** Recovery without a copy of the service key: the words derive another one. */
async function loseServiceKey(house: Installation): Promise<void> {
  const key = keyOf(house)
  const seed = join(dirname(key), 'seed.json')
  renameSync(key, `${key}.lost`)
  rmSync(seed)
  const init = ['keys', 'init', '--import-file', '-']
  expect(await sluice(house.config, init, { input: house.words })).toMatchObject({ code: 0 })
}

describe('O07 another service key than the one the database was written with', () => {
  test('lets no service start, and the doctor says why', async () => {
    const house = await install()
    await loseServiceKey(house)
    const service = serve(house.config)
    expect(await service.exited).toBe(2)
    expect(service.output()).toContain(`SLUICE_SERVICE_KEY_FILE, ${keyOf(house)}: ${SAYS}`)
    expect(service.output()).not.toMatch(/\n\s+at /)
    const doctor = await sluice(house.config, ['doctor'])
    expect(doctor).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(`BAD  service key: ${SAYS}`),
    })
    expect(doctor.stdout).toMatch(/^ok +keys: the seed [0-9a-f]{8} opens$/m)
    // Nor is anything written with it, by which it would be proved from then on.
    expect(await sluice(house.config, ['org', 'create', '--name', 'Other'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(SAYS),
    })
    expect(await sluiceJson(house.config, ['alert', 'list'])).toEqual([])
    renameSync(`${keyOf(house)}.lost`, keyOf(house))
    const well = await sluice(house.config, ['doctor'])
    expect(well.stdout).toMatch(/^ok +service key: /m)
    const again = serve(house.config)
    await untilReady(house.port, again)
    expect(await house.get('/organisation')).toMatchObject({ status: 200 })
    expect(await again.end()).toBe(0)
  })

  test('does not stand a restore that is verified', async () => {
    const house = await install()
    const file = join(dirname(house.config), 'house.backup')
    await sluiceJson(house.config, ['backup', file])
    const config = await withNewDatabase(house)
    const right = await sluice(config, ['restore', file, '--verify'])
    expect(right.code).toBe(0)
    expect(right.stdout).toContain('The service key matches this database.')
    expect(right.stdout).toContain('0 addresses on unknown chains were not compared.')
    await loseServiceKey(house)
    const wrong = await sluice(await withNewDatabase(house), ['restore', file, '--verify'])
    expect(wrong).toMatchObject({ code: 3, stdout: expect.stringContaining(`BAD: ${SAYS}.`) })
    const told = await sluice(await withNewDatabase(house), ['restore', file, '--verify', '--json'])
    expect(JSON.parse(told.stdout)).toMatchObject({
      verified: { serviceKey: 'other', drift: 0, unknown: 0, wrong: [] },
    })
  })

  test('is reported by a running service too', async () => {
    const house = await install()
    const other = join(dirname(house.config), 'other.key')
    copyFileSync(keyOf(house), other)
    const service = serve(house.config, { env: { SLUICE_SERVICE_KEY_FILE: other } })
    await untilReady(house.port, service)
    // As where the database is replaced under it by one that another installation has written.
    await withSession(house.databaseUrl, async (session) => {
      for (const table of ['organizations', 'api_keys', 'users'])
        await session.run(sql`update ${sql.table(table)} set mac = sha256('x')`)
    })
    const told = await until('the readiness', async () => {
      const answer = await fetch(`${house.baseUrl}/readyz`)
      const said: unknown = await answer.json()
      return answer.status === 503 ? said : null
    })
    expect(told).toMatchObject({ status: 'unavailable', checks: { keys: 'other' } })
    expect(await service.end()).toBe(0)
  })
})

test('a missing service key beside a seed must be restored, not created', async () => {
  const house = await install()
  rmSync(keyOf(house))
  expect(await sluice(house.config, ['serve'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('put it back from its copy'),
  })
})
