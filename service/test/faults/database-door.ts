import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DatabaseUrls } from '../../src/store/database.ts'

const PORT = 5432
/** An ErrorResponse of the protocol, sent before any message but the first was read. */
const FULL = message('SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0')

/** A TCP proxy between a world and the database server. */
export interface DatabaseDoor {
  /** Ends every open connection. */
  cut(): void
  /** Rejects all new connections from now on, or none. */
  crowd(isFull: boolean): void
  /** Loses the answer to the next commit, and its connection. */
  loseNextCommit(): void
  /** Passes no data on in either direction from now on, with connections open. */
  hang(): void
  /** The number of lost answers to commits. */
  readonly lost: number
}

/** Puts a proxy before the server of the engine's URL; returns it and the URL through it. */
export async function openDatabaseDoor(urls: DatabaseUrls): Promise<DatabaseDoor> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-door-'))
  const target = new URL(urls.engine)
  const sockets = new Set<Socket>()
  let isFull = false
  let isLosing = false
  let isHanging = false
  let lost = 0
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => near.destroy())
    if (isFull) return void near.once('data', () => near.end(FULL))
    const far = connectTo(target)
    const hangUp = () => {
      near.destroy()
      far.destroy()
      sockets.delete(near)
    }
    let isDeaf = false
    for (const socket of [near, far]) socket.on('error', hangUp).on('close', hangUp)
    near.on('data', (data) => {
      if (isLosing && data.includes('commit\0')) {
        isDeaf = true
        isLosing = false
        lost += 1
      }
      if (!isHanging) far.write(data)
    })
    far.on('data', (data) => {
      if (isDeaf) hangUp()
      else if (!isHanging) near.write(data)
    })
  })
  await new Promise<void>((resolve) => server.listen(join(folder, `.s.PGSQL.${PORT}`), resolve))
  const cut = () => sockets.forEach((socket) => socket.destroy())
  onTestFinished(async () => {
    cut()
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  })
  urls.engine = through(urls.engine, folder)
  return {
    cut,
    crowd(full) {
      isFull = full
      cut()
    },
    loseNextCommit() {
      isLosing = true
    },
    hang() {
      isHanging = true
    },
    get lost() {
      return lost
    },
  }
}

function connectTo({ hostname, port, searchParams }: URL): Socket {
  const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || '127.0.0.1')
  const number = Number(searchParams.get('port') ?? (port || PORT))
  return host.startsWith('/')
    ? connect(join(host, `.s.PGSQL.${number}`))
    : connect({ host, port: number })
}

function message(fields: string): Buffer {
  const body = Buffer.from(fields)
  const head = Buffer.from('E\0\0\0\0', 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function through(url: string, folder: string): string {
  const changed = new URL(url)
  changed.searchParams.set('host', folder)
  changed.searchParams.set('port', String(PORT))
  return changed.href
}
