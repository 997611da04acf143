import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf, coinLog, hex, SYSTEM } from '../../test/adapters/evm-sample.ts'
import { answersOf } from '../../test/adapters/scripted-chain.ts'
import { startScriptedNode } from '../../test/adapters/scripted-node.ts'
import { silentLog } from '../../test/support/clock.ts'
import { systemClock } from '../base/clock.ts'
import { systemRandom } from '../base/random.ts'
import { loadConfig } from './config.ts'
import { catalogueOf } from './ground.ts'
import { openChainsOf } from './open-chains.ts'

const [A, D] = [addressOf(0xa), addressOf(0xd)]

test.each([
  ['logged by Polygon PoS itself are returned', 'eip155:137', [['call:0', D, 5n]]],
  ['logged so on another chain are none', 'eip155:56', []],
])('coins %s [E03]', async (_what, id, moved) => {
  const { answers } = answersOf([{ transaction: SYSTEM, logs: [coinLog(A, D, 5n)] }])
  const node = await startScriptedNode({
    ...answers,
    eth_chainId: () => hex(Number(id.slice('eip155:'.length))),
  })
  onTestFinished(() => node.stop())
  const config = configOf({ [id]: { nodes: [{ url: node.url }], traces: 'off' } })
  const catalogue = catalogueOf(config)
  const ground = { config, catalogue, clock: systemClock, random: systemRandom, log: silentLog() }
  const chains = openChainsOf(ground, null)
  onTestFinished(() => chains.close())
  const block = await chains.all()[0]?.blockAt({ height: 7 }, { tokens: [] })
  expect(block?.transfers.map(({ position, to, amount }) => [position, to, amount])).toEqual(moved)
})

function configOf(chains: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'sluice.config.json')
  writeFileSync(path, JSON.stringify({ environment: 'development', chains }))
  return loadConfig({ SLUICE_CONFIG: path })
}
