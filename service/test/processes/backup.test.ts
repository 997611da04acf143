import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeDatabaseUrl } from './installation.ts'
import { CHAIN, CONFIRMATIONS, type PaidHouse, makePaidHouse } from './paid-house.ts'
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
async function withNewDatabase({ config }: PaidHouse): Promise<string> {
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
  const house = await makePaidHouse()
  const service = serve(house.config)
  await untilReady(house.port, service)
  const alice = await house.addressOf('alice')
  await house.pay(alice, 0)
  await house.pay(alice, 1)
  await house.anvil.mine(CONFIRMATIONS)
  await house.confirmed(2)
  const file = join(dirname(house.config), 'house.backup')
  const backup = await sluiceJson<{ rows: number }>(house.config, ['backup', file])
  expect(backup.rows).toBeGreaterThan(10)
  // After the backup: a payment to an old address, and a new user with a new address.
  await house.pay(alice, 2)
  const bob = await house.addressOf('bob')
  await house.pay(bob, 3)
  await house.anvil.mine(CONFIRMATIONS)
  await house.confirmed(4)
  expect(await service.end()).toBe(0)

  const config = await withNewDatabase(house)
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
  await untilAnswering(house.port)
  const seen = await until('the payment that the backup did not know', async () => {
    const found = await house.deposits()
    return found.length === 3 ? found : null
  })
  // Detected, and not credited before an operator has released it.
  expect(seen.map(({ status }) => status).toSorted()).toEqual([
    'Confirmed',
    'Confirmed',
    'Detected',
  ])
  expect(await chainState(config)).toBe('frozen')
  expect(await house.addressOf('carol')).not.toBe(bob)
  expect(await house.addressOf('alice')).toBe(alice)
  const resume = ['chain', 'resume', CHAIN, '--reason', 'compared with the node']
  expect(await sluice(config, resume)).toMatchObject({ code: 0 })
  await house.confirmed(3)
  const audit = await sluiceJson<{ drift: number }>(config, ['audit'])
  expect(audit.drift).toBe(0)
  expect(await again.end()).toBe(0)
})

test('K07 the seed alone finds all of its money on the chain', async () => {
  const house = await makePaidHouse()
  const service = serve(house.config)
  await untilReady(house.port, service)
  const users = ['alice', 'bob', 'carol']
  const addresses: string[] = []
  for (const [at, user] of users.entries()) {
    const address = await house.addressOf(user)
    addresses.push(address)
    await house.pay(address, at)
  }
  expect(await service.end()).toBe(0)
  const recover = ['keys', 'recover', '--gap', '20', '--wallets', '3']
  const { found } = await sluiceJson<{ found: Found[] }>(house.config, recover)
  expect(found.map(({ address }) => address).toSorted()).toEqual(addresses.toSorted())
  const sums = found.flatMap(({ holds }) => holds.map(({ amount }) => amount))
  expect(sums.toSorted()).toEqual(['1000', '1001', '1002'])
  for (const { path } of found) expect(path).toMatch(/^m\/44'\/1'\/\d+'\/0\/\d+$/)
})

test('K07 a backup of another seed is refused, and so is one that was damaged', async () => {
  const house = await makePaidHouse()
  const file = join(dirname(house.config), 'house.backup')
  await sluiceJson(house.config, ['backup', file])
  const other = await makePaidHouse()
  const elsewhere = await withNewDatabase(other)
  expect(await sluice(elsewhere, ['restore', file])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('The backup belongs to seed'),
  })
  const bytes = readFileSync(file)
  const damaged = `${file}.damaged`
  writeFileSync(damaged, bytes.subarray(0, bytes.length - 30))
  const config = await withNewDatabase(house)
  expect(await sluice(config, ['restore', damaged])).toMatchObject({ code: 4 })
  expect(await sluice(config, ['restore', file])).toMatchObject({ code: 0 })
})

test('K07 a restore that is to be proved begins with keys that open, or not at all', async () => {
  const house = await makePaidHouse()
  const file = join(dirname(house.config), 'house.backup')
  await sluiceJson(house.config, ['backup', file])
  const config = await withNewDatabase(house)
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
