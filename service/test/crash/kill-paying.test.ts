import { beforeAll, expect, test } from 'vitest'
import { SWEEP_POINTS } from '../../src/sweeps/crash-points.ts'
import { SPEND_POINTS } from '../../src/transactions/core/crash-points.ts'
import { build } from '../processes/program.ts'
import { untilOrEnd } from './killed-harness.ts'
import {
  ask,
  carryOut,
  type KilledSpender,
  openKilledSpender,
  request,
  want,
} from './killed-spender.ts'
import { expectEachOnce } from './paid-once.ts'

const TIMEOUT_MS = 900_000
const ROUNDS_MAX = 2
const REQUESTS = 20
const POINTS = [...SPEND_POINTS, ...SWEEP_POINTS]

beforeAll(build)

test(
  'pays each once after kill -9 at each point [W03 W05 W06 W07 W08 W10 W11 W12]',
  async () => {
    const killed = await openKilledSpender()
    for (const [at, point] of POINTS.entries()) {
      // A withdrawal, a top-up and a sweep take turns at these points.
      await killAt(killed, point, point.startsWith('send.') ? 1 + (at % 3) : 1)
    }
    await killAmidRequests(killed)
    const service = await killed.start()
    expect(await ask(killed, service)).toBe(true)
    expect(await carryOut(killed, service)).toBe(true)
    expect(await service.end()).toBe(0)
    await expectEachOnce(killed)
  },
  TIMEOUT_MS,
)

/** The program ends when one of many requests is answered; the other clients get no answer. */
async function killAmidRequests(killed: KilledSpender): Promise<void> {
  const service = await killed.start()
  expect(await ask(killed, service)).toBe(true)
  const before = killed.heard.size
  const requests = Array.from({ length: REQUESTS }, () => request(killed, want(killed)))
  const isHeard = async () => killed.heard.size > before
  await untilOrEnd(service, 'the first answer', isHeard)
  await service.end('SIGKILL')
  await Promise.all(requests)
}

/** Starts the program and has it pay until it has killed itself at the point. */
async function killAt(killed: KilledSpender, point: string, pass: number): Promise<void> {
  const service = await killed.start({ crashAt: `${point}:${pass}` })
  for (let rounds = 0; (await ask(killed, service)) && (await carryOut(killed, service, point)); ) {
    rounds += 1
    if (rounds === ROUNDS_MAX) throw new Error(`${point} is never passed`)
  }
  await service.exited
  expect([point, service.child.signalCode]).toEqual([point, 'SIGKILL'])
}
