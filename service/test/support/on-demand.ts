import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Something that many tests share, and how it is taken down. */
export interface Made<T> {
  told: T
  close(): Promise<unknown>
}

/**
 * Has something made when the first test asks for it at the socket `door`, and tells all tests of
 * that one. For vitest's own process, which outlives its workers; `close` ends it. It may keep what
 * it needs in the folder that it is given, which is removed after it.
 */
export async function makeOnDemand<T>(
  make: (folder: string) => Promise<Made<T>>,
): Promise<{ door: string; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-test-'))
  // A server of PostgreSQL is another user where the tests run as root.
  await chmod(folder, 0o755)
  let making: Promise<Made<T>> | null = null
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    making ??= make(folder)
    making.then(
      ({ told }) => socket.end(JSON.stringify({ told })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    )
  })
  const door = join(folder, 'door')
  await new Promise<void>((resolve) => server.listen(door, resolve))
  const close = async () => {
    server.close()
    const made = await making?.catch(() => null)
    await made?.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { door, close }
}

/** What was made, or is now; fails with why it could not be. */
export async function askForMade<T>(door: string): Promise<T> {
  let text = ''
  for await (const chunk of connect(door)) text += String(chunk)
  const { told, error } = JSON.parse(text) as { told?: T; error?: string }
  if (told === undefined) throw new Error(`what the tests share was not made: ${error}`)
  return told
}
