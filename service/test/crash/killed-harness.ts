import { dirname, join } from 'node:path'
import { publicKeysOf } from '../support/signer.ts'
import { type EvmChain, startEvmNode } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { openAccount } from '../../src/accounts/open.ts'
import { Secret } from '../../src/base/secret.ts'
import { type ChainState, readChainState } from '../../src/catalogue/chain-state.ts'
import { openCatalogue } from '../../src/catalogue/find.ts'
import type { Deposit } from '../../src/deposits/deposit.ts'
import { listDeposits } from '../../src/deposits/list.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { importSeed } from '../../src/keys/seed-file.ts'
import { loadServiceKey } from '../../src/keys/service-key.ts'
import { readBalances } from '../../src/ledger/balance.ts'
import { setWebhookUrl } from '../../src/orgs/settings.ts'
import { SCANNER_POINTS, type ScannerPoint } from '../../src/scanner/crash-points.ts'
import { requestRescan } from '../../src/scanner/rescan.ts'
import type { StepPoint } from '../../src/scanner/watcher.ts'
import { install } from '../processes/installation.ts'
import { makeHome, type Started, serve } from '../processes/program.ts'
import { SeededRandom } from '../support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const WAIT_MAX_MS = 40_000
const LOOK_MS = 10
const ROUNDS_MAX = 2

/** The real program over a simulated chain, with access to its database. */
export interface KilledHarness {
  chain: EvmChain
  harness: TestDatabase
  orgId: string
  config: string
  /** Everything paid so far, by transaction. */
  paid: Map<string, bigint>
  /** One payment to a user, in the next block. */
  pay(amount: bigint): Promise<void>
  state: () => Promise<ChainState | null>
  deposits: () => Promise<Deposit[]>
  /** Starts the program, by default with this installation's configuration. */
  start(options: { roles: string; crashAt?: string; config?: string }): Started
  /** Ends the leases of killed processes before they expire. */
  freeLeases(): Promise<void>
}

export async function openKilledHarness(webhookUrl: string): Promise<KilledHarness> {
  const node = await startEvmNode({ chainId: 11_155_111, seed: 'killed' })
  onTestFinished(() => node.stop())
  const { chain } = node
  chain.finalize(0)
  chain.mine(5)
  const harness = await openTestDatabase()
  onTestFinished(() => harness.close())
  const { database } = harness
  const { config, orgId, words } = await install({
    databaseUrl: harness.adminUrl,
    chains: { [SEPOLIA]: { nodes: [node.url], confirmations: REQUIRED } },
    pollMs: 50,
    webhookDevOrigins: [new URL(webhookUrl).origin],
    seedPassphrase: '',
    seedKeyFile: join(makeHome(), 'seed.key'),
  })
  const keys = {
    signer: publicKeysOf(openKeyring(importSeed(new Secret(words)))),
    serviceKey: loadServiceKey(join(dirname(config), 'data', 'service.key'), new SeededRandom('k')),
  }
  const change = { orgId, url: webhookUrl, actor: 'test' }
  await database.transaction((tx) => setWebhookUrl(tx, keys.serviceKey, change))
  const catalogue = openCatalogue({ chains: [{ id: SEPOLIA }], tokens: [] })
  const entry = catalogue.chain(SEPOLIA)
  if (entry === null) throw new Error('the chain is not in the catalogue')
  const paid = new Map<string, bigint>()
  return {
    chain,
    harness,
    orgId,
    config,
    paid,
    async pay(amount) {
      const options = { keys, entry, orgId, externalUserId: 'ann' }
      const { account } = await database.forOrg(orgId, (tx) => openAccount(tx, options))
      paid.set(chain.pay({ to: account.address, amount }), amount)
    },
    state: () => database.transaction((tx) => readChainState(tx, SEPOLIA)),
    deposits: () =>
      database.forOrg(orgId, (tx) =>
        listDeposits(tx, { orgId, filter: {}, after: null, limit: 10_000 }),
      ),
    start: ({ roles, crashAt = '', config: other = config }) =>
      serve(other, { args: ['--roles', roles], env: { SLUICE_CRASH_AT: crashAt } }),
    freeLeases: () =>
      database.transaction(async (tx) => {
        await tx.run(sql`update leases set expires_at = '-infinity'`)
        await tx.run(sql`update deliveries set leased_until = null where state = 'pending'`)
      }),
  }
}

/** Waits until something holds, or the program has ended: false then. */
export async function untilOrEnd(
  service: Started,
  what: string,
  holds: () => Promise<boolean>,
): Promise<boolean> {
  const { child } = service
  for (const end = Date.now() + WAIT_MAX_MS; ; ) {
    if (child.exitCode !== null || child.signalCode !== null) return false
    if (await holds()) return true
    if (Date.now() > end) throw new Error(`not in time: ${what}\n${service.output()}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Whether the program has read the chain to its head. */
export async function hasCaughtUp({ state, chain }: KilledHarness): Promise<boolean> {
  return (await state())?.tip.hash === chain.head().hash
}

/**
 * A round of everything that happens again and again on a chain: detection, a reorg, credit by
 * depth and by finality, a rescan. False as soon as the program has ended.
 */
export async function stir(killed: KilledHarness, service: Started): Promise<boolean> {
  const { chain, harness } = killed
  const caughtUp = () => untilOrEnd(service, 'the tip', () => hasCaughtUp(killed))
  if (!(await caughtUp())) return false
  await killed.pay(5n)
  chain.mine(2)
  if (!(await caughtUp())) return false
  chain.reorg({ depth: 2, keep: 'same' })
  if (!(await caughtUp())) return false
  chain.mine(REQUIRED)
  if (!(await caughtUp())) return false
  await killed.pay(7n)
  chain.mine(1)
  if (!(await caughtUp())) return false
  const { height } = chain.head()
  chain.finalize(height)
  const credited = async () =>
    (await killed.deposits()).every(({ status }) => status === 'Confirmed')
  if (!(await untilOrEnd(service, 'the credit', credited))) return false
  const range = { chainId: SEPOLIA, from: height - 3, to: height, actor: 'test' }
  const { id } = await harness.database.transaction((tx) => requestRescan(tx, range))
  return untilOrEnd(service, 'the rescan', () => isRead(harness, id))
}

async function isRead({ database }: TestDatabase, id: string): Promise<boolean> {
  const { state } = await database.transaction((tx) =>
    tx.one(sql<{ state: string }>`select state from rescans where id = ${id}`),
  )
  return state === 'done'
}

/** The points of one step of the scanner. */
export function pointsOf(step: string): ScannerPoint[] {
  return SCANNER_POINTS.filter((point) => point.startsWith(`${step}.`))
}

/** Starts the program and plays rounds until it has killed itself at the point. */
export async function killAt(
  killed: KilledHarness,
  point: StepPoint,
  goOn: (service: Started) => Promise<boolean> = (service) => stir(killed, service),
  roles = 'scanner',
): Promise<void> {
  await killed.freeLeases()
  const service = killed.start({ roles, crashAt: `${point}:1` })
  for (let rounds = 0; await goOn(service); rounds += 1) {
    if (rounds === ROUNDS_MAX) throw new Error(`${point} is never passed`)
  }
  await service.exited
  expect([point, service.child.signalCode]).toEqual([point, 'SIGKILL'])
}

/**
 * Every deposit is credited exactly once, with one event for each status change, after any kill.
 */
export async function expectNothingLost(killed: KilledHarness): Promise<void> {
  const { harness, orgId, paid } = killed
  const deposits = await killed.deposits()
  const standing = deposits.map(({ txnHash, amount, status }) => `${txnHash} ${amount} ${status}`)
  const meant = [...paid].map(([txnHash, amount]) => `${txnHash} ${amount} Confirmed`)
  expect(standing.sort()).toEqual(meant.sort())
  const events = await readEvents(harness)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
  for (const { id } of deposits) {
    const told = events.filter(({ payload }) => payload['id'] === id)
    const story = told.map(({ type }) => type.replace('deposit.', '')).join(' ')
    expect(story).toMatch(/^detected( reverted detected)* confirmed$/)
    expect(events.filter(({ payload }) => payload['referenceId'] === id)).toHaveLength(1)
  }
  const balances = await harness.database.forOrg(orgId, (tx) => readBalances(tx, { orgId }))
  const available = balances.find(({ account }) => account === 'claim:available')
  expect(available?.amount).toBe([...paid.values()].reduce((sum, amount) => sum + amount, 0n))
}

export interface ToldEvent {
  id: string
  type: string
  sequence: number
  payload: Record<string, unknown>
}

export async function readEvents({ database }: TestDatabase): Promise<ToldEvent[]> {
  const rows = await database.transaction((tx) =>
    tx.many(sql<{ body: string }>`select body from events order by sequence`),
  )
  return rows.map(({ body }): ToldEvent => JSON.parse(body))
}
