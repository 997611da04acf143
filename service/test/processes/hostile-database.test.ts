import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeHostileDatabaseUrl } from './installation.ts'
import { CONFIRMATIONS, makePaidHarness } from './paid-harness.ts'
import { build, makeHome, serve, sluiceJson, untilReady, writeConfig } from './program.ts'

beforeAll(build)

interface Restored {
  rows: number
  verified: { drift: number; verified: number; wrong: string[]; serviceKey: string }
}

test('a database with hostile defaults takes deposits, a backup and a restore', async () => {
  const harness = await makePaidHarness([], { databaseUrl: await makeHostileDatabaseUrl() })
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  const alice = await harness.addressOf('alice')
  await harness.pay(alice, 0)
  await harness.pay(alice, 1)
  await harness.anvil.mine(CONFIRMATIONS)
  await harness.confirmed(2)
  expect(await service.end()).toBe(0)
  const file = join(dirname(harness.config), 'harness.backup')
  const backup = await sluiceJson<{ rows: number }>(harness.config, ['backup', file])

  const databaseUrl = await makeHostileDatabaseUrl()
  const dataFolder = join(dirname(harness.config), 'data')
  const other = writeConfig(makeHome(), { databaseUrl, dataFolder })
  const restored = await sluiceJson<Restored>(other, ['restore', file, '--verify'])
  expect(restored).toMatchObject({
    rows: backup.rows,
    verified: { drift: 0, verified: 1, wrong: [], serviceKey: 'proved' },
  })
  const audit = await sluiceJson<{ drift: number }>(harness.config, ['audit'])
  expect(audit.drift).toBe(0)
})
