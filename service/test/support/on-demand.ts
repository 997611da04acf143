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
 * Makes a resource when the first test asks for it at the socket `door`, and shares it with all
 * tests. Runs in vitest's own process, which outlives its workers; `close` ends it. Its files may
 * lie in the given folder, which is removed afterwards.
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

/** The shared resource, made if needed; fails with the reason if that was not possible. */
export async function askForMade<T>(door: string): Promise<T> {
  let text = ''
  for await (const chunk of connect(door)) text += String(chunk)
  const { told, error } = JSON.parse(text) as { told?: T; error?: string }
  if (told === undefined) throw new Error(`the shared resource could not be made: ${error}`)
  return told
}
