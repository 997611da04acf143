import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemRandom } from '../../src/base/random.ts'
import { Secret } from '../../src/base/secret.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { readSeedFile, unsealSeed } from '../../src/keys/seed-file.ts'
import { wrapByPassphrase } from '../../src/keys/wrap-seed.ts'
import { withSession } from '../../src/store/connection.ts'
import { install, makeDatabaseUrl } from './installation.ts'
import {
  PASSPHRASE,
  ROOT,
  build,
  makeHome,
  serve,
  sluice,
  sluiceJson,
  writeConfig,
} from './program.ts'

beforeAll(build)

/** A sentence or two, and nothing of how the program is made. */
function expectPlain(text: string): void {
  expect(text).not.toMatch(/\n\s+at |node:internal|dist\//)
  expect(text.trim()).not.toBe('')
}

const PROGRAM = join(ROOT, 'service', 'dist', 'program')
const ADAPTERS = '// service/dist/chains/registry.js'

/** The text of a bundled file and of all files that are loaded with it. */
function loadedWith(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return ''
  seen.add(file)
  const text = readFileSync(join(PROGRAM, file), 'utf8')
  const imports = text.matchAll(/^(?:import|export) [^'"]*['"]\.\/([^'"]+)['"]/gm)
  return [text, ...[...imports].map(([, name = '']) => loadedWith(name, seen))].join('\n')
}

describe('the command line', () => {
  test('only sluice serve loads the adapters of chains before its action runs', () => {
    const main = readFileSync(join(PROGRAM, 'main.js'), 'utf8')
    const commands = [...main.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, name = '']) => name)
    const eager = commands.filter((file) => loadedWith(file).includes(ADAPTERS))
    expect(commands.length).toBeGreaterThan(20)
    expect(eager).toEqual(['serve.js'])
  })

  test('sluice lists its commands, and each command has a help page', async () => {
    const config = writeConfig(makeHome(), {})
    const help = await sluice(config, ['--help'])
    expect(help.code).toBe(0)
    for (const name of ['serve', 'migrate', 'keys', 'org', 'user', 'api-key', 'chain', 'token'])
      expect(help.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    const rescan = await sluice(config, ['chain', 'rescan', '--help'])
    expect(rescan).toMatchObject({ code: 0, stdout: expect.stringContaining('--from <height>') })
  })

  test.each([
    ['a command that is misspelt', ['orgs'], /Did you mean org\?/],
    ['a part of a command that is misspelt', ['org', 'creat'], /Did you mean create\?/],
    ['an option that is missing', ['org', 'create'], /--name <name>/],
    ['an invalid id', ['deposit', 'list', '--org', 'acme'], /It must be an id/],
    ['an invalid funding id', ['gas', 'release', 'x', '--reason', 'seen'], /It must be an id/],
    ['an invalid count', ['audit-log', 'list', '--limit', '0'], /whole number/],
    ['an unknown role', ['serve', '--roles', 'api,sing'], /api, scanner, spender, webhooks, audit/],
  ])('%s is wrong usage', async (_what, args, says) => {
    const ran = await sluice(writeConfig(makeHome(), {}), args)
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) })
    expectPlain(ran.stderr)
  })

  test('an invalid configuration is reported first, with all its errors [O07]', async () => {
    const config = writeConfig(makeHome(), { environment: 'production', port: 0, colour: 'blue' })
    const ran = await sluice(config, ['serve'])
    expect(ran.code).toBe(2)
    for (const name of ['colour', 'SLUICE_PORT', 'SLUICE_API_KEY_MAY_CONFIGURE'])
      expect(ran.stderr).toContain(name)
    expectPlain(ran.stderr)
  })

  test('an unreachable database is reported in one sentence, as an outage', async () => {
    const databaseUrl = 'postgresql://nobody@127.0.0.1:1/nothing'
    const ran = await sluice(writeConfig(makeHome(), { databaseUrl }), ['org', 'list'])
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expectPlain(ran.stderr)
  })
})

describe('keys', () => {
  test('K01 a new seed is shown once, sealed, and never written over', async () => {
    const home = makeHome()
    const config = writeConfig(home, {})
    const made = await sluice(config, ['keys', 'init', '--yes'])
    expect(made.code).toBe(0)
    const words = made.stdout.match(/^ +\d+ {2}([a-z]+)$/gm) ?? []
    expect(words).toHaveLength(24)
    const sealed = join(home, 'data', 'seed.json')
    expect(statSync(sealed).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'data', 'service.key')).mode & 0o777).toBe(0o600)
    const before = readFileSync(sealed, 'utf8')
    const again = await sluice(config, ['keys', 'init', '--yes'])
    expect(again).toMatchObject({ code: 4, stderr: expect.stringMatching(/already/) })
    expect(readFileSync(sealed, 'utf8')).toBe(before)
  })

  test('a new seed is not shown without a terminal to confirm it', async () => {
    const ran = await sluice(writeConfig(makeHome(), {}), ['keys', 'init'])
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/--yes/) })
  })

  test('K03 words to import come over standard input and are not repeated', async () => {
    const words = `${'abandon '.repeat(11)}about`
    const config = writeConfig(makeHome(), {})
    const bad = await sluice(config, ['keys', 'init', '--import-file', '-'], {
      input: `${words} x`,
    })
    expect(bad).toMatchObject({ code: 4, stdout: '' })
    const args = ['--json', 'keys', 'init', '--import-file', '-']
    const good = await sluice(config, args, { input: words })
    // The fingerprint of the root key of these well-known words.
    expect(JSON.parse(good.stdout)).toMatchObject({ fingerprint: '73c5da0a' })
    expect(bad.stderr + good.stdout + good.stderr).not.toContain('abandon')
  })

  test('K08 a seed sealed under another passphrase is the same, and opens by that', async () => {
    const words = `${'abandon '.repeat(11)}about`
    const env = { SLUICE_DATABASE_URL: await makeDatabaseUrl() }
    const sealed = async (seedPassphrase: string) => {
      const home = makeHome()
      const config = writeConfig(home, { seedPassphrase })
      const args = ['--json', 'keys', 'init', '--import-file', '-']
      const made = await sluice(config, args, { input: words })
      const { fingerprint } = JSON.parse(made.stdout) as { fingerprint: string }
      return { home, config, fingerprint, file: readFileSync(join(home, 'data', 'seed.json')) }
    }
    const [before, after] = [await sealed(PASSPHRASE), await sealed('another one, for tests')]
    expect(after.fingerprint).toBe(before.fingerprint)
    expect(after.file.equals(before.file)).toBe(false)
    const unsealed = async (passphrase: string, file: Buffer) => {
      const wrapper = wrapByPassphrase({ passphrase: new Secret(passphrase), random: systemRandom })
      const path = join(before.home, 'other.json')
      rmSync(path, { force: true })
      writeFileSync(path, file, { mode: 0o600 })
      return openKeyring(await unsealSeed(readSeedFile(path), wrapper))
    }
    const [first, second] = [
      await unsealed(PASSPHRASE, before.file),
      await unsealed('another one, for tests', after.file),
    ]
    for (const index of [0, 1, 7]) {
      const at = { namespace: 'eip155', isTestnet: false, wallet: 0, branch: 0, index } as const
      expect(second.publicKey(at)).toEqual(first.publicKey(at))
    }
    await expect(unsealed(PASSPHRASE, after.file)).rejects.toThrow('passphrase is wrong')
    // The new file takes the place of the old one, and the service key stays.
    writeFileSync(join(before.home, 'data', 'seed.json'), after.file)
    const old = await sluice(before.config, ['serve'], { env })
    expect(old).toMatchObject({ code: 2, stderr: expect.stringMatching(/seed|passphrase/i) })
  })

  test('a seed may be sealed with a key file instead of a passphrase', async () => {
    const home = makeHome()
    const seedKeyFile = join(home, 'seed.key')
    const config = writeConfig(home, { seedPassphrase: null, seedKeyFile })
    await sluiceJson(config, ['keys', 'init'])
    expect(statSync(seedKeyFile).mode & 0o777).toBe(0o600)
    rmSync(seedKeyFile)
    const databaseUrl = await makeDatabaseUrl()
    const ran = await sluice(config, ['serve'], { env: { SLUICE_DATABASE_URL: databaseUrl } })
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('seed.key') })
  })
})

describe('an installation', () => {
  test('is founded, looked at and changed from the command line', async () => {
    const { config, orgId, apiKey } = await install()
    expect(apiKey).toMatch(/^slk_[\w-]{43}$/)
    const newUser = `user invite-admin --org ${orgId} --username alice`.split(' ')
    const user = await sluiceJson<Record<string, string>>(config, newUser)
    expect(user).toMatchObject({
      username: 'alice',
      role: 'admin',
      token: expect.stringMatching(/^sli_[\w-]{43}$/),
    })
    // Not accepted yet, so a lost token is replaced.
    const again = await sluiceJson<Record<string, string>>(config, newUser)
    expect(again['id']).toBe(user['id'])
    expect(again['token']).not.toBe(user['token'])
    const rotated = await sluiceJson<{ apiKey: string }>(config, [
      'api-key',
      'rotate',
      '--org',
      orgId,
    ])
    expect(rotated.apiKey).not.toBe(apiKey)
    expect(await sluiceJson(config, ['org', 'list'])).toMatchObject([{ id: orgId, name: 'Acme' }])
    const log = await sluiceJson<{ action: string }[]>(config, ['audit-log', 'list'])
    expect(log.map(({ action }) => action).toReversed()).toEqual([
      'organization.create',
      'api-key.create',
      'user.invite',
      'user.reset',
      'api-key.rotate',
    ])
    for (const list of ['chain', 'token', 'alert']) {
      expect(Array.isArray(await sluiceJson(config, [list, 'list']))).toBe(true)
    }
    const people = await sluice(config, ['user', 'list'])
    expect(people.stdout).toMatch(/alice +admin +invited/)
  })

  test('K03 the configuration is shown without its secrets', async () => {
    const { config, databaseUrl } = await install()
    for (const args of [
      ['config', 'print'],
      ['config', 'print', '--json'],
    ]) {
      const { code, stdout } = await sluice(config, args)
      expect(code).toBe(0)
      expect(stdout).toContain('[secret]')
      expect(stdout).not.toContain(PASSPHRASE)
      expect(stdout).not.toContain(databaseUrl)
    }
  })

  test('O06 a database newer than the program is refused plainly by all of it', async () => {
    const { config, databaseUrl } = await install()
    await withSession(databaseUrl, (session) =>
      session.run(sql`
        insert into schema_migrations (name, checksum)
        values ('9999-of-tomorrow', 'x')`),
    )
    for (const args of [['serve'], ['migrate'], ['org', 'list']]) {
      const ran = await sluice(config, args)
      expect({ args, ...ran }).toMatchObject({ args, code: 4 })
      expect(ran.stderr).toContain('9999-of-tomorrow')
      expectPlain(ran.stderr)
    }
  })

  test('without keys there is no service, and it says what to do', async () => {
    const databaseUrl = await makeDatabaseUrl()
    const service = serve(writeConfig(makeHome(), { databaseUrl }))
    expect(await service.exited).toBe(2)
    expect(service.output()).toContain('sluice keys init')
    expectPlain(service.output())
  })
})
