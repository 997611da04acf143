import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from './free-port.ts'

test('a port that is given is one that fetch may ask', async () => {
  const dice = vi.spyOn(Math, 'random')
  onTestFinished(() => dice.mockRestore())
  const ports: number[] = []
  for (let place = 0; place < 100; place += 1) {
    dice.mockReturnValueOnce((place + 0.5) / 22_000)
    ports.push(await freePort())
  }
  for (const port of ports) {
    const asked = await fetch(`http://127.0.0.1:${port}`).catch((error: Error) => error.cause)
    expect(asked, `port ${port}`).not.toMatchObject({ message: 'bad port' })
  }
})
