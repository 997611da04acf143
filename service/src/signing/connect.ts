import { connect } from 'node:net'
import type { Channel } from '@sluice/signer'

/** Connects to a signer's socket. Rejects if no signer listens there. */
export function connectTo(path: string): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve({ input: socket, output: socket }))
    socket.once('error', reject)
    // The reader of the input learns of an error; the writer must not end the process.
    socket.on('error', () => socket.destroy())
  })
}
