import { startTronNode, type TronChain } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { iso } from '../../src/base/clock.ts'
import { Refusal } from '../../src/base/fault.ts'
import { setCondition } from '../../src/catalogue/chain-state.ts'
import { TRON_WINDOW_MS } from '../../src/chains/spending.ts'
import { insertAudit } from '../../src/audit-log/rows.ts'
import { RESTORED, resumeChain } from '../../src/scanner/resume.ts'
import { SHASTA } from '../support/tron-harness.ts'
import { openWorld, type World } from '../support/world.ts'

const SLOT_MS = 3_000
const SOLID_LAG = 18
const WINDOW_BLOCKS = TRON_WINDOW_MS / SLOT_MS

let chain: TronChain
let world: World
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  const node = await startTronNode({ solidLag: SOLID_LAG })
  chain = node.chain
  chain.mine(30)
  world = await openWorld({ seed: 'resume', chains: [{ id: SHASTA, nodes: [node.url] }] })
  ends.push(
    () => world.close(),
    () => node.stop(),
  )
  await world.settle(SHASTA)
})
afterAll(async () => {
  for (const end of ends) await end()
})

test('a chain that was never restored is resumed at once [K07]', async () => {
  await stop('frozen')
  expect(await resume()).toBe('running')
  await expect(resume()).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('a restored chain is resumed once old signatures are expired and read [W25 K07]', async () => {
  const restoredAt = await restored()
  const words = { restoredAt: iso(restoredAt), until: iso(restoredAt + TRON_WINDOW_MS) }
  await expect(resume()).rejects.toMatchObject({ code: 'BAD_REQUEST', details: words })
  // The head is past it; the solid block is not.
  await mined(WINDOW_BLOCKS + SOLID_LAG)
  await expect(resume()).rejects.toThrow(Refusal)
  expect((await world.state(SHASTA)).condition).toBe('frozen')
  // Solid, but not read by us.
  chain.mine(1)
  await expect(resume()).rejects.toThrow(Refusal)
  await world.settle(SHASTA)
  expect(await resume()).toBe('running')
  const codes = (await world.alerts()).filter(({ resolvedAt }) => resolvedAt === null)
  expect(codes.map(({ code }) => code)).not.toContain('chain.frozen')
})

test('a halted restored chain is read first when resumed, and stays frozen [K07]', async () => {
  await restored('halted')
  await mined(1)
  const { tip } = await world.state(SHASTA)
  expect(await resume()).toBe('frozen')
  await mined(WINDOW_BLOCKS + SOLID_LAG)
  const state = await world.state(SHASTA)
  expect(state).toMatchObject({ condition: 'frozen' })
  expect(state.tip.height).toBeGreaterThan(tip.height)
  await mined(2)
  expect(await resume()).toBe('running')
})

function resume(): Promise<string> {
  const options = { entry: world.entry(SHASTA), actor: 'cli:test', reason: 'a test' }
  return world.database.transaction((tx) => resumeChain(tx, options))
}

/** The state after `sluice restore` at the time of the head; returns that time. */
async function restored(condition: 'frozen' | 'halted' = 'frozen'): Promise<number> {
  const at = chain.head().time
  await world.database.transaction(async (tx) => {
    const entry = { orgId: null, actor: 'cli:test', object: 'a file', details: {} }
    await insertAudit(tx, { ...entry, at, action: RESTORED })
  })
  await stop(condition)
  return at
}

async function stop(condition: 'frozen' | 'halted'): Promise<void> {
  const cause = 'restored from a backup'
  await world.database.transaction((tx) => setCondition(tx, { chainId: SHASTA, condition, cause }))
}

async function mined(blocks: number): Promise<void> {
  chain.mine(blocks)
  await world.settle(SHASTA)
}
