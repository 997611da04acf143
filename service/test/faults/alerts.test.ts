import { startReceiver } from '@sluice/simulator'
import { expect, onTestFinished, test, vi } from 'vitest'
import { auditLoop } from '../../src/app/audit-loop.ts'
import type { ChainWorld } from '../../src/app/chain-world.ts'
import { deliveryLoop } from '../../src/app/delivery-loop.ts'
import type { Loop } from '../../src/app/loops.ts'
import { Outage } from '../../src/base/fault.ts'
import type { Alert, AlertCode } from '../../src/alerts/alert.ts'
import { raiseAlert } from '../../src/alerts/raise-alert.ts'
import { setWebhookUrl } from '../../src/orgs/settings.ts'
import { withSession } from '../../src/store/connection.ts'
import { parseChain } from '../adapters/brands.ts'
import { openedWorld, simulated, simulatedNode } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { openUnfunded } from '../support/xrpl-harness.ts'
import { chainWorldOf, runProgram } from './running-world.ts'

const SOON = { timeout: 30_000, interval: 5 }
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Longer than the program waits between two checks of its nodes. */
const LOOK_MS = 65_000
/** Settles by final blocks; by depth only if no node names them. */
const POLYGON = parseChain('eip155:137')
const RESERVE = 10_000_000n

test('ledger.broken is open while a balance differs from its postings [O09]', async () => {
  const { world, chain, confirm } = await simulated()
  const { address } = await world.issue('ann')
  chain.pay({ to: address, amount: 5n })
  await confirm()
  const write = (amount: number) =>
    withSession(world.urls.owner, (session) =>
      session.script(`update balances set amount = ${amount} where account = 'claim:available'`),
    )
  await write(500)
  const audit = runLoop(
    world,
    auditLoop(chainWorldOf(world, { auditMs: SECOND_MS }), world.keys.serviceKey),
  )
  const alert = await audit.until('ledger.broken')
  expect(alert).toMatchObject({
    subject: 'ledger',
    message: '1 balances are not what their postings add up to.',
  })
  await write(5)
  await audit.untilOver('ledger.broken')
})

test('account.not_ready is open until the shared account can receive payments [O09]', async () => {
  const harness = await openUnfunded()
  const { world, node, settlement } = harness
  const standing = () => openOf(world, 'account.not_ready')
  expect(await standing()).toMatchObject({
    subject: `xrpl:testnet ${settlement}`,
    message: expect.stringContaining('has not been funded'),
    details: { orgId: world.orgId },
  })
  node.chain.pay({ to: settlement, amount: RESERVE })
  await harness.mine(2)
  await harness.spend()
  expect((await standing())?.message).toContain('is on its way')
  await harness.mine(2)
  await harness.spend()
  expect(await standing()).toBeUndefined()
})

test('chain.finality_unknown is open while no node names the final block [O09]', async () => {
  const { chain, url } = await simulatedNode({ chainId: 137 })
  chain.setFinalizedDistance(null)
  const world = await openedWorld([{ id: POLYGON, nodes: [url] }])
  const running = await runProgram(world, [POLYGON])
  await running.pass(LOOK_MS)
  expect(await openOf(world, 'chain.finality_unknown')).toMatchObject({ subject: POLYGON })
  chain.setFinalizedDistance(2)
  chain.mine(5)
  await running.pass(LOOK_MS)
  expect((await world.state(POLYGON)).final).not.toBeNull()
  expect(await openOf(world, 'chain.finality_unknown')).toBeUndefined()
  // Nor does a node name it later: new payments would wait without a visible reason.
  chain.setFinalizedDistance(null)
  chain.mine(200)
  await running.pass(LOOK_MS)
  expect((await openOf(world, 'chain.finality_unknown'))?.message).toContain('deposits above it')
})

test('webhook.failed is open from a failed delivery to the next successful one [O09]', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  receiver.behave({ do: 'answer', status: 500, body: 'no' })
  const { world, chain, mine } = await simulated()
  const { orgId } = world
  const url = `${receiver.url}/hook`
  await setUrl(world, url)
  const { address } = await world.issue('ann')
  chain.pay({ to: address, amount: 5n })
  await mine()
  const rules = rulesOf(world, [receiver.url])
  const deliveries = runLoop(world, deliveryLoop(chainWorldOf(world), rules))
  expect(await deliveries.until('webhook.failed', HOUR_MS)).toMatchObject({
    subject: orgId,
    message: expect.stringContaining('was not accepted in 6 attempts'),
  })
  receiver.behave({ do: 'answer', status: 200, body: '' })
  chain.pay({ to: address, amount: 6n })
  await mine()
  await deliveries.untilOver('webhook.failed')
})

test('webhook.failed raised by another process is resolved by a delivery here [O09]', async () => {
  const { world, deliveries, deposit } = await delivered()
  await deposit()
  const { orgId: subject } = world
  const other = { code: 'webhook.failed', subject, message: 'Given up elsewhere.' } as const
  await world.database.transaction((tx) => raiseAlert(tx, other))
  await world.clock.advance(2 * MINUTE_MS)
  await deposit()
  await deliveries.untilOver('webhook.failed')
})

test('webhook.failed is raised although the database failed at that moment [O09]', async () => {
  const { world } = await simulated()
  const { orgId } = world
  const point = (url: string) => setUrl(world, url)
  await point('https://hooks.example/sluice')
  await world.issue('ann')
  // Without a URL there is no retry: the first attempt is the last.
  await point('')
  const deliveries = runLoop(world, deliveryLoop(awayAfterAttempt(world), rulesOf(world)))
  expect(await deliveries.until('webhook.failed')).toMatchObject({ subject: orgId })
})

/** The database is unavailable in the first two steps after an attempt. */
function awayAfterAttempt(world: World): ChainWorld {
  const opened = chainWorldOf(world)
  const { database, metrics } = opened
  let outages = 0
  const transaction: typeof database.transaction = async (work) => {
    if (outages === 0) return database.transaction(work)
    outages -= 1
    throw new Outage('database', 'away')
  }
  const onAttempt = () => void (outages = 2)
  return {
    ...opened,
    database: { ...database, transaction },
    metrics: { ...metrics, onAttempt },
  }
}

function rulesOf({ keys: { serviceKey } }: World, devOrigins: readonly string[] = []) {
  return { serviceKey, rules: { allowHttp: false, allowPrivate: false, devOrigins } }
}

/** Deliveries to a working receiver; `deposit` resolves once its event has arrived. */
async function delivered() {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const { world, chain, mine } = await simulated()
  const url = `${receiver.url}/hook`
  await setUrl(world, url)
  const { address } = await world.issue('ann')
  const rules = rulesOf(world, [receiver.url])
  const deliveries = runLoop(world, deliveryLoop(chainWorldOf(world), rules))
  const deposit = async () => {
    const before = receiver.received.length
    chain.pay({ to: address, amount: 5n })
    await mine()
    await vi.waitFor(async () => {
      await world.clock.advance(SECOND_MS)
      expect(receiver.received.length).toBeGreaterThan(before)
    }, SOON)
  }
  return { world, deliveries, deposit }
}

/** Runs a loop of the program over a world, in the world's own time, until the test ends. */
function runLoop(world: World, loop: Loop) {
  const stopping = new AbortController()
  const running = loop.run(stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
  const look = async (code: AlertCode, ms = SECOND_MS) => {
    await world.clock.advance(ms)
    return openOf(world, code)
  }
  return {
    until: (code: AlertCode, stepMs?: number) =>
      vi.waitFor(async () => {
        const alert = await look(code, stepMs)
        expect(alert).toBeDefined()
        return alert
      }, SOON),
    untilOver: (code: AlertCode) =>
      vi.waitFor(async () => expect(await look(code)).toBeUndefined(), SOON),
  }
}

async function openOf(world: World, code: AlertCode): Promise<Alert | undefined> {
  return (await world.alerts()).find((alert) => alert.code === code)
}

async function setUrl(world: World, url: string): Promise<void> {
  const { database, orgId, keys } = world
  await database.transaction((tx) =>
    setWebhookUrl(tx, keys.serviceKey, { orgId, url, actor: 'test' }),
  )
}
