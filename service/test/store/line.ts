import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A line between the driver and the server that a test can cut. */
export interface Line {
  /** The same database, over the line. */
  through(url: string): string
  /** Cuts every connection now. */
  cut(): void
  /**
   * Cuts a connection when it sends a text that contains this: before it arrives, or instead of the
   * answer.
   */
  cutAt(text: string, when: 'before' | 'after'): void
  close(): Promise<void>
}

/** Opens a line to wherever a URL leads; `change` is what it makes of the server's answers. */
export async function openLine(
  url: string,
  change: (data: Buffer) => Buffer = (data) => data,
): Promise<Line> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-line-'))
  const sockets = new Set<Socket>()
  let trigger: { text: string; when: 'before' | 'after' } | null = null
  const server = createServer((near) => {
    const far = connectTo(url)
    let isDeaf = false
    const hangUp = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', hangUp)
      socket.on('close', hangUp)
    }
    near.on('data', (data) => {
      const isHit = trigger !== null && data.includes(trigger.text)
      if (isHit && trigger?.when === 'before') return hangUp()
      isDeaf ||= isHit
      far.write(data)
    })
    far.on('data', (data) => (isDeaf ? hangUp() : near.write(change(data))))
  })
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve))
  return {
    through: (target) => {
      const changed = new URL(target)
      changed.searchParams.set('host', folder)
      changed.searchParams.set('port', '5432')
      return changed.href
    },
    cut: () => sockets.forEach((socket) => socket.destroy()),
    cutAt: (text, when) => {
      trigger = { text, when }
    },
    close: async () => {
      sockets.forEach((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function connectTo(url: string): Socket {
  const { hostname, port, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || '127.0.0.1')
  const number = Number(searchParams.get('port') ?? (port || '5432'))
  return host.startsWith('/')
    ? connect(join(host, `.s.PGSQL.${number}`))
    : connect({ host, port: number })
}
