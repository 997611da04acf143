import { beforeAll, expect, test } from 'vitest'
import { build } from '../processes/program.ts'
import { expectNothingLost, killAt, openKilledHarness, pointsOf, stir } from './killed-harness.ts'

const TIMEOUT_MS = 300_000

beforeAll(build)

test(
  'credits each deposit once after kill -9 at each point of beginning and connecting [H10]',
  async () => {
    const killed = await openKilledHarness('http://127.0.0.1:9/hook')
    for (const point of pointsOf('begin')) await killAt(killed, point)
    // A reorg across the block at which scanning began.
    const started = (await killed.state())?.startHeight ?? 0
    killed.chain.reorg({ depth: killed.chain.head().height - started + 1 })
    for (const point of pointsOf('rebase')) await killAt(killed, point)
    for (const point of [...pointsOf('note'), ...pointsOf('connect')]) await killAt(killed, point)
    await killed.freeLeases()
    const service = killed.start({ roles: 'scanner' })
    expect(await stir(killed, service)).toBe(true)
    expect(await service.end()).toBe(0)
    await expectNothingLost(killed)
  },
  TIMEOUT_MS,
)
