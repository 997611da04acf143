import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeHostileDatabaseUrl } from './installation.ts'
import { CONFIRMATIONS, makePaidHouse } from './paid-house.ts'
import { build, makeHome, serve, sluiceJson, untilReady, writeConfig } from './program.ts'

beforeAll(build)

interface Restored {
  rows: number
  verified: { drift: number; verified: number; wrong: string[]; serviceKey: string }
}

test('a database with hostile defaults takes deposits, a backup and a restore', async () => {
  const house = await makePaidHouse([], { databaseUrl: await makeHostileDatabaseUrl() })
  const service = serve(house.config)
  await untilReady(house.port, service)
  const alice = await house.addressOf('alice')
  await house.pay(alice, 0)
  await house.pay(alice, 1)
  await house.anvil.mine(CONFIRMATIONS)
  await house.confirmed(2)
  expect(await service.end()).toBe(0)
  const file = join(dirname(house.config), 'house.backup')
  const backup = await sluiceJson<{ rows: number }>(house.config, ['backup', file])

  const databaseUrl = await makeHostileDatabaseUrl()
  const dataFolder = join(dirname(house.config), 'data')
  const other = writeConfig(makeHome(), { databaseUrl, dataFolder })
  const restored = await sluiceJson<Restored>(other, ['restore', file, '--verify'])
  expect(restored).toMatchObject({
    rows: backup.rows,
    verified: { drift: 0, verified: 1, wrong: [], serviceKey: 'proved' },
  })
  const audit = await sluiceJson<{ drift: number }>(house.config, ['audit'])
  expect(audit.drift).toBe(0)
})
