import { beforeAll, expect, test } from 'vitest'
import { listAlerts } from '../../src/alerts/list-alerts.ts'
import { build } from '../processes/program.ts'
import {
  expectNothingLost,
  killAt,
  openKilledHarness,
  pointsOf,
  readEvents,
  stir,
  untilOrEnd,
} from './killed-harness.ts'

const TIMEOUT_MS = 300_000

beforeAll(build)

test(
  'credits each deposit once after kill -9 at each point of credit, reorg and rescan [H10]',
  async () => {
    const killed = await openKilledHarness('http://127.0.0.1:9/hook')
    for (const step of ['confirm', 'disconnect', 'rescan']) {
      for (const point of pointsOf(step)) await killAt(killed, point)
    }
    await killed.freeLeases()
    const service = killed.start({ roles: 'scanner' })
    expect(await stir(killed, service)).toBe(true)
    expect(await service.end()).toBe(0)
    await expectNothingLost(killed)
    await haltThrough(killed)
  },
  TIMEOUT_MS,
)

/** A final block is replaced: the chain halts, with one event, at any time of death. */
async function haltThrough(killed: Awaited<ReturnType<typeof openKilledHarness>>): Promise<void> {
  const { chain, harness } = killed
  chain.reorg({ depth: 2, extra: 1 })
  for (const point of pointsOf('halt')) {
    await killAt(killed, point, (service) => untilOrEnd(service, 'its end', async () => false))
  }
  expect((await killed.state())?.condition).toBe('halted')
  const alerts = await harness.database.transaction((tx) => listAlerts(tx, { open: true }))
  const halts = alerts.filter(({ code }) => code === 'chain.halted')
  expect(halts).toMatchObject([{ times: 1 }])
  const told = (await readEvents(harness)).filter(({ type }) => type === 'chain.frozen')
  expect(told).toHaveLength(1)
}
