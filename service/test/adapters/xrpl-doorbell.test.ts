import { createServer } from 'node:net'
import { freePort, startXrplNode, type XrplNode } from '@sluice/simulator'
import { afterEach, expect, test, vi } from 'vitest'
import { openAlarm } from '../../src/chains/alarm.ts'
import { systemClock } from '../../src/base/clock.ts'
import { listenToLedgers } from '../../src/chains/xrpl/doorbell.ts'
import { SeededRandom, silentLog } from '../support/clock.ts'

const SOON = { timeout: 10_000, interval: 10 }

let node: XrplNode | undefined
let stop = () => {}
afterEach(async () => {
  stop()
  stop = () => {}
  await node?.stop()
  node = undefined
})

function listen(ws: string, onLedger: () => void): void {
  const deps = { clock: systemClock, random: new SeededRandom(1), log: silentLog() }
  stop = listenToLedgers([{ url: 'http://127.0.0.1:1' }, { url: 'http://a', ws }], deps, onLedger)
}

test('the doorbell rings for a closed ledger, also after a reconnection', async () => {
  node = await startXrplNode()
  const served = node
  let rings = 0
  listen(served.socketUrl, () => {
    rings += 1
  })
  await vi.waitFor(() => expect(served.listeners()).toBe(1), SOON)
  expect(rings).toBe(0)
  served.chain.close()
  await vi.waitFor(() => expect(rings).toBe(1), SOON)
  served.hangUp()
  // The start of listening is not visible here: a ledger that closes later is heard.
  await vi.waitFor(() => {
    served.chain.close()
    expect(rings).toBeGreaterThan(1)
  }, SOON)
  stop()
  await vi.waitFor(() => expect(served.listeners()).toBe(0), SOON)
})

test('the doorbell rings once or twice for any number of simultaneous ledgers', async () => {
  node = await startXrplNode()
  const served = node
  let rings = 0
  listen(served.socketUrl, () => {
    rings += 1
  })
  await vi.waitFor(() => expect(served.listeners()).toBe(1), SOON)
  served.chain.close(200)
  await vi.waitFor(() => expect(rings).toBe(2), SOON)
})

test('an invalid WebSocket does not ring and is retried [N09]', async () => {
  let connections = 0
  const port = await freePort()
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let rings = 0
  listen(`ws://127.0.0.1:${port}`, () => {
    rings += 1
  })
  await vi.waitFor(() => expect(connections).toBeGreaterThan(1), SOON)
  expect(rings).toBe(0)
  stop()
  await new Promise((resolve) => server.close(resolve))
})

test('an alarm wakes the sleeper, and remembers an unheard ring', async () => {
  const alarm = openAlarm()
  const { signal } = new AbortController()
  const asleep = alarm.sleep(systemClock, 60_000, signal)
  alarm.ring()
  await asleep
  alarm.ring()
  await alarm.sleep(systemClock, 60_000, signal)
  await alarm.sleep(systemClock, 1, signal)
  await alarm.sleep(systemClock, 60_000, AbortSignal.abort())
})
