import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Installation, install } from './installation.ts'
import { build, makeHome, sluice, writeConfig } from './program.ts'

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057'
const NOWHERE = 'postgresql://nobody@127.0.0.1:1/nothing'

beforeAll(build)

/** A copy of the configuration file with changed settings; null removes one. */
function changed({ config }: Installation, changes: Record<string, unknown>): string {
  const path = join(dirname(config), 'changed.config.json')
  const settings: unknown = JSON.parse(readFileSync(config, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...Object(settings), ...changes }))
  return path
}

async function codesOf(
  config: string,
  commands: readonly (readonly string[])[],
): Promise<Record<string, number | null>> {
  const codes: Record<string, number | null> = {}
  for (const args of commands) {
    const { code, stderr } = await sluice(config, args)
    // One or two sentences for a person, without a trace of the program.
    expect({ args, stderr }).toMatchObject({ stderr: expect.not.stringMatching(/\n\s+at /) })
    codes[args.join(' ')] = code
  }
  return codes
}

const all = (commands: readonly (readonly string[])[], code: number) =>
  Object.fromEntries(commands.map((args) => [args.join(' '), code]))

test('commands end with 2 after a wrong option, a missing one or an invalid value', async () => {
  const commands = [
    ['chain', 'resume', 'eip155:1'],
    ['chain', 'list', '--colour'],
    ['chain', 'rescan', 'eip155:1', '--from', 'x', '--to', '2'],
    ['withdrawal', 'show', 'x'],
    ['alert', 'close', 'deposit.held', 'x'],
    ['org'],
    ['nothing'],
  ]
  const config = writeConfig(makeHome(), { databaseUrl: NOWHERE })
  expect(await codesOf(config, commands)).toEqual(all(commands, 2))
})

test('commands that use the database end with 3 when it does not answer', async () => {
  const home = makeHome()
  const config = writeConfig(home, { databaseUrl: NOWHERE })
  expect(await sluice(config, ['keys', 'init', '--yes'])).toMatchObject({ code: 0 })
  const commands = [
    ['migrate'],
    ['serve'],
    ['doctor'],
    ['audit'],
    ['org', 'list'],
    ['user', 'list'],
    ['chain', 'list'],
    ['deposit', 'list', '--org', UNKNOWN],
    ['audit-log', 'verify'],
    ['backup', join(home, 'a.backup')],
  ]
  expect(await codesOf(config, commands)).toEqual(all(commands, 3))
})

describe('an installation', () => {
  test('ends commands with 2 when a key or its passphrase is missing or wrong', async () => {
    const harness = await install()
    const keyed = [['serve'], ['keys', 'recover']]
    const wrong = changed(harness, { seedPassphrase: 'the passphrase of another day' })
    expect(await codesOf(wrong, keyed)).toEqual(all(keyed, 2))
    const none = changed(harness, { seedPassphrase: null })
    expect(await codesOf(none, keyed)).toEqual(all(keyed, 2))
    const data = join(dirname(harness.config), 'data')
    renameSync(join(data, 'seed.json'), join(data, 'seed.away'))
    const seeded = [...keyed, ['backup', join(data, 'a.backup')]]
    expect(await codesOf(harness.config, seeded)).toEqual(all(seeded, 2))
    renameSync(join(data, 'seed.away'), join(data, 'seed.json'))
    renameSync(join(data, 'service.key'), join(data, 'service.away'))
    const serviced = [['serve'], ['org', 'create', '--name', 'Other']]
    expect(await codesOf(harness.config, serviced)).toEqual(all(serviced, 2))
  })

  test('ends commands with 4 when the id is unknown or the state does not allow it', async () => {
    const { config } = await install()
    const file = join(dirname(config), 'harness.backup')
    expect(await sluice(config, ['backup', file])).toMatchObject({ code: 0 })
    const commands = [
      ['keys', 'init', '--yes'],
      ['restore', file],
      ['backup', file],
      ['chain', 'resume', 'eip155:1', '--reason', 'seen'],
      ['chain', 'resume', 'eip155:999', '--reason', 'seen'],
      ['token', 'resume', 'eip155:1/slip44:60', '--reason', 'seen'],
      ['deposit', 'release', UNKNOWN, '--reason', 'seen'],
      ['gas', 'release', UNKNOWN, '--reason', 'seen'],
      ['withdrawal', 'show', UNKNOWN],
      ['event', 'show', UNKNOWN],
      ['user', 'disable', UNKNOWN],
      ['api-key', 'rotate', '--org', UNKNOWN],
      ['org', 'set-thresholds', '1', '0', '--org', UNKNOWN],
      ['alert', 'close', 'deposit.held', UNKNOWN, '--reason', 'seen'],
      ['audit-log', 'accept', '--reason', 'seen'],
    ]
    expect(await codesOf(config, commands)).toEqual(all(commands, 4))
  })

  test('ends restore with 2 when the file is missing and 4 when it is no backup', async () => {
    const { config } = await install()
    expect(await sluice(config, ['restore', '/nowhere/a.backup'])).toMatchObject({ code: 2 })
    expect(await sluice(config, ['restore', config])).toMatchObject({ code: 4 })
  })

  test('ends keys init with 2 when no terminal can confirm the words', async () => {
    const ran = await sluice(writeConfig(makeHome(), {}), ['keys', 'init'])
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') })
  })
})
