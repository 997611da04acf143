import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listenLow, openDoor } from '../../test/support/door.ts'

test('a stop waits for pending responses, but not for kept-alive connections', async () => {
  const under = { way: 0, end: () => {} }
  const ended = new Promise<void>((resolve) => {
    under.end = resolve
  })
  const last = async () => {
    under.way += 1
    await ended
  }
  const readiness = async () => {
    await last()
    return { status: 'ready', checks: {} }
  }
  const pieces = async function* () {
    yield '['
    await last()
    yield ']'
  }
  const door = await openDoor({ readiness })
  onTestFinished(() => door.harness.close())
  door.server.get('/long', async () => Readable.from(pieces()))
  const at = await listenLow(door)
  const answers = [fetch(`${at}/readyz`), fetch(`${at}/long`)]
  await vi.waitFor(() => expect(under.way).toBe(2))
  const stopped = door.server.close()
  under.end()
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()))
  expect(texts).toEqual(['{"status":"ready","checks":{}}', '[]'])
  await stopped
})
