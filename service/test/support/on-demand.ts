import { connect, createServer } from 'node:net'

/** Something that many tests share, and how it is taken down. */
export interface Made<T> {
  told: T
  close(): Promise<unknown>
}

/**
 * Has something made when the first test asks for it at a socket of this path, and tells all tests
 * of that one. For vitest's own process, which outlives its workers; what comes back ends it.
 */
export async function makeOnDemand<T>(
  path: string,
  make: () => Promise<Made<T>>,
): Promise<() => Promise<void>> {
  let making: Promise<Made<T>> | null = null
  const door = createServer((socket) => {
    socket.on('error', () => undefined)
    making ??= make()
    making.then(
      ({ told }) => socket.end(JSON.stringify({ told })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    )
  })
  await new Promise<void>((resolve) => door.listen(path, resolve))
  return async () => {
    door.close()
    const made = await making?.catch(() => null)
    await made?.close()
  }
}

/** What was made, or is now; fails with why it could not be. */
export async function askForMade<T>(path: string): Promise<T> {
  let text = ''
  for await (const chunk of connect(path)) text += String(chunk)
  const { told, error } = JSON.parse(text) as { told?: T; error?: string }
  if (told === undefined) throw new Error(`what the tests share was not made: ${error}`)
  return told
}
