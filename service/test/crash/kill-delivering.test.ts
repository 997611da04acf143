import { startReceiver } from '@sluice/simulator'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { appendEvent } from '../../src/webhooks/outbox.ts'
import { DELIVERER_POINTS } from '../../src/webhooks/crash-points.ts'
import { build } from '../processes/program.ts'
import type { TestDatabase } from '../support/database.ts'
import { openKilledHarness, readEvents, untilOrEnd } from './killed-harness.ts'
import { lowGas } from '../support/sample-event.ts'

const TIMEOUT_MS = 120_000
const EVENTS = 20

beforeAll(build)

test(
  'sends every event under one id after kill -9 at each point of a delivery [H10]',
  async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.stop())
    const killed = await openKilledHarness(`${receiver.url}/hook`)
    const { harness, orgId } = killed
    for (const point of DELIVERER_POINTS) {
      await tell(harness, orgId)
      await killed.freeLeases()
      const service = killed.start({ roles: 'webhooks', crashAt: `${point}:2` })
      expect(await untilOrEnd(service, 'its end', async () => false)).toBe(false)
      expect([point, service.child.signalCode]).toEqual([point, 'SIGKILL'])
    }
    await tell(harness, orgId)
    await killed.freeLeases()
    const service = killed.start({ roles: 'webhooks' })
    const isOver = async () => (await countPending(harness)) === 0
    expect(await untilOrEnd(service, 'the deliveries', isOver)).toBe(true)
    expect(await service.end()).toBe(0)
    const ids = (await readEvents(harness)).map(({ id }) => id).sort()
    const got = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '')
    expect([...new Set(got)].sort()).toEqual(ids)
    expect(await readAttempts(harness)).toEqual(ids.map(() => 1))
  },
  TIMEOUT_MS,
)

/** Twice this number, in two commits, so that a second lease exists to die after. */
async function tell({ database }: TestDatabase, orgId: string): Promise<void> {
  for (let commits = 0; commits < 2; commits += 1) {
    await database.transaction(async (tx) => {
      for (let at = 0; at < EVENTS; at += 1)
        appendEvent(tx, { orgId, type: 'gas.low', subjectId: `${at}`, payload: lowGas(`${at}`) })
    })
  }
}

async function countPending({ database }: TestDatabase): Promise<number> {
  const { count } = await database.transaction((tx) =>
    tx.one(sql<{ count: number }>`
      select count(*) from deliveries where state = 'pending'`),
  )
  return count
}

/** The number of each attempt that was written down. */
async function readAttempts({ database }: TestDatabase): Promise<number[]> {
  const rows = await database.transaction((tx) =>
    tx.many(sql<{ number: number }>`select number from delivery_attempts order by id`),
  )
  return rows.map(({ number }) => number)
}
