import { type Socket, connect, createServer } from 'node:net'
import { freePort } from '@sluice/simulator'
import { theWorld } from './given.ts'
import { serve } from './programs.ts'

/** A second process of the product, whose way to the database can be cut. */
export interface Cuttable {
  /** Sends requests during a database outage, and ends it. */
  whileCut<T>(work: (baseUrl: string) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Starts it, answering requests alone, on the same database. */
export async function openCuttable(): Promise<Cuttable> {
  const { config, databaseUrls } = theWorld()
  const way = await openWay(databaseUrls.owner)
  const env = {
    SLUICE_DATABASE_URL: way.through(databaseUrls.owner),
    SLUICE_DATABASE_ENGINE_URL: way.through(databaseUrls.engine),
    SLUICE_DATABASE_API_URL: way.through(databaseUrls.api),
  }
  const service = await serve(config, { port: await freePort(), args: ['--roles', 'api'], env })
  return {
    whileCut: async (work) => {
      way.cut()
      try {
        return await work(service.baseUrl)
      } finally {
        way.mend()
      }
    },
    close: async () => {
      await service.stop()
      way.close()
    },
  }
}

/** A port that leads to the socket of the embedded server while it is not cut. */
async function openWay(ownerUrl: string) {
  const { searchParams } = new URL(ownerUrl)
  const file = `${searchParams.get('host') ?? ''}/.s.PGSQL.${searchParams.get('port') ?? ''}`
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy()
    const inside = connect(file)
    for (const end of [socket, inside]) {
      open.add(end)
      end.on('error', () => undefined)
      end.on('close', () => open.delete(end))
    }
    socket.pipe(inside).pipe(socket)
    socket.on('close', () => inside.destroy())
    inside.on('close', () => socket.destroy())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const hangUp = () => open.forEach((socket) => socket.destroy())
  return {
    /** A connection of the same login that goes this way. */
    through: (url: string) => {
      const way = new URL(url)
      way.searchParams.set('host', '127.0.0.1')
      way.searchParams.set('port', String(port))
      return way.href
    },
    cut: () => {
      isCut = true
      hangUp()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      hangUp()
      server.close()
    },
  }
}
