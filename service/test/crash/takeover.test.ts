import { readFileSync, writeFileSync } from 'node:fs'
import { type FaultProxy, startFaultProxy } from '@sluice/simulator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { build, type Started } from '../processes/program.ts'
import { countWaiting } from '../support/database.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import {
  expectNothingLost,
  hasCaughtUp,
  type KilledHarness,
  openKilledHarness,
  untilOrEnd,
} from './killed-harness.ts'

const TIMEOUT_MS = 120_000

beforeAll(build)

describe('two processes with the scanner role', () => {
  test(
    'the second takes over after a kill -9 of the first [W21]',
    async () => {
      const { killed, first, second } = await openPair()
      const before = await leaseOf(killed)
      await first.end('SIGKILL')
      await killed.pay(5n)
      killed.chain.mine(1 + REQUIRED)
      await untilCredited(killed, second)
      const after = await leaseOf(killed)
      expect(after.token).toBe(before.token + 1)
      expect(after.holder).not.toBe(before.holder)
      await expectNothingLost(killed)
    },
    TIMEOUT_MS,
  )

  test(
    'a lease holder paused with a read block cannot commit it afterwards [W23]',
    async () => {
      const { killed, first, second, proxy } = await openPair()
      let answer: () => void = () => undefined
      const held = new Promise<void>((resolve) => (answer = resolve))
      const asked = proxy.rules.add({
        match: { method: 'eth_getBlockReceipts' },
        action: { do: 'mutate', change: (receipts: unknown) => held.then(() => receipts) },
      })
      await killed.pay(5n)
      killed.chain.mine(1)
      await untilOrEnd(first, 'the question', async () => asked.hits > 0)
      first.child.kill('SIGSTOP')
      // Its lease expires, as it would after a while.
      await killed.freeLeases()
      await untilOrEnd(second, 'the takeover', () => hasCaughtUp(killed))
      const { tip } = (await killed.state()) ?? {}
      answer()
      proxy.rules.clear()
      first.child.kill('SIGCONT')
      // The next step notices it or, if its call took too long, the renewal does.
      const fenced = /no longer held with token|"scanner:.*lease lost/
      const isFenced = async () => fenced.test(first.output())
      expect(await untilOrEnd(first, 'its refusal', isFenced)).toBe(true)
      expect((await killed.state())?.tip).toEqual(tip)
      killed.chain.mine(REQUIRED)
      await untilCredited(killed, second)
      await expectNothingLost(killed)
      // It is reusable once the other process has ended.
      await second.end('SIGKILL')
      await killed.freeLeases()
      await killed.pay(7n)
      killed.chain.mine(1 + REQUIRED)
      await untilCredited(killed, first)
      await expectNothingLost(killed)
    },
    TIMEOUT_MS,
  )

  test(
    'a lease holder paused in its commit loses the transaction before its lease [W23]',
    async () => {
      const { killed, first, second } = await openPair()
      const { harness, orgId } = killed
      await killed.pay(5n)
      // A step locks the events' counter last: the holder waits for it with all other work done.
      await harness.database.transaction(async (tx) => {
        await tx.run(sql`select from event_counters where org_id = ${orgId} for update`)
        killed.chain.mine(1)
        await untilOrEnd(first, 'the lock', async () => {
          // A transaction without a statement for five seconds is ended.
          await tx.run(sql`select 1`)
          return (await countWaiting(harness)) > 0
        })
        first.child.kill('SIGSTOP')
      })
      killed.chain.mine(REQUIRED)
      await untilCredited(killed, second)
      first.child.kill('SIGCONT')
      const hasNoticed = async () => first.output().includes('outage started')
      expect(await untilOrEnd(first, 'its outage', hasNoticed)).toBe(true)
      await expectNothingLost(killed)
    },
    TIMEOUT_MS,
  )
})

interface Pair {
  killed: KilledHarness
  /** Holds the lease, and reaches the node through the proxy. */
  first: Started
  second: Started
  proxy: FaultProxy
}

async function openPair(): Promise<Pair> {
  const killed = await openKilledHarness('http://127.0.0.1:9/hook')
  const { text, node } = readNode(killed.config)
  const proxy = await startFaultProxy({ target: node, seed: 1 })
  onTestFinished(() => proxy.stop())
  const config = `${killed.config}.first.json`
  writeFileSync(config, text.replace(node, proxy.url))
  const first = killed.start({ roles: 'scanner', config })
  const isUp = async () => (await killed.state()) !== null && (await hasCaughtUp(killed))
  await untilOrEnd(first, 'its beginning', isUp)
  const second = killed.start({ roles: 'scanner' })
  const waits = async () => second.output().includes('the service is up')
  await untilOrEnd(second, 'the start', waits)
  return { killed, first, second, proxy }
}

function readNode(config: string): { text: string; node: string } {
  const text = readFileSync(config, 'utf8')
  const { chains }: { chains: Record<string, { nodes: string[] }> } = JSON.parse(text)
  return { text, node: chains[SEPOLIA]?.nodes[0] ?? '' }
}

async function untilCredited(killed: KilledHarness, by: Started): Promise<void> {
  const isCredited = async () => {
    const deposits = await killed.deposits()
    const isAll = deposits.length === killed.paid.size
    return isAll && deposits.every(({ status }) => status === 'Confirmed')
  }
  expect(await untilOrEnd(by, 'the credit', isCredited)).toBe(true)
}

async function leaseOf({ harness }: KilledHarness): Promise<{ token: number; holder: string }> {
  return harness.database.transaction((tx) =>
    tx.one(sql<{ token: number; holder: string }>`
      select token, holder from leases where name = ${`scanner:${SEPOLIA}`}`),
  )
}
