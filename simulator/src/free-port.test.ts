import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort, inLane } from './free-port.ts'

test('a free port is one that fetch accepts', async () => {
  const random = vi.spyOn(Math, 'random')
  inLane(0)
  onTestFinished(() => {
    random.mockRestore()
    inLane(workerLane())
  })
  const ports: number[] = []
  for (let place = 0; place < 100; place += 1) {
    random.mockReturnValueOnce((place + 0.5) / 5_479)
    ports.push(await freePort())
  }
  for (const port of ports) {
    const asked = await fetch(`http://127.0.0.1:${port}`).catch((error: Error) => error.cause)
    expect(asked, `port ${port}`).not.toMatchObject({ message: 'bad port' })
  }
})

test('processes in other lanes get other ports', async () => {
  const random = vi.spyOn(Math, 'random')
  onTestFinished(() => {
    random.mockRestore()
    inLane(workerLane())
  })
  const ends: [number, number][] = []
  for (const lane of [0, 1, 2, 3]) {
    inLane(lane)
    random.mockReturnValueOnce(0.001)
    const first = await freePort()
    random.mockReturnValueOnce(0.998)
    ends.push([first, await freePort()])
  }
  for (const [at, [first, last]] of ends.entries()) {
    expect(first).toBeLessThan(last)
    expect(first).toBeGreaterThan(ends[at - 1]?.[1] ?? 10_080)
  }
  expect(ends.at(-1)?.[1]).toBeLessThan(32_768)
})

/** As `tools/vitest-worker.ts` has it. */
function workerLane(): number {
  return Number(process.env['VITEST_POOL_ID'] ?? 0)
}
