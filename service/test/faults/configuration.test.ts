import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigProblems, loadConfig } from '../../src/app/config.ts'
import { ETHEREUM } from '../support/door.ts'
import { simulatedNode } from '../support/opened-world.ts'
import { openWorld } from '../support/world.ts'
import { parseChain } from '../adapters/brands.ts'
import { followWhilePossible } from './fault-world.ts'

const SOUND = {
  environment: 'production',
  apiKeyMayConfigure: false,
  chains: { [ETHEREUM]: { nodes: ['http://127.0.0.1:8545'], confirmations: 12 } },
}

describe('a service in production', () => {
  test('a valid configuration starts [O07]', () => {
    expect(problemsOf({})).toEqual([])
  })

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'confirmations of 0',
      { chains: { [ETHEREUM]: { nodes: ['http://127.0.0.1:8545'], confirmations: 0 } } },
      /confirmations: must be at least 1 in production/,
    ],
    ['webhooks to private addresses', { webhookAllowPrivate: true }, /WEBHOOK_ALLOW_PRIVATE/],
    ['webhooks over plain HTTP', { webhookAllowHttp: true }, /WEBHOOK_ALLOW_HTTP/],
    ['origins for testing', { webhookDevOrigins: ['http://127.0.0.1:1'] }, /WEBHOOK_DEV_ORIGINS/],
    ['undecided permissions of API keys', { apiKeyMayConfigure: null }, /API_KEY_MAY_CONFIGURE/],
    ['a crash point', { crashAt: 'connect.moved:1' }, /CRASH_AT/],
    ['a misspelt key', { webhookAlowHttp: false }, /webhookAlowHttp: unknown key/],
    ['an unknown chain', { chains: { 'eip155:2': {} } }, /is not in the catalogue/],
    ['a token without decimals', { tokens: [{ id: `${ETHEREUM}/erc20:0x1` }] }, /decimals/],
  ])('the service refuses to start with %s [O07]', (_what, change, says) => {
    expect(problemsOf(change).join('\n')).toMatch(says)
  })

  test('all mistakes of a configuration are reported at once [O07]', () => {
    const change = { webhookAllowHttp: true, apiKeyMayConfigure: null, port: 'high' }
    expect(problemsOf(change)).toHaveLength(3)
  })
})

describe('a node of a test network configured as a main network', () => {
  test('a node of another network is not scanned, and no address is issued [O07]', async () => {
    const node = await simulatedNode()
    const id = parseChain(ETHEREUM)
    const world = await openWorld({ seed: 'O07', chains: [{ id, nodes: [node.url] }] })
    onTestFinished(() => world.close())
    node.chain.mine(10)
    expect((await followWhilePossible(world, id))?.message).toContain('another chain')
    await expect(world.issue('ann', id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

/** The problems of the valid configuration after this change. */
function problemsOf(change: Record<string, unknown>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sluice.config.json')
  writeFileSync(file, JSON.stringify({ ...SOUND, ...change }))
  try {
    loadConfig({ SLUICE_CONFIG: file })
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}
