import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_CHAINS } from '../catalogue/chains.ts'
import { readChains } from './config-chains.ts'
import { loadConfig } from './config.ts'
import { catalogueOf } from './ground.ts'

const SEPOLIA = 'eip155:11155111'
const OWN = {
  tx: 'https://explorer.example/?tx={hash}',
  address: 'https://explorer.example/#/a/{address}',
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-explorer-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const chainsWith = (explorer: unknown) => ({
  [SEPOLIA]: { nodes: ['http://127.0.0.1:8545'], explorer },
})

/** The explorer of the chain in an installation with this configuration. */
function shown(explorer: unknown): unknown {
  const path = join(folder, 'sluice.config.json')
  writeFileSync(path, JSON.stringify({ environment: 'development', chains: chainsWith(explorer) }))
  return catalogueOf(loadConfig({ SLUICE_CONFIG: path })).chain(SEPOLIA)?.explorer
}

test('the explorer of a chain is overridden, switched off, or that of the catalogue', () => {
  expect(shown(OWN)).toEqual(OWN)
  expect(shown(null)).toBeNull()
  for (const explorer of ['catalogue', undefined])
    expect(shown(explorer)).toEqual({
      tx: 'https://sepolia.etherscan.io/tx/{hash}',
      address: 'https://sepolia.etherscan.io/address/{address}',
    })
})

test('every explorer of the catalogue could be configured; only a local chain has none', () => {
  const none = ALL_CHAINS.filter(({ explorer }) => explorer === null)
  expect(none.map(({ name }) => name)).toEqual(['Bitcoin Regtest'])
  for (const { explorer } of ALL_CHAINS) {
    const problems: string[] = []
    readChains(chainsWith(explorer), problems)
    expect(problems).toEqual([])
  }
})

test.each([
  ['http', { tx: 'http://a.example/{hash}' }],
  ['no place', { tx: 'https://a.example/' }],
  ['two places', { tx: 'https://a.example/{hash}/{hash}' }],
  ['another place', { tx: 'https://a.example/{address}' }],
  ['a second place', { address: 'https://a.example/{hash}/{address}' }],
  ['a place in the host', { tx: 'https://{hash}.example/' }],
  ['credentials', { tx: 'https://u:p@a.example/{hash}' }],
  ['a script', { tx: 'javascript:alert({hash})' }],
  ['a number', { tx: 7 }],
  ['another key', { block: 'https://a.example/{hash}' }],
  ['no address', { address: undefined }],
])('an explorer is refused with %s', (_what, change) => {
  const problems: string[] = []
  readChains(chainsWith({ ...OWN, ...change }), problems)
  expect(problems).toEqual([
    expect.stringMatching(/^chains\.eip155:11155111\.explorer: must be null, "catalogue"/),
  ])
})
