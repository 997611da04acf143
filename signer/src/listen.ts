import { chmod, unlink } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import type { Signer } from './request.ts'
import { serveSigner } from './serve.ts'

/** A socket's users are its owner and its group: the service may run as another user. */
const SOCKET_MODE = 0o660

/** A signer behind a socket. */
export interface Listening {
  /** Ends the connections, answered or not, and removes the socket. */
  close(): Promise<void>
}

/**
 * Serves a signer on a Unix socket. Replaces the socket that a killed signer left; throws if
 * another signer still listens there, or if the path cannot be used.
 */
export async function listenOn(
  path: string,
  signer: Signer,
  report: (error: unknown) => void,
): Promise<Listening> {
  await removeStale(path)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The reader of the input learns of an error; the writer must not end the process.
    socket.on('error', () => socket.destroy())
    serveSigner(signer, { input: socket, output: socket }, report).catch((error: unknown) => {
      socket.destroy()
      report(error)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, SOCKET_MODE)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { close }
}

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

async function removeStale(path: string): Promise<void> {
  let socket: Socket
  try {
    socket = await open(path)
  } catch (error) {
    if (Object(error)['code'] === 'ECONNREFUSED') await unlink(path)
    return
  }
  socket.destroy()
  throw new Error(`Another signer listens at ${path}.`)
}
