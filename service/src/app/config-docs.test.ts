import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { configExample, configPage } from './config-docs.ts'
import { CHAIN_FIELDS, TOKEN_FIELDS } from './config-fields.ts'
import { SETTINGS } from './config-settings.ts'
import { loadConfig } from './config.ts'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const MEND = '(else run `node tools/generate-config-docs.mjs`)'

test(`the example of the repository is current ${MEND}`, () => {
  expect(readFileSync(at('config.example.json'), 'utf8')).toBe(configExample())
})

test(`the reference page of the repository is current ${MEND}`, () => {
  expect(readFileSync(at('docs/configuration.md'), 'utf8')).toBe(configPage())
})

test('the example has every key and is valid with the production settings', () => {
  const example: unknown = JSON.parse(configExample())
  expect(Object.keys(example ?? {})).toEqual([...Object.keys(SETTINGS), 'chains', 'tokens'])
  const config = loadConfig({
    SLUICE_CONFIG: at('config.example.json'),
    SLUICE_API_KEY_MAY_CONFIGURE: 'false',
  })
  expect(config.chains.map(({ id }) => id)).toEqual(['eip155:11155111'])
  expect(Object.keys(config.chains[0] ?? {})).toEqual(['id', ...Object.keys(CHAIN_FIELDS)])
})

test('the example equals the defaults', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
  const env = { SLUICE_API_KEY_MAY_CONFIGURE: 'false', SLUICE_DATA_FOLDER: folder }
  const example = loadConfig({ ...env, SLUICE_CONFIG: at('config.example.json') })
  const silent = loadConfig({ ...env, SLUICE_CONFIG: '' })
  rmSync(folder, { recursive: true })
  for (const name of Object.keys(SETTINGS)) {
    expect(Object.entries(example).find(([key]) => key === name)).toEqual(
      Object.entries(silent).find(([key]) => key === name),
    )
  }
})

test('the page has every key with its variable', () => {
  const page = configPage()
  for (const [name, { env }] of Object.entries(SETTINGS)) {
    expect(page).toContain(`### \`${name}\``)
    expect(page).toContain(`\`${env}\``)
  }
  for (const name of [...Object.keys(CHAIN_FIELDS), ...Object.keys(TOKEN_FIELDS)]) {
    expect(page).toContain(`| \`${name}\` |`)
  }
})

test('the example of each setting is valid', () => {
  for (const [name, { parse, example }] of Object.entries(SETTINGS)) {
    expect({ name, parsed: parse(example) }).toEqual({ name, parsed: { value: expect.anything() } })
  }
})
