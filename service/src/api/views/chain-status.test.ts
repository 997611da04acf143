import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Door,
  ETHEREUM,
  openDoor,
  SEPOLIA,
  TIP,
  toChainId,
  UNREACHED,
  WITHOUT_NODES,
} from '../../../test/support/door.ts'
import { noteNodes, readNodes } from '../../catalogue/chain-nodes.ts'
import { moveTip, setCondition } from '../../catalogue/chain-state.ts'
import type { NodeReport } from '../../chains/options.ts'
import { setSwitch } from '../../orgs/switches.ts'

const CHAIN = toChainId(ETHEREUM)
const SERVES: NodeReport = {
  node: 'http://node-one.internal:8545',
  outcome: { state: 'serves', identity: { chainId: CHAIN, genesis: '0x0' }, head: 7 },
  ms: 12.4,
}
const AWAY: NodeReport = {
  node: 'http://node-two.internal:8545',
  outcome: { state: 'unreachable', reason: 'node-two.internal refused the connection' },
  ms: 3,
}

let door: Door
beforeEach(async () => {
  door = await openDoor()
})
afterEach(() => door.close())

async function statusOf(chainId: string, key = door.a.key): Promise<Record<string, unknown>> {
  const { status, json } = await door.ask('/chains/status', { key })
  expect(status).toBe(200)
  const chains = Object(json['chains']) as Record<string, unknown>[]
  return chains.find((one) => one['chainId'] === chainId) ?? {}
}

const tipOf = async () => {
  const { tip } = await statusOf(ETHEREUM)
  const { height, hash } = Object(tip) as { height: number; hash: string }
  return { height, hash }
}

/** Moves the tip to a height. */
async function move(height: number): Promise<void> {
  const from = await tipOf()
  const to = { height, hash: `0x${height}` }
  await door.harness.database.transaction((tx) =>
    moveTip(tx, { chainId: CHAIN, from, to, tipTime: tx.clock.now() }),
  )
}

const note = (reports: readonly NodeReport[]) =>
  door.harness.database.transaction((tx) => noteNodes(tx, CHAIN, reports))

test('the status shows the blocks of a chain, and that others were not reached', async () => {
  await door.harness.clock.advance(5_000)
  expect(await statusOf(ETHEREUM)).toMatchObject({
    condition: 'running',
    tip: { height: TIP },
    lag: { blocks: 0 },
    nodes: null,
    lastReorg: null,
    enabled: true,
    deposits: true,
    withdrawals: true,
  })
  expect(await statusOf(UNREACHED)).toMatchObject({
    condition: 'unreached',
    tip: null,
    head: null,
    lag: null,
    enabled: true,
    deposits: false,
    withdrawals: false,
  })
  expect(await statusOf(WITHOUT_NODES)).toEqual({})
})

test('the nodes are counted as the scanner last found them, and not named', async () => {
  await note([SERVES, AWAY])
  expect(await statusOf(ETHEREUM)).toMatchObject({ nodes: { answering: 1, total: 2 } })
  const { text } = await door.ask('/chains/status')
  expect(text).not.toContain('internal')
  await note([SERVES])
  expect(await statusOf(ETHEREUM)).toMatchObject({ nodes: { answering: 1, total: 1 } })
  const rows = await door.harness.database.transaction((tx) => readNodes(tx))
  expect(rows).toMatchObject([{ node: SERVES.node, head: 7, latencyMs: 12, error: '' }])
})

test('the role of the API cannot read the names and errors of nodes', async () => {
  await note([AWAY])
  const { database } = door.harness
  await expect(database.forOrg(door.a.orgId, (tx) => readNodes(tx))).rejects.toThrow(/permission/)
})

test('a frozen or halted chain credits and pays nothing', async () => {
  for (const condition of ['frozen', 'halted'] as const) {
    await door.harness.database.transaction((tx) =>
      setCondition(tx, { chainId: CHAIN, condition, cause: 'test' }),
    )
    const off = { condition, deposits: false, withdrawals: false }
    expect(await statusOf(ETHEREUM)).toMatchObject(off)
  }
})

test('blocks that are undone one after the other are one reorg', async () => {
  await move(TIP - 1)
  await move(TIP - 3)
  expect(await statusOf(ETHEREUM)).toMatchObject({
    condition: 'undoing',
    deposits: true,
    withdrawals: false,
    lastReorg: { height: TIP - 3, depth: 3 },
  })
  await move(TIP - 2)
  await move(TIP)
  expect(await statusOf(ETHEREUM)).toMatchObject({
    condition: 'running',
    lastReorg: { height: TIP - 3, depth: 3 },
  })
  await move(TIP - 1)
  expect(await statusOf(ETHEREUM)).toMatchObject({ lastReorg: { height: TIP - 1, depth: 1 } })
})

test('a chain that is off for one organization is on for another', async () => {
  const { orgId } = door.a
  const off = { orgId, subject: toChainId(SEPOLIA), enabled: false, actor: 'cli:test' }
  await door.harness.database.transaction((tx) => setSwitch(tx, off))
  const isOff = { enabled: false, deposits: false, withdrawals: false, condition: 'running' }
  expect(await statusOf(SEPOLIA)).toMatchObject(isOff)
  const isOn = { enabled: true, deposits: true, withdrawals: true }
  expect(await statusOf(SEPOLIA, door.b.key)).toMatchObject(isOn)
})
