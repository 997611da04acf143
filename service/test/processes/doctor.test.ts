import { startAnvil } from '@sluice/simulator'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { install, makeDatabaseUrl } from './installation.ts'
import { build, makeHome, sluice, writeConfig } from './program.ts'

const CHAIN = 'eip155:11155111'

beforeAll(build)

/** The same database, as a login that is a member of no role and may create none. */
async function withoutRights(databaseUrl: string): Promise<string> {
  await withSession(databaseUrl, async (session) => {
    const found = await session.maybe(sql`select 1 from pg_roles where rolname = 'sluice_guest'`)
    if (found === null) await session.script(`create role sluice_guest login password 'guest'`)
  })
  const url = new URL(databaseUrl)
  if (url.hostname === '') url.searchParams.set('user', 'sluice_guest')
  else Object.assign(url, { username: 'sluice_guest', password: 'guest' })
  return url.href
}

async function startNode(): Promise<string> {
  const anvil = await startAnvil({ chainId: 11155111 })
  onTestFinished(() => anvil.stop())
  return anvil.url
}

test('doctor checks keys and nodes when the database login has no rights', async () => {
  const chains = {
    [CHAIN]: { nodes: [await startNode()] },
    'eip155:97': { nodes: ['http://127.0.0.1:1'] },
  }
  const databaseUrl = await withoutRights(await makeDatabaseUrl())
  const config = writeConfig(makeHome(), { databaseUrl, chains })
  expect(await sluice(config, ['keys', 'init', '--yes'])).toMatchObject({ code: 0 })
  const { code, stdout } = await sluice(config, ['doctor'])
  expect(code).toBe(3)
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^BAD {2}database: .* Ask its administrator to run once: create role /),
    expect.stringMatching(/^BAD {2}database logins: .*the database is not open$/),
    expect.stringMatching(/^ok {3}keys: the seed [0-9a-f]{8} opens$/),
    expect.stringMatching(/^BAD {2}service key: .*the database is not open$/),
    expect.stringMatching(/^ok {3}eip155:11155111: /),
    expect.stringMatching(/^BAD {2}eip155:97: /),
    expect.stringMatching(/^ok {3}tokens: /),
    expect.stringMatching(/^BAD {2}alerts: .*the database is not open$/),
  ])
})

test('doctor checks the other parts when seed, service key and database are missing', async () => {
  const databaseUrl = 'postgresql://nobody@127.0.0.1:1/nothing'
  const chains = { [CHAIN]: { nodes: [await startNode()] } }
  const config = writeConfig(makeHome(), { databaseUrl, chains, seedPassphrase: null })
  const { code, stdout } = await sluice(config, ['doctor'])
  expect(code).toBe(3)
  expect(stdout).toMatch(/^BAD {2}database: .+ECONNREFUSED/m)
  expect(stdout).toMatch(/^BAD {2}keys: .+sluice keys init/m)
  expect(stdout).toMatch(/^BAD {2}service key: .+sluice keys init/m)
  expect(stdout).toMatch(/^ok {3}eip155:11155111: /m)
})

test('doctor ends with 0 on a development chain when no token is configured', async () => {
  const { config } = await install({
    chains: { [CHAIN]: { nodes: [await startNode()] } },
    tokens: [],
  })
  const { code, stdout } = await sluice(config, ['doctor'])
  expect(stdout).toMatch(/^ok {3}tokens: 0 of 0 verified.*on their chains, therefore disabled: /m)
  expect(stdout).not.toMatch(/^BAD/m)
  expect(code).toBe(0)
})

test('doctor ends with 3 when an organization wants a token that its chain lacks', async () => {
  const { config, orgId } = await install({ chains: { [CHAIN]: { nodes: [await startNode()] } } })
  const token = `${CHAIN}/erc20:0xaA8E23Fb1079EA71e0a56F48a2aA51851D8433D0`
  const enable = ['token', 'enable', token, '--org', orgId]
  expect(await sluice(config, enable)).toMatchObject({ code: 0 })
  expect(await sluice(config, ['doctor'])).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(`BAD  tokens: 0 of 1 verified`),
  })
})
