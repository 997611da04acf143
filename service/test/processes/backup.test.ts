import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeDatabaseUrl } from './installation.ts'
import { CHAIN, CONFIRMATIONS, type PaidHarness, makePaidHarness } from './paid-harness.ts'
import { build, serve, sluice, sluiceJson, until, untilReady } from './program.ts'

beforeAll(build)

interface Restored {
  rows: number
  frozen: string[]
  verified: { drift: number; verified: number; wrong: string[] }
}

interface Found {
  address: string
  path: string
  holds: { amount: string; tokenId: string }[]
}

/** The same installation with another database, as on a new machine. */
async function withNewDatabase({ config }: PaidHarness): Promise<string> {
  const path = join(dirname(config), 'restored.config.json')
  const settings: unknown = JSON.parse(readFileSync(config, 'utf8'))
  const databaseUrl = await makeDatabaseUrl()
  writeFileSync(path, JSON.stringify({ ...Object(settings), databaseUrl }))
  return path
}

/** A frozen chain leaves the service answering, and not quite ready. */
const untilAnswering = (port: number) =>
  until('an answer', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return answer?.ok === true ? true : null
  })

const chainState = async (config: string) => {
  const chains = await sluiceJson<{ id: string; condition: string }[]>(config, ['chain', 'list'])
  return chains.find(({ id }) => id === CHAIN)?.condition
}

test('K07 a backup comes back on a new machine, and what came later is seen', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  const alice = await harness.addressOf('alice')
  await harness.pay(alice, 0)
  await harness.pay(alice, 1)
  await harness.anvil.mine(CONFIRMATIONS)
  await harness.confirmed(2)
  const file = join(dirname(harness.config), 'harness.backup')
  const backup = await sluiceJson<{ rows: number }>(harness.config, ['backup', file])
  expect(backup.rows).toBeGreaterThan(10)
  // After the backup: a payment to an old address, and a new user with a new address.
  await harness.pay(alice, 2)
  const bob = await harness.addressOf('bob')
  await harness.pay(bob, 3)
  await harness.anvil.mine(CONFIRMATIONS)
  await harness.confirmed(4)
  expect(await service.end()).toBe(0)

  const config = await withNewDatabase(harness)
  const restored = await sluiceJson<Restored>(config, ['restore', file, '--verify'])
  expect(restored).toMatchObject({
    rows: backup.rows,
    frozen: [CHAIN],
    verified: { drift: 0, verified: 1, wrong: [] },
  })
  expect(await sluice(config, ['restore', file])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('The database is in use'),
  })

  const again = serve(config)
  await untilAnswering(harness.port)
  const seen = await until('the payment that the backup did not know', async () => {
    const found = await harness.deposits()
    return found.length === 3 ? found : null
  })
  // Detected, and not credited before an operator has released it.
  expect(seen.map(({ status }) => status).toSorted()).toEqual([
    'Confirmed',
    'Confirmed',
    'Detected',
  ])
  expect(await chainState(config)).toBe('frozen')
  expect(await harness.addressOf('carol')).not.toBe(bob)
  expect(await harness.addressOf('alice')).toBe(alice)
  const resume = ['chain', 'resume', CHAIN, '--reason', 'compared with the node']
  expect(await sluice(config, resume)).toMatchObject({ code: 0 })
  await harness.confirmed(3)
  const audit = await sluiceJson<{ drift: number }>(config, ['audit'])
  expect(audit.drift).toBe(0)
  expect(await again.end()).toBe(0)
})

test('K07 the seed alone finds all of its money on the chain', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  const users = ['alice', 'bob', 'carol']
  const addresses: string[] = []
  for (const [at, user] of users.entries()) {
    const address = await harness.addressOf(user)
    addresses.push(address)
    await harness.pay(address, at)
  }
  expect(await service.end()).toBe(0)
  const recover = ['keys', 'recover', '--gap', '20', '--wallets', '3']
  const { found } = await sluiceJson<{ found: Found[] }>(harness.config, recover)
  expect(found.map(({ address }) => address).toSorted()).toEqual(addresses.toSorted())
  const sums = found.flatMap(({ holds }) => holds.map(({ amount }) => amount))
  expect(sums.toSorted()).toEqual(['1000', '1001', '1002'])
  for (const { path } of found) expect(path).toMatch(/^m\/44'\/1'\/\d+'\/0\/\d+$/)
})

test('K07 a backup of another seed is refused, and so is one that was damaged', async () => {
  const harness = await makePaidHarness()
  const file = join(dirname(harness.config), 'harness.backup')
  await sluiceJson(harness.config, ['backup', file])
  const other = await makePaidHarness()
  const elsewhere = await withNewDatabase(other)
  expect(await sluice(elsewhere, ['restore', file])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('The backup belongs to seed'),
  })
  const bytes = readFileSync(file)
  const damaged = `${file}.damaged`
  writeFileSync(damaged, bytes.subarray(0, bytes.length - 30))
  const config = await withNewDatabase(harness)
  expect(await sluice(config, ['restore', damaged])).toMatchObject({ code: 4 })
  expect(await sluice(config, ['restore', file])).toMatchObject({ code: 0 })
})

test('K07 a restore that is to be proved begins with keys that open, or not at all', async () => {
  const harness = await makePaidHarness()
  const file = join(dirname(harness.config), 'harness.backup')
  await sluiceJson(harness.config, ['backup', file])
  const config = await withNewDatabase(harness)
  const prove = ['restore', file, '--verify']
  const env = { SLUICE_SEED_PASSPHRASE: 'the passphrase of another day' }
  expect(await sluice(config, prove, { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('passphrase'),
  })
  expect(await sluice(config, prove)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('rows of'),
  })
})
