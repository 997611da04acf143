import type { Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { freePort } from './free-port.ts'

const TRIES_MAX = 10

/**
 * Listens on 127.0.0.1, on the given port or a random free one below 32768, and returns it.
 * Throws if the given port is taken.
 */
export async function listen(server: HttpServer | HttpsServer, port?: number): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const chosen = port ?? (await freePort())
    try {
      await tryListen(server, chosen)
      return chosen
    } catch (error) {
      if (port !== undefined || tries === TRIES_MAX) throw error
    }
  }
}

/** Closes the server and every connection it has. */
export async function shut(server: HttpServer | HttpsServer): Promise<void> {
  if (!server.listening) return
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
}

function tryListen(server: HttpServer | HttpsServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}
